#include "device/self_test.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <random>

#include "device/vectors.hpp"
#include "device/verbs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {

std::string execution_fault(Backend& backend) {
    const Session session(backend);
    Vector x(backend, 4, "self-test x");
    x.upload(std::array{1.0f, 2.0f, 3.0f, 4.0f});
    scale(x, scalar_arg(2.0f), x);
    const std::vector<float> twice = x.download_texels();
    if (twice == std::vector{2.0f, 4.0f, 6.0f, 8.0f}) return "";
    return fmt::format("it executes nothing: 2 x (1, 2, 3, 4) came out as ({})", fmt::join(twice, ", "));
}

std::string error_free_fault(Backend& backend) {
    const Extent extent{32, 32};
    const auto count = static_cast<std::size_t>(extent.texels()) * 4;
    std::mt19937 random(7);
    std::array<std::vector<float>, 2> given;
    for (std::vector<float>& numbers : given) {
        for (std::size_t i = 0; i < count; ++i) {
            const float mantissa = 1 + static_cast<float>(random() >> 9) * 0x1p-23f;
            const int exponent = static_cast<int>(random() % 31) - 15;
            numbers.push_back(std::ldexp(random() % 2 != 0 ? mantissa : -mantissa, exponent));
        }
    }
    const Session session(backend);
    std::array<Storage, 2> in;
    std::array<Storage, 4> out;
    for (Storage& s : in) s = Storage(backend, extent, Element::real, "self-test in");
    for (Storage& s : out) s = Storage(backend, extent, Element::real, "self-test out");
    for (std::size_t i = 0; i < in.size(); ++i) backend.upload(in[i].id(), given[i]);
    backend.encode(pass::error_free{.s = out[0], .e = out[1], .p = out[2], .f = out[3], .x = in[0], .y = in[1]});
    std::array<std::vector<float>, 4> result;
    for (std::size_t i = 0; i < out.size(); ++i) {
        result[i].resize(count);
        backend.read(out[i].id(), result[i]);
    }
    std::size_t wrong_sums = 0, wrong_products = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto as_double = [&](std::size_t k) { return static_cast<double>(result[k][i]); };
        const auto x = static_cast<double>(given[0][i]), y = static_cast<double>(given[1][i]);
        // 24 bits and 31 binary places between the numbers: double precision holds the sum but for its last bits.
        wrong_sums += std::abs(as_double(0) + as_double(1) - (x + y)) > 0x1p-50 * std::abs(x + y) ? 1 : 0;
        const double longer = x * y + x + y, size = std::abs(x * y) + std::abs(x) + std::abs(y);
        wrong_products += std::abs(as_double(2) + as_double(3) - longer) > 0x1p-46 * size ? 1 : 0;
    }
    if (wrong_sums > 0) {
        return fmt::format("the driver reorders sums: {} of {} rounding errors are wrong", wrong_sums, count);
    }
    if (wrong_products > 0) {
        return fmt::format("the driver reorders products and sums: {} of {} rounding errors are wrong", wrong_products,
                           count);
    }
    return "";
}

}  // namespace glsolve::inline v0_1
