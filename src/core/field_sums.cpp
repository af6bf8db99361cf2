#include "core/field_sums.hpp"

namespace glsolve::inline v0_1 {

FieldSums::FieldSums(Backend& backend, Index n)
    : rz(backend, "(r,z)"), rr(backend, "(r,r)"), yy(backend, "(y,y)"), backend_(backend) {
    // The first stage reads the Fields in any case, however short.
    const ReductionShape shape = backend.reduction_shape();
    const Extent first = reduced(layout_of(Offset{4} * n).extent(), shape.tile);
    std::vector<Extent> plan = reduction_plan(first, shape);
    plan.insert(plan.begin(), first);
    plan.pop_back();  // the last stage writes the scalars
    for (const Extent extent : plan) {
        const auto stage = [&] { return Storage(backend, extent, Element::real, "stage of a reduction"); };
        stages_.push_back({stage(), stage(), stage()});
    }
}

void FieldSums::operator()(const Field& r, const Field& z, const Field& y) {
    PassCall call{.pass = PassId::field_sums, .input = {r.id(), z.id(), y.id()}};
    Extent from = r.layout().extent();
    const auto encode = [&] {
        call.integer = {from.width, from.height};
        backend_.encode(call);
    };
    for (const std::array<Storage, 3>& stage : stages_) {
        call.output = {stage[0].id(), stage[1].id(), stage[2].id()};
        encode();
        from = backend_.extent(stage[0].id());
        call.input = {stage[0].id(), stage[1].id(), stage[2].id()};
        call.pass = PassId::field_sums_stage;
    }
    call.pass = PassId::field_sums_last;
    call.output = {rz.id(), rr.id(), yy.id()};
    encode();
}

}  // namespace glsolve::inline v0_1
