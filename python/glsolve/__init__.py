"""Solves linear systems A x = b on GPUs by OpenGL or CUDA, and on all cores without one.

>>> import glsolve, numpy as np
>>> A = glsolve.generate("poisson2d", 100)
>>> x, report = glsolve.solve(A, np.ones(A.shape[0]))
>>> report.converged
True
"""

from ._devices import Device, devices
from ._library import DeviceError, Error, NoDevice, library as _loaded
from ._matrices import generate, read, write
from ._reports import DeviceInfo, Option, Report, SolverInfo, Spectrum, options
from ._solver import Progress, Solver, Texture, solve

__version__ = _loaded.glsolve_version().decode()
__all__ = [
    "Device", "DeviceError", "DeviceInfo", "Error", "NoDevice", "Option", "Progress", "Report", "Solver", "SolverInfo",
    "Spectrum", "Texture", "devices", "generate", "options", "read", "solve", "write",
]  # fmt: skip
