// Windows' headers are not at hand: each name of their macros becomes one that no use of it survives.
#include "standard_headers.hpp"  // made by CMake: what the public headers include, which Windows' macros do not spoil
#include "windows_macros.hpp"    // made by CMake of windows_macros.txt

#if !defined(near) || !defined(interface) || !defined(ERROR)
#error "these are not Windows' macros"
#endif

#include "headers/facts.hpp"

namespace headers_test {

Facts after_windows() { return facts(); }

}  // namespace headers_test
