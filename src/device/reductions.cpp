#include "device/reductions.hpp"

#include <cmath>

#include "passes.hpp"

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

void Reductions::run(const Stage& first, const Stage& next, const Stage& last, const States& results) {
    if (stages_[0].empty()) {  // all at once
        PassCall call = first(results, {}, layout_.extent());
        call.at_once = true;
        backend_.encode(call);
        return;
    }
    States from;
    Extent extent = layout_.extent();
    for (std::size_t k = 0; k < stages_[0].size(); ++k) {
        const States to{stages_[0][k].id(), results[1] ? stages_[1][k].id() : StorageId{}};
        backend_.encode((k == 0 ? first : next)(to, from, extent));
        from = to;
        extent = backend_.extent(to[0]);
    }
    backend_.encode(last(results, from, extent));
}

namespace {

using States = Reductions::States;

/// The sums of x, or of x * y.
PassCall sum_call(StorageId s, StorageId x, StorageId y, Extent extent, bool products, SumStage last) {
    return pass::sum{.s = s,
                     .x = x,
                     .y = y,
                     .width = extent.width,
                     .height = extent.height,
                     .products = products ? 1 : 0,
                     .last = static_cast<std::int32_t>(last)};
}

/// The next stage of a sum.
template <SumStage last>
PassCall add_up(const States& to, const States& from, Extent extent) {
    return sum_call(to[0], from[0], from[0], extent, false, last);
}

/// A stage with one texel of state.
template <class Pass>
PassCall of_one(const States& to, const States& from, Extent extent) {
    return Pass{.s = to[0], .x = from[0], .width = extent.width, .height = extent.height};
}

/// The same that reads a vector.
template <class Pass>
Reductions::Stage of_vector(const Vector& x) {
    return [&x](const States& to, const States&, Extent extent) { return of_one<Pass>(to, {x.id()}, extent); };
}

/// A stage with two: the lowest and the highest.
template <class Pass>
PassCall of_two(const States& to, const States& from, Extent extent) {
    return Pass{.low = to[0],
                .high = to[1],
                .low_parts = from[0],
                .high_parts = from[1],
                .width = extent.width,
                .height = extent.height};
}

}  // namespace

void Reductions::sum(Scalar& s, const Vector& x) {
    const Stage first = [&](const States& to, const States&, Extent extent) {
        return sum_call(to[0], x.id(), x.id(), extent, false, SumStage::tiles);
    };
    run(first, add_up<SumStage::tiles>, add_up<SumStage::components>, {s.id()});
}

void Reductions::dot(Scalar& s, const Vector& x, const Vector& y) {
    const Stage first = [&](const States& to, const States&, Extent extent) {
        return sum_call(to[0], x.id(), y.id(), extent, true, SumStage::tiles);
    };
    run(first, add_up<SumStage::tiles>, add_up<SumStage::components>, {s.id()});
}

void Reductions::measures(Scalar& s, const Vector& x) {
    run(of_vector<pass::measures>(x), of_one<pass::measures_stage>, of_one<pass::measures_last>, {s.id()});
}

void Reductions::extremes(Scalar& low, Scalar& high, const Vector& x) {
    extremes(low, high, [&](const States& to, const States&, Extent extent) {
        return pass::extremes{.low = to[0],
                              .high = to[1],
                              .x = x,
                              .width = extent.width,
                              .height = extent.height,
                              .length = static_cast<std::int32_t>(layout_.length),
                              .log2_width = layout_.log2_width};
    });
}

void Reductions::extremes(Scalar& low, Scalar& high, const Stage& first) {
    run(first, of_two<pass::extremes_stage>, of_two<pass::extremes_last>, {low.id(), high.id()});
}

void Reductions::compensated_sum(Scalar& s, const Vector& x) {
    run(of_vector<pass::compensated_sum>(x), of_one<pass::compensated_stage>, of_one<pass::compensated_last>, {s.id()});
}

void Reductions::compensated_dot(Scalar& s, const Vector& x, const Vector& y) {
    const Stage first = [&](const States& to, const States&, Extent extent) {
        return pass::compensated_dot{.s = to[0], .x = x, .y = y, .width = extent.width, .height = extent.height};
    };
    run(first, of_one<pass::compensated_stage>, of_one<pass::compensated_last>, {s.id()});
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
