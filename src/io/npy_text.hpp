/// Arrays as numpy.save writes them (NumPy Enhancement Proposal 1): a header, which is a text, and the numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

/// An array whose numbers stand in `bytes`, which has to live as long.
struct NpyArray {
    enum class Kind : char { real = 'f', whole = 'i', natural = 'u', truth = 'b', text = 'S' };

    Kind kind = Kind::real;
    std::size_t item_bytes = 8;
    bool in_fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::span<const char> bytes;

    std::uint64_t count() const;  ///< of all numbers
};

/// Calls fail(problem), which throws, for what is no such array, or one of numbers that are not read.
NpyArray parse_npy(std::span<const char> file, const std::function<void(const std::string&)>& fail);

/// All numbers in their order, by all cores; whole numbers that do not fit become the nearest
/// that do. Real numbers do not become whole ones: ask `kind` before.
template <class Number>
std::vector<Number> numbers_of(const NpyArray& array);

/// "<f8" and shape in front of numbers.
std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape, bool in_fortran_order = false);

}  // namespace glsolve::inline v0_1
