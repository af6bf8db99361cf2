#include "formats/rest_pass.hpp"

#include <algorithm>
#include <string>

#include "formats/rectangle.hpp"
#include "formats/team.hpp"

namespace glsolve::inline v0_1 {

Storage structure_of(Backend& backend, const Layout& layout, std::span<const std::int32_t> numbers) {
    Storage made(backend, layout.extent(), Element::integer, "matrix structure");
    backend.upload(made.id(), numbers);
    return made;
}

RestPass::RestPass(Backend& backend, const FormatInput& in, std::span<const EntryRange> ranges, bool differences)
    : backend_(backend),
      layout_(layout_of(std::ssize(ranges))),
      ranges_(static_cast<Index>(ranges.size())),
      differences_(differences ? 1 : 0) {
    const EntryTexels entries = lay_out_entries(in, ranges, 0);
    values_ = StoredValues(backend, in, entries.value_layout.extent(), entries.values);
    columns_ = structure_of(backend, entries.column_layout, entries.columns);
    offsets_ = structure_of(backend, entries.offset_layout, entries.offsets);
    std::vector<std::int32_t> owners = zeros<std::int32_t>(layout_);
    Offset longest = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        owners[i] = std::min(ranges[i].row, in.A.columns - 1);
        longest = std::max(longest, ranges[i].end - ranges[i].begin);
    }
    owners_ = structure_of(backend, layout_, owners);
    widths_ = {entries.value_layout.log2_width, entries.column_layout.log2_width, entries.offset_layout.log2_width,
               layout_.log2_width};
    team_ = team_for(backend, in,
                     {.slots = static_cast<double>(longest), .texels = layout_.extent().texels(), .uneven = true});
    const std::string columns = entries.short_columns ? "COLUMNS_16\n" : "";
    plain_ = backend.variant(columns);
    two_float_ = backend.variant(columns + (values_.has_low() ? "A_LOW\n" : ""));
}

StorageId RestPass::part(std::size_t k) {
    if (!parts_[k].id()) parts_[k] = Storage(backend_, layout_.extent(), Element::real, "sums of pieces");
    return parts_[k].id();
}

/// What all of them are told.
pass::csr_rest RestPass::call(StorageId sums, StorageId x, int log2_x) {
    return {.rest = sums,
            .x = x,
            .a = values_.id(),
            .columns = columns_,
            .offsets = offsets_,
            .owners = owners_,
            .log2_width = log2_x,
            .log2_values = widths_[0],
            .log2_columns = widths_[1],
            .log2_offsets = widths_[2],
            .log2_owners = widths_[3],
            .log2_rest = layout_.log2_width,
            .first = 0,
            .length = ranges_,
            .differences = differences_,
            .variant = plain_};
}

void RestPass::encode(const pass::csr_rest& call) {
    PassCall with_team = call;
    with_team.team = team_;
    backend_.encode(with_team);
}

RestPass::Numbers RestPass::multiply(const Numbers& x) {
    encode(call(part(0), x.sums, x.log2_width));
    return {part(0), part(0), part(0), layout_.log2_width};
}

RestPass::Numbers RestPass::multiply_field(const Numbers& x) {
    if (!fields_) fields_.emplace(backend_, ranges_, "sums of pieces");
    pass::csr_rest of_fields = call(fields_->id(), x.sums, 0);
    of_fields.log2_rest = fields_->layout().log2_width;
    of_fields.log2_field = x.log2_width;
    encode(of_fields);
    return {fields_->id(), fields_->id(), fields_->id(), fields_->layout().log2_width};
}

RestPass::Numbers RestPass::multiply_two_float(const Numbers& x) {
    pass::csr_rest in_two_floats = call(part(0), x.sums, x.log2_width);
    in_two_floats.rest_low = part(1);
    in_two_floats.a_low = values_.low();
    in_two_floats.variant = two_float_;
    encode(in_two_floats);
    return {part(0), part(1), part(0), layout_.log2_width};
}

RestPass::Numbers RestPass::multiply_with_sizes(const Numbers& x) {
    pass::csr_rest in_two_floats = call(part(0), x.sums, x.log2_width);
    in_two_floats.rest_low = part(1);
    in_two_floats.rest_size = part(2);
    in_two_floats.x_low = x.low;
    in_two_floats.a_low = values_.low();
    in_two_floats.variant = two_float_;
    encode(in_two_floats);
    return {part(0), part(1), part(2), layout_.log2_width};
}

RestPass::Numbers RestPass::add_sizes(const Numbers& x) {
    const Numbers made = multiply_with_sizes(x);
    encode(call(part(2), x.sizes, x.log2_width));
    return made;
}

std::int64_t RestPass::bytes() const {
    std::int64_t bytes = values_.bytes();
    for (const Storage* storage : {&columns_, &offsets_, &owners_}) bytes += backend_.bytes(storage->id());
    return bytes;
}

}  // namespace glsolve::inline v0_1
