"""The shared library of glsolve, found and declared (include/glsolve/glsolve.h)."""

from __future__ import annotations

import ctypes as c
import ctypes.util
import os
from pathlib import Path

INVALID_INPUT, NO_DEVICE, DEVICE_ERROR, OUT_OF_MEMORY = 1, 2, 3, 4


class Error(RuntimeError):
    """What glsolve reports, where no kind of exception of Python's own fits."""


class NoDevice(Error):
    """The device does not exist on this machine, or lacks something that is needed."""


class DeviceError(Error):
    """The device failed while working: its memory ran out, say."""


def _structure(name: str, *fields: tuple[str, object]) -> type[c.Structure]:
    """A structure that knows its size, as all of glsolve.h do."""

    def __init__(self: c.Structure, **values: object) -> None:
        c.Structure.__init__(self, size=c.sizeof(type(self)), **values)

    return type(name, (c.Structure,), {"_fields_": [("size", c.c_uint32), *fields], "__init__": __init__})


_i32, _u32, _i64, _u64, _f64, _text, _pointer = (
    c.c_int32, c.c_uint32, c.c_int64, c.c_uint64, c.c_double, c.c_char_p, c.c_void_p)  # fmt: skip


class HistoryEntry(c.Structure):
    _fields_ = [("iteration", _i64), ("relative_residual", _f64), ("corrected", _i64)]


Progress = _structure("Progress", ("iteration", _i64), ("corrections", _i64), ("relative_residual", _f64))
Observer = c.CFUNCTYPE(c.c_int, c.POINTER(Progress), _pointer)
Csr = _structure(
    "Csr", ("offset_bits", _i32), ("column_bits", _i32), ("value_bits", _i32), ("rows", _i64), ("columns", _i64),
    ("offsets", _pointer), ("column", _pointer), ("value", _pointer))  # fmt: skip
Settings = _structure(
    "Settings", ("options", _text), ("near_null_space", _pointer), ("near_null_vectors", _i64), ("observer", Observer),
    ("context", _pointer), ("copies", _i32))  # fmt: skip
Report = _structure(
    "Report", ("converged", _i32), ("outcome", _text), ("reason", _text), ("remarks", _text), ("residuals", _text),
    ("iterations", _i64), ("corrections", _i64), ("corrections_on_device", _i64), ("relative_residual", _f64),
    ("normal_residual", _f64), ("setup_seconds", _f64), ("solve_seconds", _f64), ("device_seconds", _f64),
    ("compile_seconds", _f64), ("passes", _u64), ("reads", _u64), ("device_bytes", _i64), ("matrix_bytes", _i64),
    ("vector_bytes", _i64), ("history", c.POINTER(HistoryEntry)), ("history_size", c.c_size_t))  # fmt: skip
SolverInfo = _structure(
    "SolverInfo", ("levels", _i32), ("rows", _i64), ("columns", _i64), ("nonzeros", _i64), ("method", _text),
    ("method_reason", _text), ("preconditioner", _text), ("preconditioner_remark", _text), ("format", _text),
    ("format_reason", _text))  # fmt: skip
DeviceInfo = _structure(
    "DeviceInfo", ("software", _i32), ("number", _i32), ("max_texture_size", _i32), ("memory_bytes", _i64),
    ("backend", _text), ("stage", _text), ("renderer", _text), ("vendor", _text), ("version", _text),
    ("pci_address", _text), ("choice", _text), ("missing", _text))  # fmt: skip
Option = _structure(
    "Option", ("name", _text), ("heading", _text), ("words", _text), ("usual", _text), ("values", _text),
    ("takers", _text))  # fmt: skip
Spectrum = _structure(
    "Spectrum", ("steps", _i32), ("smallest", _f64), ("largest", _f64), ("gershgorin", _f64), ("definite", _i32),
    ("scaled", _i32))  # fmt: skip
Grid = _structure(
    "Grid", ("width", _i32), ("height", _i32), ("depth", _i32), ("at_vertices", _i32), ("walls", _i32 * 6),
    ("spacing", _f64 * 3), ("shift", _f64))  # fmt: skip
Texture = _structure(
    "Texture", ("texture", _u32), ("x", _i32), ("y", _i32), ("width", _i32), ("height", _i32), ("four", _i32),
    ("component", _i32), ("right_hand_sides", _i32), ("layered", _i32), ("layer", _i32))  # fmt: skip
