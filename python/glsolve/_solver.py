"""Solvers of matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._devices import Device, usual_device
from ._matrices import as_csr, view_of
from ._prepared import Prepared, Progress
from ._reports import Report, Spectrum, of_structure


class Solver(Prepared):
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
        super().__init__(callback)
        self._matrix = as_csr(A)
        self._keeps_order = sp.issparse(A) and A.format == "csr" and bool(A.has_canonical_format)
        self.shape = self._matrix.shape
        settings = self._settings({"method": "auto", "preconditioner": "auto", **options})
        if near_null_space is not None:
            vectors = np.array(near_null_space, np.float64, order="F")
            vectors = vectors.reshape(-1, 1) if vectors.ndim == 1 else vectors
            if vectors.shape[0] != self.shape[0]:
                raise ValueError(f"near_null_space has {vectors.shape[0]} rows, the matrix {self.shape[0]}")
            settings.near_null_space, settings.near_null_vectors = vectors.ctypes.data, vectors.shape[1]
        device = usual_device() if device is None else device
        self._call("solver_create", device._handle, view_of(self._matrix), settings, self._handle)

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
        reports = self._solve(b, x)
        return x, reports[0] if b.ndim == 1 else reports

    def update_values(self, values: object) -> None:
        """Other values in the same places: a matrix, or an array in the order of ``A.data``.

        Only of compressed rows with ascending columns an array is taken: glsolve has the others in another order.
        """
        if isinstance(values, np.ndarray) and values.ndim == 1:
            if not self._keeps_order:
                raise ValueError("A was not in compressed rows with ascending columns: give a matrix, not an array")
        else:
            other = as_csr(values)
            same = other.shape == self.shape and np.array_equal(other.indptr, self._matrix.indptr)
            if not same or not np.array_equal(other.indices, self._matrix.indices):
                raise ValueError("the matrix has its entries in other places: make a new Solver")
            values = other.data
        values = np.ascontiguousarray(values, np.float64)
        self._call("update_values", self._handle, values.ctypes.data, values.size)

    def spectrum(self, steps: int = 0) -> Spectrum:
        """Where the eigenvalues of M^-1 A lie, by so many Lanczos steps (0: 32)."""
        found = lib.Spectrum()
        self._call("estimate_spectrum", self._handle, steps, found)
        return of_structure(Spectrum, found)

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
