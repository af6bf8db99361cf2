/// Matrix Market files (https://math.nist.gov/MatrixMarket/formats.html), plain or gzipped.
///
/// What is read:
/// - objects: matrix and vector (one column; its lines contain no column numbers);
/// - formats: coordinate and array;
/// - fields: real, double, integer, unsigned-integer and pattern (every value is 1);
/// - symmetries: general, symmetric, skew-symmetric and hermitian (for real numbers the same as symmetric).
/// Indices count from 1. Comments and blank lines may occur anywhere after the header. Lines end in LF, CR LF or CR. A
/// UTF-8 byte order mark may come first. Duplicate entries are added. Numbers may be written as +1.0 or 1.0D+03.
///
/// What is not said as it should be is understood where it can mean one thing only; ReadRemark tells of it:
/// - a header without a field, as in "matrix coordinate general": real;
/// - one size n instead of two in an array: a vector if n values follow, a square matrix if n x n do, or if it is
///   symmetric or skew-symmetric;
/// - 1.0-100, as Fortran writes exponents of three digits.
///
/// What is refused with InvalidInput, which names the file, the line and the reason:
/// - a wrong header, UTF-16, complex files, NaN, infinity, overflow, text that is not a number, a truncated file;
/// - the second header %%AMGX, if it says that the file holds more than a matrix;
/// - counts that do not match, and indices out of range;
/// - a symmetric file with both an entry above the diagonal and its mirror entry below;
/// - a diagonal entry other than 0 in a skew-symmetric file;
/// - sizes that do not fit in 32 bits, and more entries than the file's bytes can hold;
/// - a sum of rows and columns above 16,777,216 + 16 x (number of entries).
/// Sizes are checked before memory is allocated.
///
/// Memory: reading a text of n bytes with r rows takes at most 40 n + 8 r bytes at any time. In addition it
/// takes 2 MiB, and 64 bytes for each byte of gzip data or of a pipe.
#pragma once

#include <filesystem>
#include <functional>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

/// Called from time to time while a file is read, with the fraction of its bytes read so far (0 to 1).
using ReadProgress = std::function<void(double)>;

/// Called when a file has been read, for each thing that was understood though it is not said as it should be:
/// "A.mtx:1: ...".
using ReadRemark = std::function<void(std::string_view)>;

/// Reads a matrix from a file or a pipe. Gzip data are recognised by content, not by name.
GLSOLVE_API CsrMatrix read_matrix_market(const std::filesystem::path& file, const ReadProgress& progress = {},
                                         const ReadRemark& remark = {});

/// The same from a stream, for example a pipe or std::cin. It is read from its current position to its end. Messages
/// call the stream `name`.
GLSOLVE_API CsrMatrix read_matrix_market(std::istream& stream, std::string_view name = "<stream>",
                                         const ReadProgress& progress = {}, const ReadRemark& remark = {});

/// The same from plain or gzipped text in memory. Messages call it `name`.
GLSOLVE_API CsrMatrix parse_matrix_market(std::string_view text, std::string_view name = "<memory>");

/// Reads a file with one column (array or coordinate) as a vector. Throws InvalidInput for any other shape.
GLSOLVE_API std::vector<double> read_matrix_market_vector(const std::filesystem::path& file);

/// Writes `A` as "coordinate real general". Numbers are as short as possible and read back exactly. The file is gzipped
/// if its name ends in .gz. It is written next to the target and renamed at the end, so an incomplete file never has
/// the target's name. `comment` may have several lines. Throws Error when the file cannot be written.
GLSOLVE_API void write_matrix_market(const std::filesystem::path& file, CsrView A, std::string_view comment = {});

/// The same for a vector, as "array real general". With `columns` above 1 it writes a dense matrix: `values` then holds
/// its columns one after the other. Throws InvalidInput if the values do not fill the columns.
GLSOLVE_API void write_matrix_market(const std::filesystem::path& file, std::span<const double> values,
                                     std::string_view comment = {}, Index columns = 1);

/// The same to a stream, never gzipped. Throws Error when writing to the stream fails.
GLSOLVE_API void write_matrix_market(std::ostream& stream, CsrView A, std::string_view comment = {});
GLSOLVE_API void write_matrix_market(std::ostream& stream, std::span<const double> values,
                                     std::string_view comment = {}, Index columns = 1);

}  // namespace glsolve::inline v0_1
