"""What solvers of matrices and of grids share."""

from __future__ import annotations

import ctypes as c
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import LinearOperator

from . import _library as lib
from ._reports import Report, SolverInfo, of_structure, report_of


@dataclass(frozen=True)
class Progress:
    """Where a solve is. The residual is |r| / |b|, as the method knows it."""

    iteration: int
    corrections: int
    relative_residual: float


@dataclass(frozen=True)
class Texture:
    """A rectangle of an OpenGL texture, used as a vector; a width or height of 0 reaches to the end.

    ``texture`` is its OpenGL name, or an object of moderngl (``glo``) or pyglet (``id``).
    """

    texture: object
    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    four: bool = False  #: a texel holds four unknowns
    component: int = 0
    right_hand_sides: int = 1
    layer: int = -1


def texture_view(of: object) -> lib.Texture:
    view = of if isinstance(of, Texture) else Texture(of)
    fields = {field.name: getattr(view, field.name) for field in dataclasses.fields(view)}
    name = fields.pop("texture")
    layer = fields.pop("layer")
    name = getattr(name, "glo", getattr(name, "id", name))
    return lib.Texture(texture=int(name), layered=layer >= 0, layer=max(layer, 0), **fields)


class Prepared:
    """A system prepared on a device. Solvers fill in ``shape`` and make the handle."""

    shape: tuple[int, int]
    dtype = np.dtype(np.float64)

    def __init__(self, callback: Callable[[Progress], object] | None) -> None:
        self._handle = c.c_void_p()
        self._callback = callback
        self._raised: BaseException | None = None
        self._observer = lib.Observer(self._observe)

    def _settings(self, options: dict[str, object]) -> lib.Settings:
        return lib.Settings(options=lib.options_text(options), observer=self._observer)

    def _observe(self, progress: object, _: object) -> int:
        # Here Python looks for Ctrl-C as well. What is raised ends the solve, and goes on from _call.
        try:
            seen = progress.contents
            if self._callback is None:
                return 1
            more = self._callback(Progress(seen.iteration, seen.corrections, seen.relative_residual))
            return 0 if more is False else 1
        except BaseException as error:
            self._raised = error
            return 0

    def _call(self, name: str, *arguments: object) -> None:
        self._raised = None
        try:
            lib.call(name, *arguments)
        finally:
            if self._raised is not None:
                raise self._raised

    def _solve(self, b: np.ndarray, x: np.ndarray) -> list[Report]:
        """Right-hand sides and guesses one after the other, in Fortran's order."""
        count = b.size // self.shape[0] if self.shape[0] else 1
        if count == 0:
            return []
        found = (lib.Report * count)()
        for report in found:
            report.size = c.sizeof(lib.Report)
        self._call("solve", self._handle, b.ctypes.data, x.ctypes.data, count, found)
        return [report_of(report) for report in found]

    def precondition(self, b: object) -> np.ndarray:
        """M^-1 b with the preconditioner of this solver."""
        b = self._right_hand_sides(b)
        x = self._solutions(b, None)
        for column in range(b.size // self.shape[0]):
            offset = 8 * column * self.shape[0]
            self._call("precondition", self._handle, b.ctypes.data + offset, x.ctypes.data + offset)
        return x

    def as_preconditioner(self) -> LinearOperator:
        """M^-1, for the ``M`` of scipy's methods."""
        return LinearOperator(self.shape, matvec=lambda b: np.ravel(self.precondition(np.ravel(b))), dtype=self.dtype)

    def as_inverse(self) -> LinearOperator:
        """A^-1, by a solve each time. Raises RuntimeError where one does not converge."""

        def solved(b: np.ndarray) -> np.ndarray:
            x, report = self.solve(np.ravel(b))
            if not report.converged:
                raise lib.Error(f"{report.outcome}: {report.reason}")
            return x

        return LinearOperator(self.shape, matvec=solved, dtype=self.dtype)

    @property
    def info(self) -> SolverInfo:
        found = lib.SolverInfo()
        self._call("solver_describe", self._handle, found)
        return of_structure(SolverInfo, found)

    # Textures of the OpenGL context that is current, for a Device(current=True).

    def enqueue(
        self, b: object, x: object, *, iterations: int = 0, milliseconds: float = 0, zero_guess: bool = False,
        history: bool = False,
    ) -> None:  # fmt: skip
        """Encodes a solve, and never waits. b and x: textures, or :class:`Texture` for a part of one."""
        budget = lib.Budget(
            iterations=iterations, milliseconds=milliseconds, zero_guess=zero_guess, history=history)  # fmt: skip
        self._call("enqueue", self._handle, texture_view(b), texture_view(x), budget)

    def poll(self) -> Report | None:
        """The oldest outcome of :meth:`enqueue` that was not returned yet; None where there is none so far."""
        arrived, found = c.c_int32(), lib.Report()
        self._call("poll", self._handle, arrived, found)
        return report_of(found) if arrived.value else None

    def solve_textures(self, b: object, x: object) -> Report:
        """Solves, and waits."""
        found = lib.Report()
        self._call("solve_textures", self._handle, texture_view(b), texture_view(x), found)
        return report_of(found)

    def precondition_textures(self, b: object, x: object) -> None:
        """x = M^-1 b; never waits."""
        self._call("precondition_textures", self._handle, texture_view(b), texture_view(x))

    def warm_up(self, b: object, x: object) -> None:
        """Compiles and allocates what :meth:`enqueue` needs for such textures."""
        self._call("warm_up", self._handle, texture_view(b), texture_view(x))

    def close(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), c.c_void_p()
        if handle:
            lib.library.glsolve_solver_free(handle)

    def __enter__(self) -> Prepared:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
