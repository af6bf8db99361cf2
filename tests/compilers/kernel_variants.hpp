/// Which programs the library makes of each kernel, for tests that compile them all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/pass_table.hpp"

namespace glsolve::test {

/// The definitions under which a pass is used, one a line. What the backend adds by itself, as the tiles of
/// reductions, is not among them.
std::vector<std::string> kernel_variants(const PassRow& row);

/// Is the pass the first stage of a reduction that may go on to its end in the same dispatch (PassCall::at_once)?
bool goes_on_to_the_end(const PassRow& row);

/// The GLSL types of the caller's texture that the pass reads, beside "sampler2D"; none if it reads no such texture.
std::vector<std::string_view> other_samplers(const PassRow& row);

}  // namespace glsolve::test
