"""Devices."""

from __future__ import annotations

import ctypes as c
import threading

from . import _library as lib
from ._reports import DeviceInfo, of_structure


class Device:
    """An open device. It belongs to the thread that opened it.

    ``Device(backend="host")``: options are backend (auto, opengl, cuda, host), stage, device (a number, a PCI address or
    part of a name), threads, current (the thread's current OpenGL context, which stays yours), state, platform,
    program_cache (a folder; usually the user's) and debug.
    """

    def __init__(self, **options: object) -> None:
        self._handle = c.c_void_p()
        options.setdefault("program_cache", "default")
        lib.call("device_open", lib.options_text(options), self._handle)

    @property
    def info(self) -> DeviceInfo:
        found = lib.DeviceInfo()
        lib.call("device_describe", self._handle, found)
        return of_structure(DeviceInfo, found)

    def trim(self) -> None:
        """Gives spare memory back to the driver."""
        lib.call("device_trim", self._handle)

    def close(self) -> None:
        """Solvers that were made on it keep what they need."""
        handle, self._handle = getattr(self, "_handle", None), c.c_void_p()
        if handle:
            lib.library.glsolve_device_close(handle)

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __repr__(self) -> str:
        info = self.info if self._handle else None
        return f"<Device {info.backend}: {info.renderer}>" if info else "<Device, closed>"


def devices() -> list[DeviceInfo]:
    """All devices of this machine."""
    room = 64
    infos = (lib.DeviceInfo * room)()
    for info in infos:
        info.size = c.sizeof(lib.DeviceInfo)
    count = c.c_size_t()
    lib.call("list_devices", infos, room, count)
    return [of_structure(DeviceInfo, info) for info in infos[: min(count.value, room)]]


_of_thread = threading.local()


def usual_device() -> Device:
    """The device that is taken where none is named: one for each thread, opened when it is first needed."""
    if not getattr(_of_thread, "device", None):
        _of_thread.device = Device()
    return _of_thread.device
