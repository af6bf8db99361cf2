#include "formats/rest.hpp"

#include <algorithm>

#include "formats/rectangle.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int32_t most_rests = 256;     // of a row: so many are added up where the product ends
constexpr std::int32_t rests_together = 32;  // neighbours that a further pass adds up

/// Matrix with a one for each number of a row: a row's numbers, at most `rests_together` of them, become one.
struct Groups {
    CsrMatrix ones;
    std::vector<std::int32_t> of_row;  ///< how many groups each row has
};

Groups group(const std::vector<std::int32_t>& of_row) {
    Groups made;
    made.ones.offsets = {0};
    for (const std::int32_t count : of_row) {
        for (std::int32_t begin = 0; begin < count; begin += rests_together) {
            const std::int32_t end = std::min(begin + rests_together, count);
            for (std::int32_t k = begin; k < end; ++k) made.ones.column.push_back(made.ones.columns++);
            made.ones.offsets.push_back(static_cast<Offset>(made.ones.column.size()));
            ++made.ones.rows;
        }
        made.of_row.push_back((count + rests_together - 1) / rests_together);
    }
    made.ones.value.assign(made.ones.column.size(), 1.0);
    return made;
}

RestPass sums_of_neighbours(Backend& backend, const FormatInput& in, CsrView ones) {
    const std::vector<double> scale(static_cast<std::size_t>(std::max(ones.rows, ones.columns + 1)), 1.0);
    FormatInput of_ones{ones, scale, in.slicing, in.max_texture_size};
    of_ones.team = in.team;
    std::vector<EntryRange> ranges;
    const Index no_diagonal = ones.columns;  // behind all columns: each entry counts
    for (std::size_t i = 0; i + 1 < ones.offsets.size(); ++i)
        ranges.push_back({no_diagonal, ones.offsets[i], ones.offsets[i + 1]});
    return {backend, of_ones, ranges, false};
}

}  // namespace

Rest::Rest(Backend& backend, const FormatInput& in, std::span<const EntryRange> ranges, bool differences)
    : backend_(backend), first_(backend, in, ranges, differences) {
    std::vector<std::int32_t> of_row(static_cast<std::size_t>(in.A.rows), 0);
    for (const EntryRange& range : ranges) ++of_row[static_cast<std::size_t>(range.row)];
    while (!of_row.empty() && *std::ranges::max_element(of_row) > most_rests) {
        Groups groups = group(of_row);
        further_.push_back(sums_of_neighbours(backend, in, groups.ones));
        of_row = std::move(groups.of_row);
    }
    rests_layout_ = rectangle(layout_of(in.A.rows).extent().texels() + 1, in.max_texture_size, "rests");
    std::vector<std::int32_t> rests = zeros<std::int32_t>(rests_layout_);
    std::ranges::copy(of_row, rests.begin() + 1);
    for (std::size_t i = 1; i < rests.size(); ++i) rests[i] += rests[i - 1];
    rests_ = structure_of(backend, rests_layout_, rests);
}

Rest::Operands Rest::operands(const RestPass::Numbers& n) const {
    return {{rests_.id(), n.sums, n.low, n.sizes}, {rests_layout_.log2_width, n.log2_width}};
}

Rest::Operands Rest::multiply(const Vector& x) {
    RestPass::Numbers sums = first_.multiply({x.id(), x.id(), x.id(), x.layout().log2_width});
    for (RestPass& pass : further_) sums = pass.multiply(sums);
    return operands(sums);
}

Rest::Operands Rest::multiply(const MultiVector& x) {
    RestPass::Numbers sums = first_.multiply_field({x.id(), x.id(), x.id(), x.layout().log2_width});
    for (RestPass& pass : further_) sums = pass.multiply_field(sums);
    return operands(sums);
}

Rest::Operands Rest::multiply_two_float(const Vector& x) {
    RestPass::Numbers sums = first_.multiply_two_float({x.id(), x.id(), x.id(), x.layout().log2_width});
    for (RestPass& pass : further_) sums = pass.multiply_with_sizes(sums);
    return operands(sums);
}

Rest::Operands Rest::multiply_two_float(const TwoFloatVector& x) {
    RestPass::Numbers sums = first_.multiply_with_sizes({x.hi.id(), x.lo.id(), x.hi.id(), x.hi.layout().log2_width});
    for (RestPass& pass : further_) sums = pass.add_sizes(sums);
    return operands(sums);
}

std::int64_t Rest::bytes() const {
    std::int64_t bytes = first_.bytes() + backend_.bytes(rests_.id());
    for (const RestPass& pass : further_) bytes += pass.bytes();
    return bytes;
}

}  // namespace glsolve::inline v0_1
