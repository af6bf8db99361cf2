#include "core/field_sums.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {

FieldSums::FieldSums(Backend& backend, Index n, bool of_terms)
    : rz(backend, "(r,z)"), rr(backend, "(r,r)"), yy(backend, "(y,y)"), backend_(backend) {
    const auto three = [&](Extent extent, const char* label) {
        const auto storage = [&] { return Storage(backend, extent, Element::real, label); };
        return Three{storage(), storage(), storage()};
    };
    const ReductionShape shape = backend.reduction_shape();
    const Extent field = layout_of(Offset{4} * n).extent();
    // A first stage reads Fields in any case, however short.
    const Extent first = of_terms ? backend.partial_extent(field) : reduced(field, shape.tile);
    std::vector<Extent> plan = reduction_plan(first, shape);
    if (of_terms) {
        terms_ = three(first, "terms of sums");
    } else {
        plan.insert(plan.begin(), first);
    }
    plan.pop_back();  // the last stage writes the scalars
    for (const Extent extent : plan) stages_.push_back(three(extent, "stage of a reduction"));
}

std::array<StorageId, 3> FieldSums::terms() const {
    const auto& [of_rz, of_rr, of_yy] = *terms_;
    return {of_rz.id(), of_rr.id(), of_yy.id()};
}

void FieldSums::operator()(const Field& r, const Field& z, const Field& y) {
    add_up({.pass = PassId::field_sums, .input = {r.id(), z.id(), y.id()}}, r.layout().extent());
}

void FieldSums::operator()(const Field& r, const Vector& m, const Field& y) {
    add_up({.pass = PassId::field_sums_scaled,
            .input = {r.id(), m.id(), y.id()},
            .integer = {0, 0, r.layout().log2_width, m.layout().log2_width}},
           r.layout().extent());
}

void FieldSums::operator()() {
    PassCall call{.pass = PassId::field_sums_stage};
    const std::array<StorageId, 3> from = terms();
    std::copy(from.begin(), from.end(), call.input.begin());
    add_up(call, backend_.extent(from[0]));
}

/// From what a call reads, which covers `from`, stage by stage to the end.
void FieldSums::add_up(PassCall call, Extent from) {
    const auto encode = [&] {
        call.integer[0] = from.width;
        call.integer[1] = from.height;
        backend_.encode(call);
    };
    for (const Three& stage : stages_) {
        call.output = {stage[0].id(), stage[1].id(), stage[2].id()};
        encode();
        from = backend_.extent(stage[0].id());
        call = {.pass = PassId::field_sums_stage, .input = {stage[0].id(), stage[1].id(), stage[2].id()}};
    }
    call.pass = PassId::field_sums_last;
    call.output = {rz.id(), rr.id(), yy.id()};
    encode();
}

}  // namespace glsolve::inline v0_1
