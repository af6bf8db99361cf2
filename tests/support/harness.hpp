/// Runs one pass on the device under test, with outputs full of garbage, and judges it by its formula in double
/// precision (support/oracle).
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "device/backend.hpp"

namespace glsolve::test {

/// Four numbers for each texel.
using Texels = std::vector<float>;

/// Lengths that straddle every edge of the layout: texels, rows of the rectangle, stages of a sum.
std::vector<Offset> edge_lengths();

/// Uniform in [-1.5, -0.5] or [0.5, 1.5]: neither zeros nor numbers that single precision holds exactly.
std::vector<float> random_numbers(std::size_t count, std::uint32_t seed);

/// Random numbers in the layout of a vector; zeros behind them.
Texels random_vector(Offset length, std::uint32_t seed);

/// The sum of the components of all texels, in double precision, and the sum of their sizes.
struct DoubleSum {
    double sum = 0, size = 0;
};
DoubleSum double_sum(const Texels& texels);

/// For numbers that may be small, such as drifts: differences are relative to them.
inline constexpr double tiny = 1e-12;

class Harness {
  public:
    /// A pass whose outputs cover `domain`.
    Harness(PassId pass, Extent domain);

    Harness& input(std::string_view name, Extent extent, Texels texels);
    Harness& input(std::string_view name, Texels texels) { return input(name, domain_, std::move(texels)); }
    Harness& input(std::string_view name, Extent extent, std::vector<std::int32_t> texels);
    /// The output of this name is written over the input of that name.
    Harness& in_place(std::string_view output, std::string_view input);
    Harness& scalar(std::string_view name, float factor, float numerator = 1, float denominator = 1);
    Harness& integer(std::string_view name, std::int32_t value);
    Harness& constant(std::string_view name, float value);
    Harness& stopped(bool value);

    void run();

    /// What the device has made. The output `sum` is the list of partial sums.
    const Texels& output(const std::string& name) const { return made_.at(name); }
    /// What the formula says; of `sum` the terms.
    const std::vector<double>& expected(const std::string& name) const;

    /// Largest difference to what is expected, in times of the larger of `least` and that; infinite where one is NaN or
    /// infinite and the other, in single precision, is not the same. Partial sums are compared by their totals,
    /// component by component.
    double difference(const std::string& name, double least = 1) const;

  private:
    struct RealInput {
        Extent extent;
        Texels texels;
    };
    struct IntegerInput {
        Extent extent;
        std::vector<std::int32_t> texels;
    };

    std::size_t index_of_input(std::string_view name) const;
    std::map<std::string, Texels> run_on(Backend& backend) const;
    std::map<std::string, std::vector<double>> by_formula() const;

    const PassRow& row_;
    Extent domain_;
    std::map<std::string, RealInput> real_;
    std::map<std::string, IntegerInput> integers_in_;
    std::map<std::string, std::string> in_place_;
    std::map<std::string, std::array<float, 3>> scalars_;
    PassCall call_;
    int stopped_ = -1;  // no status
    std::map<std::string, Texels> made_;
    std::map<std::string, std::vector<double>> expected_;  // empty: the pass has no formula
};

}  // namespace glsolve::test
