"""What solves, solvers and devices say, as dataclasses."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from . import _library as lib


def _taken(kind: type, structure: object) -> dict[str, object]:
    """The fields of a dataclass from those of a structure with the same names."""
    values = {}
    for field in dataclasses.fields(kind):
        if not hasattr(structure, field.name):
            continue
        value = getattr(structure, field.name)
        if isinstance(value, bytes):
            value = value.decode()
        values[field.name] = bool(value) if field.type == "bool" else value
    return values


@dataclass(frozen=True)
class Report:
    """How a solve ended. Only ``converged`` says that the answer meets the tolerance."""

    converged: bool
    outcome: str
    reason: str
    remarks: str
    residuals: str
    iterations: int
    corrections: int
    corrections_on_device: int
    relative_residual: float
    normal_residual: float
    setup_seconds: float
    solve_seconds: float
    device_seconds: float
    compile_seconds: float
    passes: int
    reads: int
    device_bytes: int
    matrix_bytes: int
    vector_bytes: int
    #: One row for each known residual: iteration, |r| / |b|, and 1 where that is the true one.
    history: np.ndarray = dataclasses.field(repr=False, compare=False)

    def __repr__(self) -> str:
        return (
            f"<{self.outcome} after {self.iterations} iterations: residual {self.relative_residual:.1e}, "
            f"set-up {self.setup_seconds:.3g} s, solve {self.solve_seconds:.3g} s; {self.reason}>"
        )

    def plot(self, axes: object = None, **style: object) -> object:
        """Draws |r| / |b| over the iterations with matplotlib, and returns the axes."""
        if axes is None:
            import matplotlib.pyplot as plt

            axes = plt.figure().add_subplot()
        axes.semilogy(self.history[:, 0], self.history[:, 1], **style)
        axes.set_xlabel("iterations")
        axes.set_ylabel("relative residual")
        return axes


def report_of(structure: object) -> Report:
    rows = [
        (entry.iteration, entry.relative_residual, entry.corrected)
        for entry in structure.history[: structure.history_size]
    ]
    values = _taken(Report, structure)
    values["history"] = np.array(rows, dtype=float).reshape(-1, 3)
    return Report(**values)


@dataclass(frozen=True)
class SolverInfo:
    """What a solver has chosen, and why."""

    rows: int
    columns: int
    nonzeros: int
    levels: int
    method: str
    method_reason: str
    preconditioner: str
    preconditioner_remark: str
    format: str
    format_reason: str


@dataclass(frozen=True)
class DeviceInfo:
    """A device. ``missing`` says why it cannot be opened; empty: it can."""

    backend: str
    number: int
    renderer: str
    vendor: str
    version: str
    stage: str
    software: bool
    memory_bytes: int
    max_texture_size: int
    pci_address: str
    choice: str
    missing: str


@dataclass(frozen=True)
class Spectrum:
    """Where the eigenvalues of M^-1 A lie, for a symmetric A."""

    smallest: float
    largest: float
    gershgorin: float
    steps: int
    definite: bool
    scaled: bool


@dataclass(frozen=True)
class Option:
    """An option that solvers take, by its name with underscores."""

    name: str
    heading: str
    words: str
    usual: str
    values: tuple[str, ...]
    takers: tuple[str, ...]


def of_structure(kind: type, structure: object) -> object:
    return kind(**_taken(kind, structure))


def options() -> list[Option]:
    """All options of solvers.

    >>> [option.usual for option in options() if option.name == "tolerance"]
    ['1e-08']
    """
    listed = []
    for number in range(lib.library.glsolve_option_count()):
        found = lib.Option()
        lib.call("option_at", number, found)
        values = _taken(Option, found)
        values["name"] = values["name"].replace("-", "_")
        values["values"], values["takers"] = tuple(values["values"].split()), tuple(values["takers"].split())
        listed.append(Option(**values))
    return listed
