/// Files of NumPy and SciPy: matrices as `scipy.sparse.save_npz` writes them, and arrays as `numpy.save` does.
///
/// What is read of .npz: formats csr, csc and coo, stored or deflated; of .npy: one or two dimensions, in C or Fortran
/// order. Numbers may be float64, float32, whole numbers of 8 to 64 bits, or bool, all little-endian; whole numbers
/// above 2^53 are rounded. Columns of a row may stand in any order, and several entries in one place are added.
///
/// What is refused with InvalidInput, which names the file, the array in it, and the reason: complex numbers,
/// big-endian ones, other formats, NaN and infinity, indices out of range, more than 2^31 - 1 rows or columns, files
/// that end early, and wrong check sums.
#pragma once

#include <filesystem>
#include <glsolve/csr.hpp>
#include <glsolve/dense.hpp>
#include <glsolve/export.hpp>
#include <span>

namespace glsolve::inline v0_1 {

/// Reads a sparse matrix from a .npz file.
GLSOLVE_API CsrMatrix read_npz(const std::filesystem::path& file);

/// Writes it in format csr, stored: float64, columns of 32 bits, offsets of 64 bits where 32 are too few. As with
/// write_matrix_market, an incomplete file never has the target's name. Throws Error when it cannot be written.
GLSOLVE_API void write_npz(const std::filesystem::path& file, CsrView A);

/// Reads an array; of one dimension it is a column.
GLSOLVE_API DenseMatrix read_npy(const std::filesystem::path& file);

/// Writes `columns` columns, which stand one after the other: float64, of one dimension where there is one column, else
/// of two. Throws InvalidInput if the values do not fill the columns.
GLSOLVE_API void write_npy(const std::filesystem::path& file, std::span<const double> values, Index columns = 1);

}  // namespace glsolve::inline v0_1
