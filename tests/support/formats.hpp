/// Formats, as tests of passes make them.
#pragma once

#include <memory>

#include "formats/sliced.hpp"

namespace glsolve::test {

using Make = std::unique_ptr<AssembledMatrix> (*)(Backend&, const FormatInput&);

inline std::unique_ptr<AssembledMatrix> make_dia(Backend& backend, const FormatInput& in) {
    return dia_format.make(backend, in);
}
inline std::unique_ptr<AssembledMatrix> make_ell(Backend& backend, const FormatInput& in) {
    return ell_format.make(backend, in);
}
inline std::unique_ptr<AssembledMatrix> make_csr(Backend& backend, const FormatInput& in) {
    return csr_format.make(backend, in);
}
/// A format of the table.
template <const FormatRow& row>
std::unique_ptr<AssembledMatrix> make_of(Backend& backend, const FormatInput& in) {
    return row.make(backend, in);
}
/// With ELL as wide as the paper has it.
template <const FormatRow& row>
std::unique_ptr<AssembledMatrix> make_as_paper(Backend& backend, const FormatInput& given) {
    FormatInput in = given;
    in.ell_width = EllWidth::paper;
    return row.make(backend, in);
}

inline std::unique_ptr<AssembledMatrix> make_dense(Backend& backend, const FormatInput& in) {
    return dense_format.make(backend, in);
}

/// With so many invocations for four rows.
template <Make make, int team>
std::unique_ptr<AssembledMatrix> in_teams(Backend& backend, const FormatInput& given) {
    FormatInput in = given;
    in.team = team;
    return make(backend, in);
}

/// In blocks of so many rows and columns.
template <int rows, int columns = rows>
std::unique_ptr<AssembledMatrix> in_blocks(Backend& backend, const FormatInput& given) {
    FormatInput in = given;
    in.block = {rows, columns};
    return bcsr_format.make(backend, in);
}

/// With columns of 16 bits.
template <Make make>
std::unique_ptr<AssembledMatrix> with_short_columns(Backend& backend, const FormatInput& given) {
    FormatInput in = given;
    in.short_columns = true;
    return make(backend, in);
}

/// Slices of so many rows; `runs`: whose columns follow one another where they can.
template <int height, bool runs>
std::unique_ptr<AssembledMatrix> make_slices(Backend& backend, const FormatInput& in) {
    return make_sliced(backend, in, sliced_shape(height, runs));
}

}  // namespace glsolve::test
