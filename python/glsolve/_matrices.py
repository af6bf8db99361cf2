"""Matrices between scipy.sparse and the library."""

from __future__ import annotations

import ctypes as c
import os

import numpy as np
import scipy.sparse as sp

from . import _library as lib


def as_csr(A: object) -> sp.csr_matrix:
    """A as compressed rows with ascending columns: A itself where it is that, with float32 or float64 values."""
    if np.iscomplexobj(A if sp.issparse(A) else np.asarray(A)):
        raise ValueError("the matrix is complex; glsolve solves real systems")
    made = A if sp.issparse(A) and A.format == "csr" else sp.csr_matrix(A)
    if not made.has_canonical_format:
        made = made.copy()
        made.sum_duplicates()
    if made.dtype not in (np.float32, np.float64):
        made = made.astype(np.float64)
    return made


def view_of(A: sp.csr_matrix) -> lib.Csr:
    """Its arrays, which have to live as long as the view is used."""
    arrays = A.indptr, A.indices, A.data
    if not all(array.flags.c_contiguous for array in arrays):
        raise ValueError("the arrays of the matrix are not contiguous; A.copy() has such")
    return lib.Csr(
        offset_bits=8 * A.indptr.itemsize, column_bits=8 * A.indices.itemsize, value_bits=8 * A.data.itemsize,
        rows=A.shape[0], columns=A.shape[1],
        offsets=A.indptr.ctypes.data, column=A.indices.ctypes.data, value=A.data.ctypes.data)  # fmt: skip


def from_library(name: str, *arguments: object) -> sp.csr_matrix:
    """The matrix that a function of the library makes."""
    handle, view = c.c_void_p(), lib.Csr()
    lib.call(name, *arguments, handle)
    try:
        lib.call("matrix_view", handle, view)

        def copied(address: int, kind: type, count: int) -> np.ndarray:
            return np.ctypeslib.as_array(c.cast(address, c.POINTER(kind)), (count,)).copy() if count else np.empty(0, kind)

        offsets = copied(view.offsets, c.c_int64, view.rows + 1)
        count = int(offsets[-1])
        column, value = copied(view.column, c.c_int32, count), copied(view.value, c.c_double, count)
    finally:
        lib.library.glsolve_matrix_free(handle)
    if count < 2**31:
        offsets = offsets.astype(np.int32)
    return sp.csr_matrix((value, column, offsets), shape=(view.rows, view.columns))


def generate(kind: str, *numbers: float) -> sp.csr_matrix:
    """A test matrix, as the program's ``generate`` makes it.

    >>> generate("poisson2d", 2).toarray()
    array([[ 4., -1., -1.,  0.],
           [-1.,  4.,  0., -1.],
           [-1.,  0.,  4., -1.],
           [ 0., -1., -1.,  4.]])
    """
    return from_library("matrix_generate", kind.encode(), (c.c_double * len(numbers))(*numbers), len(numbers))


def read(file: str | os.PathLike) -> sp.csr_matrix:
    """A matrix from a Matrix Market file (.mtx, .mtx.gz) or one of scipy.sparse.save_npz, by all cores."""
    return from_library("matrix_read", os.fsencode(file))


def write(file: str | os.PathLike, A: object) -> None:
    """Writes a matrix; the ending of the name says in which of the two formats."""
    A = as_csr(A)
    lib.call("matrix_write", os.fsencode(file), view_of(A))
