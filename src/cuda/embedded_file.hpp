#pragma once

#include <string_view>

namespace glsolve::inline v0_1::cuda {

/// The text of src/`file`, embedded when the library was built: what programs include. Empty when there is none.
std::string_view embedded_file(std::string_view file);

}  // namespace glsolve::inline v0_1::cuda
