#include "formats/dia_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <set>

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t unrolled_diagonals = 16;

bool is_power_of_two(double v) {
    int exponent = 0;
    return std::abs(std::frexp(v, &exponent)) == 0.5;
}

}  // namespace

DiaPlan plan_dia(const FormatInput& in, std::vector<Index> offsets) {
    DiaPlan plan;
    plan.offsets = offsets;
    std::erase(offsets, 0);  // the main diagonal goes its own way
    plan.beside = describe_diagonals(in, offsets);
    if (plan.unrolled()) plan.main = describe_main_diagonal(in, plan.beside, MayBeConstant::yes);
    if (!plan.unrolled() || !plan.main.accurate) {
        for (MatrixDiagonal& d : plan.beside) d.constant.reset();
        plan.main = describe_main_diagonal(in, plan.beside, MayBeConstant::no);
    }
    for (const MatrixDiagonal& d : plan.beside) plan.tile.push_back(d.constant ? no_tile : plan.tiles++);
    if (!plan.main.constant) ++plan.tiles;
    return plan;
}

bool DiaPlan::unrolled() const { return !beside.empty() && beside.size() <= unrolled_diagonals; }

double DiaPlan::fetches() const {
    double reads = 1;             // x at the place
    std::set<Index> distinct{0};  // texels of x, as distances to it: a compiler that unrolls reads each once
    for (const MatrixDiagonal& d : beside) {
        distinct.insert({d.offset >> 2, (d.offset + 3) >> 2});
        reads += d.offset % 4 == 0 ? 2 : 3;  // offset, one texel of x or two
    }
    return unrolled() ? static_cast<double>(distinct.size()) : reads;
}

std::string DiaPlan::definitions(int log2_width) const {
    if (!unrolled()) return "";
    std::vector<Index> distances;
    std::vector<int> members, powers;  // of groups of neighbours of one number: shaders/pass/dia.glsl
    std::vector<std::string> gaps;
    int group = 0;
    for (std::size_t k = 0; k < beside.size(); ++k) {
        const MatrixDiagonal& d = beside[k];
        const MatrixDiagonal* next = k + 1 < beside.size() ? &beside[k + 1] : nullptr;
        const bool goes_on = next && d.constant && next->constant && d.constant->value == next->constant->value;
        ++group;
        members.push_back(goes_on ? 0 : group);
        if (!goes_on) group = 0;
        powers.push_back(d.constant && is_power_of_two(d.constant->value) ? 1 : 0);
        const Gap gap = d.constant ? d.constant->gap : Gap{};
        distances.push_back(d.offset);
        gaps.push_back(fmt::format("ivec3({},{},{})", gap.period, gap.begin, gap.length));
    }
    return fmt::format("COUNT {}\nOFFSETS {}\nTILES {}\nMEMBERS {}\nPOWERS {}\nGAPS {}\nLOG2_WIDTH {}\nMAIN {}\n",
                       beside.size(), fmt::join(distances, ","), fmt::join(tile, ","), fmt::join(members, ","),
                       fmt::join(powers, ","), fmt::join(gaps, ","), log2_width,
                       !main.constant        ? 2
                       : *main.constant != 0 ? 1
                                             : 0);
}

std::vector<float> DiaPlan::table() const {
    std::vector<float> numbers;
    const auto put = [&](double value) {
        numbers.push_back(static_cast<float>(value));
        numbers.push_back(static_cast<float>(value - static_cast<double>(numbers.back())));
    };
    if (!unrolled()) return numbers;
    for (const MatrixDiagonal& d : beside) put(d.constant ? d.constant->value : 0.0);
    put(main.constant.value_or(0.0));
    return numbers;
}

std::vector<std::int32_t> DiaPlan::structure() const {
    std::vector<std::int32_t> texels(4 * std::max<std::size_t>(beside.size(), 1), 0);
    for (std::size_t k = 0; k < beside.size(); ++k) texels[4 * k] = beside[k].offset;
    return texels;
}

}  // namespace glsolve::inline v0_1
