"""Solvers of grids, without a matrix."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from . import _library as lib
from ._devices import Device, usual_device
from ._matrices import from_library
from ._prepared import Prepared, Progress, texture_view
from ._reports import Report

UNKNOWN, SOLID, OPEN = 0, 1, 2
_walls = {"closed": 0, "dirichlet": 1}


class GridSolver(Prepared):
    """-div (k grad x) + shift x = b on a grid of cells, by multigrid: the pressure of a fluid, say.

    ``shape``: (height, width), or (depth, height, width); arrays have that shape, and x varies fastest.
    ``walls``: for each axis, "x", "y" or "z", what is at its low and its high end: "closed" (usual: no flux) or
    "dirichlet" (the value 0). ``spacing``: of neighbours along x, y, z.

    >>> import glsolve, numpy as np
    >>> solver = glsolve.GridSolver((40, 60), walls={"x": ("dirichlet", "closed")})
    >>> x, report = solver.solve(np.ones((40, 60)))
    >>> report.converged, x.shape
    (True, (40, 60))
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        device: Device | None = None,
        *,
        spacing: tuple[float, ...] = (1, 1, 1),
        walls: dict[str, tuple[str, str]] | None = None,
        shift: float = 0,
        at_vertices: bool = False,
        callback: Callable[[Progress], object] | None = None,
        **options: object,
    ) -> None:
        super().__init__(callback)
        if len(shape) not in (2, 3):
            raise ValueError(f"the shape is {shape}; it is (height, width) or (depth, height, width)")
        self.grid_shape = tuple(int(size) for size in shape)
        depth, height, width = (1, *self.grid_shape)[-3:]
        self.shape = (depth * height * width,) * 2
        grid = lib.Grid(width=width, height=height, depth=depth, at_vertices=at_vertices, shift=shift)
        if len(spacing) > 3:
            raise ValueError(f"spacing is {spacing}; it is along x, y and z")
        for axis, distance in enumerate(spacing):
            grid.spacing[axis] = distance
        for axis, ends in (walls or {}).items():
            if axis not in ("x", "y", "z") or len(ends) != 2 or any(end not in _walls for end in ends):
                raise ValueError(f"walls: {axis}: {ends}; an axis, x, y or z, has two ends, closed or dirichlet")
            for end in range(2):
                grid.walls[2 * "xyz".index(axis) + end] = _walls[ends[end]]
        device = usual_device() if device is None else device
        self._call("grid_solver_create", device._handle, grid, self._settings(options), self._handle)

    def _array(self, numbers: object, name: str, kind: type) -> np.ndarray:
        if np.iscomplexobj(numbers):
            raise ValueError(f"{name} is complex; glsolve solves real systems")
        made = np.ascontiguousarray(numbers, kind)
        if np.issubdtype(kind, np.integer) and not np.array_equal(made, numbers):
            raise ValueError(f"{name}: there are numbers other than {UNKNOWN}, {SOLID} and {OPEN}")
        if made.shape != self.grid_shape and made.shape != (self.shape[0],):
            raise ValueError(f"{name} has the shape {made.shape}; the grid has {self.grid_shape}")
        return made

    def _right_hand_sides(self, b: object) -> np.ndarray:
        return self._array(b, "b", np.float64)

    def _solutions(self, b: np.ndarray, x0: object) -> np.ndarray:
        return np.zeros(b.shape) if x0 is None else self._array(x0, "x0", np.float64).reshape(b.shape).copy()

    def set_cells(self, kinds: object = None, coefficients: object = None) -> None:
        """The kinds of all cells, UNKNOWN, SOLID or OPEN, and their coefficients k."""
        kinds = None if kinds is None else self._array(kinds, "kinds", np.uint8)
        coefficients = None if coefficients is None else self._array(coefficients, "coefficients", np.float32)
        self._call("set_cells", self._handle, *(None if a is None else a.ctypes.data for a in (kinds, coefficients)))

    def set_cells_from(self, cells: object) -> None:
        """The same from a texture: positive unknown, 0 solid, negative open."""
        self._call("set_cells_from", self._handle, texture_view(cells))

    def solve(self, b: object, x0: object = None) -> tuple[np.ndarray, Report]:
        """The solution, and a report."""
        b = self._right_hand_sides(b)
        x = self._solutions(b, x0)
        return x, self._solve(b, x)[0]

    def matrix(self) -> sp.csr_matrix:
        """The matrix that is solved, one row for each cell."""
        return from_library("grid_matrix", self._handle)

    def __repr__(self) -> str:
        if not self._handle:
            return "<GridSolver, closed>"
        info = self.info
        return f"<GridSolver {' x '.join(map(str, self.grid_shape))}: {info.method} with {info.preconditioner}>"
