#include "device/multi_vector_sums.hpp"

#include <algorithm>

#include "passes.hpp"

namespace glsolve::inline v0_1 {

MultiVectorSums::MultiVectorSums(Backend& backend, Index n, bool of_terms)
    : rz(backend, "(r,z)"), rr(backend, "(r,r)"), yy(backend, "(y,y)"), backend_(backend) {
    const auto three = [&](Extent extent, const char* label) {
        const auto storage = [&] { return Storage(backend, extent, Element::real, label); };
        return Three{storage(), storage(), storage()};
    };
    const ReductionShape shape = backend.reduction_shape();
    const Extent field = layout_of(Offset{4} * n).extent();
    // A first stage reads MultiVectors in any case, however short.
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

std::array<StorageId, 3> MultiVectorSums::terms() const {
    const auto& [of_rz, of_rr, of_yy] = *terms_;
    return {of_rz.id(), of_rr.id(), of_yy.id()};
}

namespace {

/// The stage `Pass`: from what the one before has left, which covers `extent`.
template <class Pass>
PassCall stage_call(const std::array<StorageId, 3>& to, const std::array<StorageId, 3>& from, Extent extent) {
    return Pass{.rz = to[0],
                .rr = to[1],
                .yy = to[2],
                .rz_parts = from[0],
                .rr_parts = from[1],
                .yy_parts = from[2],
                .width = extent.width,
                .height = extent.height};
}

}  // namespace

void MultiVectorSums::operator()(const MultiVector& r, const MultiVector& z, const MultiVector& y) {
    const auto first = [&](const Ids& to, Extent extent) -> PassCall {
        return pass::field_sums{.rz = to[0],
                                .rr = to[1],
                                .yy = to[2],
                                .r = r,
                                .z = z,
                                .y = y,
                                .width = extent.width,
                                .height = extent.height};
    };
    add_up(first, r.layout().extent());
}

void MultiVectorSums::operator()(const MultiVector& r, const Vector& m, const MultiVector& y) {
    const auto first = [&](const Ids& to, Extent extent) -> PassCall {
        return pass::field_sums{.rz = to[0],
                                .rr = to[1],
                                .yy = to[2],
                                .r = r,
                                .m = m,
                                .y = y,
                                .width = extent.width,
                                .height = extent.height,
                                .log2_field = r.layout().log2_width,
                                .log2_width = m.layout().log2_width};
    };
    add_up(first, r.layout().extent());
}

void MultiVectorSums::operator()() {
    const Ids from = terms();
    add_up([&](const Ids& to, Extent extent) { return stage_call<pass::field_sums_stage>(to, from, extent); },
           backend_.extent(from[0]));
}

/// Stage by stage to the end; `first` reads what covers `extent`. Of terms that few are left of there is no other
/// stage.
void MultiVectorSums::add_up(const std::function<PassCall(const Ids& to, Extent extent)>& first, Extent extent) {
    Ids from{};
    for (const Three& stage : stages_) {
        const Ids to{stage[0].id(), stage[1].id(), stage[2].id()};
        backend_.encode(from[0] ? stage_call<pass::field_sums_stage>(to, from, extent) : first(to, extent));
        from = to;
        extent = backend_.extent(to[0]);
    }
    if (!from[0]) from = terms();
    backend_.encode(stage_call<pass::field_sums_last>({rz.id(), rr.id(), yy.id()}, from, extent));
}

}  // namespace glsolve::inline v0_1
