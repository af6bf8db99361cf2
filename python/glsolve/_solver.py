"""Solvers."""

from __future__ import annotations

import ctypes as c
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import LinearOperator

from . import _library as lib
from ._devices import Device, usual_device
from ._matrices import as_csr, view_of
from ._reports import Report, SolverInfo, Spectrum, of_structure, report_of


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


def _texture(of: object) -> lib.Texture:
    view = of if isinstance(of, Texture) else Texture(of)
    fields = {field.name: getattr(view, field.name) for field in dataclasses.fields(view)}
    name = fields.pop("texture")
    layer = fields.pop("layer")
    name = getattr(name, "glo", getattr(name, "id", name))
    return lib.Texture(texture=int(name), layered=layer >= 0, layer=max(layer, 0), **fields)


class Solver:
    """A matrix prepared on a device, for many right-hand sides.

    ``A``: a matrix of scipy.sparse, or a dense array. Of compressed rows with 32-bit columns and float64 values nothing
    is copied: do not change them while the solver lives; :meth:`update_values` gives it others.
    ``near_null_space``: vectors that A maps nearly to zero, as columns, for multigrid.
    ``callback``: is called with a :class:`Progress` now and then; where it returns False, the solve ends as "cancelled".
    ``options``: those of :func:`options`; method and preconditioner are chosen where they are not named.
    """

    def __init__(
        self,
        A: object,
        device: Device | None = None,
        *,
        near_null_space: np.ndarray | None = None,
        callback: Callable[[Progress], object] | None = None,
        **options: object,
    ) -> None:
        self._handle = c.c_void_p()
        self._matrix = as_csr(A)
        self._callback = callback
        self._raised: BaseException | None = None
        self._observer = lib.Observer(self._observe)
        self.shape, self.dtype = self._matrix.shape, np.dtype(np.float64)
        options = {"method": "auto", "preconditioner": "auto", **options}
        settings = lib.Settings(options=lib.options_text(options), observer=self._observer)
        if near_null_space is not None:
            vectors = np.array(near_null_space, np.float64, order="F", ndmin=2)
            if vectors.shape[0] != self.shape[0]:
                raise ValueError(f"near_null_space has {vectors.shape[0]} rows, the matrix {self.shape[0]}")
            settings.near_null_space, settings.near_null_vectors = vectors.ctypes.data, vectors.shape[1]
        device = usual_device() if device is None else device
        self._call("solver_create", device._handle, view_of(self._matrix), settings, self._handle)

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

    def _right_hand_sides(self, b: object) -> np.ndarray:
        if np.iscomplexobj(b):
            raise ValueError("b is complex; glsolve solves real systems")
        made = np.asarray(b, np.float64, order="F")
        if made.ndim not in (1, 2) or made.shape[0] != self.shape[0]:
            raise ValueError(f"b has the shape {made.shape}; the matrix has {self.shape[0]} rows")
        return made

    def _solutions(self, b: np.ndarray, x0: object) -> np.ndarray:
        shape = (self.shape[1], *b.shape[1:])
        if x0 is None:
            return np.zeros(shape, order="F")
        made = np.array(x0, np.float64, order="F")
        if made.shape != shape:
            raise ValueError(f"x0 has the shape {made.shape}; the solution has {shape}")
        return made

    def solve(self, b: object, x0: object = None) -> tuple[np.ndarray, Report | list[Report]]:
        """The solution, and a report. The columns of a two-dimensional b are right-hand sides, with a report each."""
        b = self._right_hand_sides(b)
        x = self._solutions(b, x0)
        count = 1 if b.ndim == 1 else b.shape[1]
        if count == 0:
            return x, []
        found = (lib.Report * count)()
        for report in found:
            report.size = c.sizeof(lib.Report)
        self._call("solve", self._handle, b.ctypes.data, x.ctypes.data, count, found)
        reports = [report_of(report) for report in found]
        return x, reports[0] if b.ndim == 1 else reports

    def precondition(self, b: object) -> np.ndarray:
        """M^-1 b with the preconditioner of this solver."""
        b = self._right_hand_sides(b)
        x = self._solutions(b, None)
        for column in range(1 if b.ndim == 1 else b.shape[1]):
            offset = 8 * column * self.shape[0]
            self._call("precondition", self._handle, b.ctypes.data + offset, x.ctypes.data + offset)
        return x

    def update_values(self, values: object) -> None:
        """Other values in the same places: an array in the order of ``A.data``, or a matrix with the same places."""
        if not isinstance(values, np.ndarray):
            other = as_csr(values)
            same = other.shape == self.shape and np.array_equal(other.indptr, self._matrix.indptr)
            if not same or not np.array_equal(other.indices, self._matrix.indices):
                raise ValueError("the matrix has its entries in other places: make a new Solver")
            values = other.data
        values = np.ascontiguousarray(values, np.float64)
        self._call("update_values", self._handle, values.ctypes.data, values.size)

    def as_preconditioner(self) -> LinearOperator:
        """M^-1, for the ``M`` of scipy's methods."""
        return LinearOperator(self.shape, matvec=lambda b: self.precondition(np.ravel(b)), dtype=self.dtype)

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

    def spectrum(self, steps: int = 0) -> Spectrum:
        """Where the eigenvalues of M^-1 A lie, by so many Lanczos steps (0: 32)."""
        found = lib.Spectrum()
        self._call("estimate_spectrum", self._handle, steps, found)
        return of_structure(Spectrum, found)

    # Textures of the OpenGL context that is current, for a Device(current=True).

    def enqueue(
        self, b: object, x: object, *, iterations: int = 0, milliseconds: float = 0, zero_guess: bool = False,
        history: bool = False,
    ) -> None:  # fmt: skip
        """Encodes a solve, and never waits. b and x: textures, or :class:`Texture` for a part of one."""
        budget = lib.Budget(
            iterations=iterations, milliseconds=milliseconds, zero_guess=zero_guess, history=history)  # fmt: skip
        self._call("enqueue", self._handle, _texture(b), _texture(x), budget)

    def poll(self) -> Report | None:
        """The oldest outcome of :meth:`enqueue` that was not returned yet; None where there is none so far."""
        arrived, found = c.c_int32(), lib.Report()
        self._call("poll", self._handle, arrived, found)
        return report_of(found) if arrived.value else None

    def solve_textures(self, b: object, x: object) -> Report:
        """Solves, and waits."""
        found = lib.Report()
        self._call("solve_textures", self._handle, _texture(b), _texture(x), found)
        return report_of(found)

    def precondition_textures(self, b: object, x: object) -> None:
        """x = M^-1 b; never waits."""
        self._call("precondition_textures", self._handle, _texture(b), _texture(x))

    def warm_up(self, b: object, x: object) -> None:
        """Compiles and allocates what :meth:`enqueue` needs for such textures."""
        self._call("warm_up", self._handle, _texture(b), _texture(x))

    def close(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), c.c_void_p()
        if handle:
            lib.library.glsolve_solver_free(handle)

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._handle:
            return "<Solver, closed>"
        info = self.info
        return f"<Solver {info.rows} x {info.columns}: {info.method} with {info.preconditioner}, format {info.format}>"


def solve(A: object, b: object, x0: object = None, device: Device | None = None, **settings: object):
    """Solves A x = b once: the solution, and a report. ``settings``: as of :class:`Solver`.

    >>> import glsolve, numpy as np
    >>> A = glsolve.generate("poisson2d", 50)
    >>> x, report = glsolve.solve(A, np.ones(2500), tolerance=1e-10)
    >>> report.converged, bool(np.linalg.norm(1 - A @ x) <= 1e-10 * 50)
    (True, True)
    """
    with Solver(A, device, **settings) as solver:
        return solver.solve(b, x0)
