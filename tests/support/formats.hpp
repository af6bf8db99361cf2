/// Formats, as tests of passes make them.
#pragma once

#include <memory>

#include "formats/dense.hpp"
#include "formats/dia.hpp"
#include "formats/ell.hpp"
#include "formats/sliced.hpp"

namespace glsolve::test {

using Make = std::unique_ptr<AssembledMatrix> (*)(Backend&, const FormatInput&);

/// Slices of so many rows; `runs`: whose columns follow one another where they can.
template <int height, bool runs>
std::unique_ptr<AssembledMatrix> make_slices(Backend& backend, const FormatInput& in) {
    return make_sliced(backend, in, sliced_shape(height, runs));
}

}  // namespace glsolve::test
