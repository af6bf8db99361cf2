#include "core/reductions.hpp"

#include <cmath>

namespace glsolve::inline v0_1 {

Reductions::Reductions(Backend& backend, Offset length)
    : backend_(backend), layout_(layout_of(length)), a_(backend, "reduced"), b_(backend, "reduced, second") {
    if (backend.reduces_at_once(layout_.extent())) return;  // nothing is left in between
    // The first stage reads the vector in any case, however short.
    const ReductionShape shape = backend.reduction_shape();
    std::vector<Extent> plan = reduction_plan(layout_.extent(), shape);
    if (plan.size() == 1) plan.insert(plan.begin(), reduced(layout_.extent(), shape.tile));
    plan.pop_back();  // the last stage writes the caller's texel
    for (const Extent extent : plan) {
        for (std::vector<Storage>& stages : stages_) {
            stages.emplace_back(backend, extent, Element::real, "stage of a reduction");
        }
    }
}

void Reductions::run(const Passes& passes, PassCall call, std::initializer_list<StorageId> results) {
    const auto encode = [&](PassId pass, Extent from) {
        call.pass = pass;
        call.integer[0] = from.width;
        call.integer[1] = from.height;
        backend_.encode(call);
    };
    if (stages_[0].empty()) {  // all at once
        std::copy(results.begin(), results.end(), call.output.begin());
        call.at_once = true;
        encode(call.pass, layout_.extent());
        return;
    }
    const PassId first = call.pass;
    const std::size_t states = results.size();
    Extent from = layout_.extent();
    for (std::size_t stage = 0; stage < stages_[0].size(); ++stage) {
        for (std::size_t i = 0; i < states; ++i) call.output[i] = stages_[i][stage].id();
        encode(stage == 0 ? first : passes.next, from);
        from = backend_.extent(stages_[0][stage].id());
        call.input = {};
        for (std::size_t i = 0; i < states; ++i) call.input[i] = stages_[i][stage].id();
        if (passes.next == PassId::sum) call.input[1] = call.input[0];  // not looked at: no products
        call.integer = {};
    }
    std::copy(results.begin(), results.end(), call.output.begin());
    if (passes.last == PassId::sum) call.integer[3] = static_cast<std::int32_t>(SumStage::components);
    encode(passes.last, from);
}

void Reductions::sum(Scalar& s, const Vector& x) {
    run({PassId::sum, PassId::sum}, {.pass = PassId::sum, .input = {x.id(), x.id()}}, {s.id()});
}

void Reductions::dot(Scalar& s, const Vector& x, const Vector& y) {
    run({PassId::sum, PassId::sum}, {.pass = PassId::sum, .input = {x.id(), y.id()}, .integer = {0, 0, 1}}, {s.id()});
}

void Reductions::measures(Scalar& s, const Vector& x) {
    run({PassId::measures_stage, PassId::measures_last}, {.pass = PassId::measures, .input = {x.id()}}, {s.id()});
}

void Reductions::extremes(Scalar& low, Scalar& high, const Vector& x) {
    extremes(low, high,
             {.pass = PassId::extremes,
              .input = {x.id()},
              .integer = {0, 0, static_cast<std::int32_t>(layout_.length), layout_.log2_width}});
}

void Reductions::extremes(Scalar& low, Scalar& high, const PassCall& first) {
    run({PassId::extremes_stage, PassId::extremes_last}, first, {low.id(), high.id()});
}

void Reductions::compensated_sum(Scalar& s, const Vector& x) {
    run({PassId::compensated_stage, PassId::compensated_last}, {.pass = PassId::compensated_sum, .input = {x.id()}},
        {s.id()});
}

void Reductions::compensated_dot(Scalar& s, const Vector& x, const Vector& y) {
    run({PassId::compensated_stage, PassId::compensated_last},
        {.pass = PassId::compensated_dot, .input = {x.id(), y.id()}}, {s.id()});
}

std::array<float, 4> Reductions::read(const Scalar& s) const {
    std::array<float, 4> texel{};
    backend_.read(s.id(), texel);
    return texel;
}

Measures Reductions::read_measures(const Vector& x) {
    measures(a_, x);
    const auto [sum, one, squares, infinity] = read(a_);
    return {sum, one, squares, infinity};
}

Extremes Reductions::read_extremes(const Vector& x) {
    extremes(a_, b_, x);
    const auto found = [&](const Scalar& s) -> Extreme {
        const auto [value, column, line, is_number] = read(s);
        if (is_number == 0) return {};
        return {value, (static_cast<Offset>(line) << layout_.log2_width) * 4 + static_cast<Offset>(column)};
    };
    return {found(a_), found(b_)};
}

double Reductions::read_compensated_sum(const Vector& x) {
    compensated_sum(a_, x);
    const auto texel = read(a_);
    return static_cast<double>(texel[0]) + static_cast<double>(texel[1]);
}

double Reductions::read_compensated_dot(const Vector& x, const Vector& y) {
    compensated_dot(a_, x, y);
    const auto texel = read(a_);
    return static_cast<double>(texel[0]) + static_cast<double>(texel[1]);
}

}  // namespace glsolve::inline v0_1
