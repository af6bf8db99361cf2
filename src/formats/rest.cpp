#include "formats/rest.hpp"

#include "formats/rectangle.hpp"
#include "formats/team.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

Storage integers(Backend& backend, const Layout& layout, std::span<const std::int32_t> numbers) {
    Storage made(backend, layout.extent(), Element::integer, "matrix structure");
    backend.upload(made.id(), numbers);
    return made;
}

}  // namespace

Rest::Rest(Backend& backend, const FormatInput& in, std::span<const EntryRange> ranges, bool differences)
    : backend_(backend),
      layout_(layout_of(std::ssize(ranges))),
      ranges_(static_cast<Index>(ranges.size())),
      differences_(differences ? 1 : 0) {
    const EntryTexels entries = lay_out_entries(in, ranges, 0);
    values_ = StoredValues(backend, in, entries.value_layout.extent(), entries.values);
    columns_ = integers(backend, entries.column_layout, entries.columns);
    offsets_ = integers(backend, entries.offset_layout, entries.offsets);

    std::vector<std::int32_t> owners = zeros<std::int32_t>(layout_);
    rests_layout_ = rectangle(layout_of(in.A.rows).extent().texels() + 1, in.max_texture_size, "rests");
    std::vector<std::int32_t> rests = zeros<std::int32_t>(rests_layout_);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        owners[i] = ranges[i].row;
        ++rests[static_cast<std::size_t>(ranges[i].row) + 1];
    }
    for (std::size_t i = 1; i < rests.size(); ++i) rests[i] += rests[i - 1];
    owners_ = integers(backend, layout_, owners);
    rests_ = integers(backend, rests_layout_, rests);

    widths_ = {entries.value_layout.log2_width, entries.column_layout.log2_width, entries.offset_layout.log2_width,
               layout_.log2_width};
    team_ = team_for(backend, in, static_cast<double>(entries.entries) / std::max<double>(ranges_, 1));
    two_float_ = backend.variant(values_.has_low() ? "A_LOW\n" : "");
}

StorageId Rest::part(std::size_t k) {
    if (!parts_[k].id()) parts_[k] = Storage(backend_, layout_.extent(), Element::real, "sums of pieces");
    return parts_[k].id();
}

/// What all of its passes are told.
pass::csr_rest Rest::call(StorageId rest, StorageId x, int log2_x) {
    return {.rest = rest,
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
            .differences = differences_};
}

void Rest::encode(const pass::csr_rest& call) {
    PassCall with_team = call;
    with_team.team = team_;
    backend_.encode(with_team);
}

Rest::Operands Rest::multiply(const Vector& x) {
    encode(call(part(0), x.id(), x.layout().log2_width));
    return operands(part(0), part(0));
}

Rest::Operands Rest::multiply_two_float(const Vector& x) {
    pass::csr_rest in_two_floats = call(part(0), x.id(), x.layout().log2_width);
    in_two_floats.rest_low = part(1);
    in_two_floats.a_low = values_.low();
    in_two_floats.variant = two_float_;
    encode(in_two_floats);
    return operands(part(1), part(0));
}

Rest::Operands Rest::multiply_two_float(const TwoFloatVector& x) {
    pass::csr_rest in_two_floats = call(part(0), x.hi.id(), x.hi.layout().log2_width);
    in_two_floats.rest_low = part(1);
    in_two_floats.rest_size = part(2);
    in_two_floats.x_low = x.lo;
    in_two_floats.a_low = values_.low();
    in_two_floats.variant = two_float_;
    encode(in_two_floats);
    return operands(part(1), part(2));
}

Rest::Operands Rest::multiply(const MultiVector& x) {
    if (!fields_) fields_.emplace(backend_, ranges_, "sums of pieces");
    pass::csr_rest of_fields = call(fields_->id(), x.id(), 0);
    of_fields.log2_rest = fields_->layout().log2_width;
    of_fields.log2_field = x.layout().log2_width;
    encode(of_fields);
    return {{rests_.id(), fields_->id(), fields_->id(), fields_->id()},
            {rests_layout_.log2_width, fields_->layout().log2_width}};
}

/// Low parts and sizes are read in two floats alone.
Rest::Operands Rest::operands(StorageId low, StorageId size) const {
    return {{rests_.id(), parts_[0].id(), low, size}, {rests_layout_.log2_width, layout_.log2_width}};
}

std::int64_t Rest::bytes() const {
    std::int64_t bytes = values_.bytes();
    for (const Storage* storage : {&columns_, &offsets_, &owners_, &rests_}) bytes += backend_.bytes(storage->id());
    return bytes;
}

}  // namespace glsolve::inline v0_1
