"""Solves linear systems A x = b on GPUs by OpenGL or CUDA, and on all cores without one.

>>> import glsolve, numpy as np
>>> A = glsolve.generate("poisson2d", 100)
>>> x, report = glsolve.solve(A, np.ones(A.shape[0]))
>>> report.converged
True
"""

from ._devices import Device, devices
from ._grid import OPEN, SOLID, UNKNOWN, GridSolver
from ._library import DeviceError, Error, NoDevice, library as _loaded
from ._matrices import generate, read, write
from ._reports import DeviceInfo, Option, Report, SolverInfo, Spectrum, options
from ._prepared import Progress, Texture
from ._solver import Solver, solve

__version__ = _loaded.glsolve_version().decode()
__all__ = [
    "Device", "DeviceError", "DeviceInfo", "Error", "GridSolver", "NoDevice", "OPEN", "Option", "Progress", "Report", "SOLID", "Solver", "SolverInfo",
    "Spectrum", "Texture", "UNKNOWN", "devices", "generate", "options", "read", "solve", "write",
]  # fmt: skip