Budget = _structure(
    "Budget", ("zero_guess", _i32), ("iterations", _i64), ("milliseconds", _f64), ("silent", _i32), ("history", _i32))

_at = c.POINTER
_functions = {
    "check_options": [_text],
    "option_at": [c.c_size_t, _at(Option)],
    "device_open": [_text, _at(_pointer)],
    "device_trim": [_pointer],
    "device_describe": [_pointer, _at(DeviceInfo)],
    "list_devices": [_at(DeviceInfo), c.c_size_t, _at(c.c_size_t)],
    "matrix_read": [_text, _at(_pointer)],
    "matrix_write": [_text, _at(Csr)],
    "matrix_generate": [_text, _at(_f64), c.c_size_t, _at(_pointer)],
    "matrix_view": [_pointer, _at(Csr)],
    "solver_create": [_pointer, _at(Csr), _at(Settings), _at(_pointer)],
    "solve": [_pointer, _pointer, _pointer, _i32, _at(Report)],
    "resume": [_pointer, _pointer, _pointer, _at(Report)],
    "precondition": [_pointer, _pointer, _pointer],
    "update_values": [_pointer, _pointer, _i64],
    "solver_describe": [_pointer, _at(SolverInfo)],
    "estimate_spectrum": [_pointer, _i32, _at(Spectrum)],
    "grid_solver_create": [_pointer, _at(Grid), _at(Settings), _at(_pointer)],
    "set_cells": [_pointer, _pointer, _pointer],
    "grid_matrix": [_pointer, _at(_pointer)],
    "set_cells_from": [_pointer, _at(Texture)],
    "enqueue": [_pointer, _at(Texture), _at(Texture), _at(Budget)],
    "poll": [_pointer, _at(_i32), _at(Report)],
    "solve_textures": [_pointer, _at(Texture), _at(Texture), _at(Report)],
    "precondition_textures": [_pointer, _at(Texture), _at(Texture)],
    "warm_up": [_pointer, _at(Texture), _at(Texture)],
}


def _find() -> str:
    """$GLSOLVE_LIBRARY, the library beside this file, or the one that the loader knows."""
    if named := os.environ.get("GLSOLVE_LIBRARY"):
        return named
    for beside in sorted(Path(__file__).parent.glob("libglsolve*.so*")):
        return str(beside)
    return ctypes.util.find_library("glsolve") or "libglsolve.so.0.1"


def _load() -> c.CDLL:
    file = _find()
    try:
        library = c.CDLL(file)
    except OSError as error:
        raise ImportError(
            f"glsolve's library cannot be loaded: {error}. Install libglsolve, or let GLSOLVE_LIBRARY name the file."
        ) from None
    for name, arguments in _functions.items():
        function = getattr(library, "glsolve_" + name)
        function.argtypes, function.restype = arguments, c.c_int
    library.glsolve_option_count.restype = c.c_size_t
    for name in "last_error", "version":
        getattr(library, "glsolve_" + name).restype = _text
    for name in "device_close", "matrix_free", "solver_free":
        function = getattr(library, "glsolve_" + name)
        function.argtypes, function.restype = [_pointer], None
    return library


library = _load()


def call(name: str, *arguments: object) -> None:
    """Calls a function of the library; raises what its code stands for."""
    code = getattr(library, "glsolve_" + name)(*arguments)
    if code == 0:
        return
    words = library.glsolve_last_error().decode()
    kinds = {INVALID_INPUT: ValueError, NO_DEVICE: NoDevice, DEVICE_ERROR: DeviceError, OUT_OF_MEMORY: MemoryError}
    raise kinds.get(code, Error)(words)


def options_text(options: dict[str, object]) -> bytes:
    """amg_cycle="v", tolerance=1e-10 as the library reads it: amg-cycle="v" tolerance="1e-10"."""

    def value(of: object) -> str:
        if isinstance(of, bool):
            return "true" if of else "false"
        if '"' in str(of):
            raise ValueError(f"options: {of!r} has a double quote in it, which no value may have")
        return str(of)

    return " ".join(f'{name.replace("_", "-")}="{value(of)}"' for name, of in options.items()).encode()
