/// Matrix Market files (https://math.nist.gov/MatrixMarket/formats.html), plain or gzipped.
///
/// Read: matrix and vector (a column, whose lines hold no column numbers); coordinate and array; real, double, integer,
/// unsigned-integer and pattern (every value 1); general, symmetric, skew-symmetric and hermitian (of real numbers the
/// same as symmetric). Indices count from 1; comments and blank lines may stand anywhere after the header; lines end in
/// LF, CR LF or CR; a byte order mark of UTF-8 may come first; entries given twice are added; numbers may be written
/// +1.0 or 1.0D+03.
/// Refused with InvalidInput, naming file, line and reason: a wrong header, UTF-16, complex files, the second header
/// %%AMGX where it says that there is more than a matrix, counts that do not match, indices out of range, an entry
/// above the diagonal of a symmetric file together with its twin below, a diagonal entry other than 0 in a
/// skew-symmetric file, text that is not a number, NaN, infinity, overflow, a truncated file, sizes that do not fit 32
/// bits, more entries than the file's own bytes can hold, more rows and columns together than 16,777,216 and 16 for
/// each entry. Sizes are checked before memory is taken. Memory: reading a text of n bytes that has r rows takes at
/// most 40 n + 8 r bytes at any time, with 64 for each byte of gzip data or of a pipe, and 2 MiB.
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

/// Called now and then while a file is read, with the share of its bytes that is done (0 to 1).
using ReadProgress = std::function<void(double)>;

/// Reads a matrix, from a file or a pipe; gzip data are recognised by content, not by name.
GLSOLVE_API CsrMatrix read_matrix_market(const std::filesystem::path& file, const ReadProgress& progress = {});

/// The same from a stream, read from where it stands to its end: a pipe, or std::cin. `name` stands for it in messages.
GLSOLVE_API CsrMatrix read_matrix_market(std::istream& stream, std::string_view name = "<stream>",
                                         const ReadProgress& progress = {});

/// The same from text in memory (plain, or gzip data); `name` stands for the file in messages.
GLSOLVE_API CsrMatrix parse_matrix_market(std::string_view text, std::string_view name = "<memory>");

/// Reads a file with one column (array or coordinate) as a vector. Throws InvalidInput for any other shape.
GLSOLVE_API std::vector<double> read_matrix_market_vector(const std::filesystem::path& file);

/// Writes `A` as "coordinate real general" with the shortest numbers that read back exactly; gzipped when the name ends
/// in .gz. The file is whole or absent: it is written beside the target and renamed at the end. `comment` lines may
/// contain newlines. Throws Error when the file cannot be written.
GLSOLVE_API void write_matrix_market(const std::filesystem::path& file, const CsrMatrix& A,
                                     std::string_view comment = {});

/// The same for a vector, as "array real general"; for a dense matrix, when `values` are those of several columns, one
/// column after the other. Throws InvalidInput when they do not fill the columns.
GLSOLVE_API void write_matrix_market(const std::filesystem::path& file, std::span<const double> values,
                                     std::string_view comment = {}, Index columns = 1);

/// The same to a stream, never gzipped. Throws Error when it takes no more.
GLSOLVE_API void write_matrix_market(std::ostream& stream, const CsrMatrix& A, std::string_view comment = {});
GLSOLVE_API void write_matrix_market(std::ostream& stream, std::span<const double> values,
                                     std::string_view comment = {}, Index columns = 1);

}  // namespace glsolve::inline v0_1
