#include "matrix/structure_key.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <span>

namespace glsolve::inline v0_1 {
namespace {

template <class Number>
std::uint64_t hash_of(std::span<const Number> numbers) {  // FNV-1a, by whole numbers
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const Number n : numbers) hash = (hash ^ static_cast<std::uint64_t>(n)) * 0x100000001b3u;
    return hash;
}

}  // namespace

std::string structure_key(CsrView A) {
    return fmt::format("matrix {} rows, {} nonzeros, {:016x} {:016x}", A.rows, A.nonzeros(), hash_of(A.offsets),
                       hash_of(A.column));
}

}  // namespace glsolve::inline v0_1
