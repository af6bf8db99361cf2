/// What the tests of Matrix Market texts and of Matrix Market files share.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <glsolve/csr.hpp>
#include <glsolve/error.hpp>
#include <glsolve/matrix_market.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace matrix_market_test {

using glsolve::CsrMatrix;
using glsolve::CsrView;
using glsolve::Index;
using glsolve::InvalidInput;
using glsolve::Offset;

inline const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";
inline const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
inline const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
inline const std::string array = "%%MatrixMarket matrix array real general\n";

inline std::string gzip(const std::string& text) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// The matrix row by row, for small ones.
inline std::vector<double> dense(CsrView A) {
    std::vector<double> result(static_cast<std::size_t>(A.rows) * static_cast<std::size_t>(A.columns), 0.0);
    for (Index row = 0; row < A.rows; ++row) {
        for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) result[row * A.columns + A.column[k]] = A.value[k];
    }
    return result;
}

inline std::vector<double> parsed(const std::string& text) {
    const CsrMatrix A = glsolve::parse_matrix_market(text);
    glsolve::check(A);
    return dense(A);
}

/// What `read` says of its input.
template <typename Read>
std::string complaint(const Read& read) {
    try {
        read();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "nothing was thrown";
}

/// Checks that `text` is refused on that line, for a reason and with advice.
inline void check_refused(const std::string& text, int line, const std::string& reason) {
    const std::string message = complaint([&] { glsolve::parse_matrix_market(text, "m.mtx"); });
    INFO(text.substr(0, 200) << "\n -> " << message);
    CHECK(message.rfind("m.mtx:" + std::to_string(line) + ": ", 0) == 0);
    CHECK(message.find(reason) != std::string::npos);
    CHECK(message.find("; ") != std::string::npos);
}

}  // namespace matrix_market_test
