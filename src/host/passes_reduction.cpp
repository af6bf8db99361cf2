// The reference of the stages of reductions. See shaders/reduction.glsl and shaders/pass/reduce.glsl.
#include <cmath>
#include <limits>

#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

// What a reduction carries, how two of it make one, how it is read (`first`: from a vector) and stored.

struct Sum {
    using State = vec4;
    static State none() { return State(0.0f); }
    static State merged(State a, State b) { return a + b; }
    static State first(const Pass& pass, ivec2 at) { return pass.in(0)(at)*pass.in(1)(at); }
    static State next(const Pass& pass, ivec2 at) { return pass.in(0)(at); }
    static void store(const Pass& pass, ivec2 at, State s, bool last) {
        const bool add = last && pass.integer(3) == static_cast<std::int32_t>(SumStage::components);
        pass.out(0)(at) = add ? vec4((s.x + s.y) + (s.z + s.w)) : s;
    }
};

struct Measures {
    using State = vec4;
    static State none() { return State(0.0f); }
    static State merged(State a, State b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z, std::isnan(a.w) || a.w > b.w ? a.w : b.w};
    }
    static State first(const Pass& pass, ivec2 at) {
        const vec4 x = pass.in(0)(at), size = glm::abs(x);
        float largest = 0;
        for (int i = 0; i < 4; ++i) largest = std::isnan(x[i]) || size[i] > largest ? size[i] : largest;
        return {(x.x + x.y) + (x.z + x.w), (size.x + size.y) + (size.z + size.w), glm::dot(x, x), largest};
    }
    static State next(const Pass& pass, ivec2 at) { return pass.in(0)(at); }
    static void store(const Pass& pass, ivec2 at, State s, bool) {
        if (std::isnan(s.y)) s.w = s.y;
        pass.out(0)(at) = s;
    }
};

struct Extremes {
    struct State {
        vec4 low, high;  // value, 4 x + component, y, 1; w = 0: none
    };
    static State none() {
        constexpr float infinite = std::numeric_limits<float>::infinity();
        return {{infinite, 0, 0, 0}, {-infinite, 0, 0, 0}};
    }
    static vec4 extreme(vec4 a, vec4 b, bool better) {
        const bool before = a.z < b.z || (a.z == b.z && a.y < b.y);
        return better || (a.x == b.x && (a.w > b.w || (a.w == b.w && before))) ? a : b;
    }
    static State merged(const State& a, const State& b) {
        return {extreme(a.low, b.low, a.low.x < b.low.x), extreme(a.high, b.high, a.high.x > b.high.x)};
    }
    static State first(const Pass& pass, ivec2 at) {
        const vec4 x = pass.in(0)(at);
        const int number = 4 * ((at.y << pass.integer(3)) + at.x);
        State all = none();
        for (int i = 0; i < 4; ++i) {
            if (number + i >= pass.integer(2) || std::isnan(x[i])) continue;
            const vec4 here(x[i], static_cast<float>(4 * at.x + i), static_cast<float>(at.y), 1.0f);
            all = merged(all, {here, here});
        }
        return all;
    }
    static State next(const Pass& pass, ivec2 at) { return {pass.in(0)(at), pass.in(1)(at)}; }
    static void store(const Pass& pass, ivec2 at, const State& s, bool) {
        pass.out(0)(at) = s.low;
        pass.out(1)(at) = s.high;
    }
};

/// Sizes of numbers of one zone of a panel, in rows that are not used up.
struct Pivot : Extremes {
    static State first(const Pass& pass, ivec2 at) {
        const vec4 x = pass.in(0)(at + ivec2(0, pass.integer(4))), used = pass.in(1)(at);
        const int number = 4 * ((at.y << pass.integer(3)) + at.x);
        State all = none();
        for (int i = 0; i < 4; ++i) {
            if (number + i >= pass.integer(2) || std::isnan(x[i]) || used[i] != 0) continue;
            const vec4 here(std::abs(x[i]), static_cast<float>(4 * at.x + i), static_cast<float>(at.y), 1.0f);
            all = merged(all, {here, here});
        }
        return all;
    }
};

template <bool dot>
struct Compensated {
    using State = double;
    static State none() { return 0; }
    static State merged(State a, State b) { return a + b; }
    static State first(const Pass& pass, ivec2 at) {
        const dvec4 x = dvec4(pass.in(0)(at)) * (dot ? dvec4(pass.in(1)(at)) : dvec4(1.0));
        return (x.x + x.y) + (x.z + x.w);
    }
    static State next(const Pass& pass, ivec2 at) {
        const vec4 x = pass.in(0)(at);
        return static_cast<double>(x.x) + static_cast<double>(x.y);
    }
    static void store(const Pass& pass, ivec2 at, State s, bool) {
        const auto hi = static_cast<float>(s);
        pass.out(0)(at) = {hi, static_cast<float>(s - static_cast<double>(hi)), 0.0f, 0.0f};
    }
};

/// (r,z), (r,r), (y,y) for each of four right-hand sides.
template <bool scaled = false>
struct FieldSums {
    struct State {
        vec4 rz{0.0f}, rr{0.0f}, yy{0.0f};
    };
    static State none() { return {}; }
    static State merged(const State& a, const State& b) { return {a.rz + b.rz, a.rr + b.rr, a.yy + b.yy}; }
    static State first(const Pass& pass, ivec2 at) {
        const vec4 r = pass.in(0)(at), y = pass.in(2)(at);
        vec4 z;
        if constexpr (scaled) {
            z = Numbers(pass.in(1), pass.integer(3))[(at.y << pass.integer(2)) + at.x] * r;
        } else {
            z = pass.in(1)(at);
        }
        return {r * z, r * r, y * y};
    }
    static State next(const Pass& pass, ivec2 at) { return {pass.in(0)(at), pass.in(1)(at), pass.in(2)(at)}; }
    static void store(const Pass& pass, ivec2 at, const State& s, bool) {
        pass.out(0)(at) = s.rz;
        pass.out(1)(at) = s.rr;
        pass.out(2)(at) = s.yy;
    }
};

/// The texels of a rectangle, in pieces as the shaders go through them.
template <class Kind, bool first>
typename Kind::State reduce(const Pass& pass, ivec2 begin, ivec2 end) {
    auto all = Kind::none();
    for (int eight = begin.y; eight < end.y; eight += 8) {
        auto lines = Kind::none();
        for (int j = eight; j < std::min(eight + 8, end.y); ++j) {
            auto line = Kind::none();
            for (int begin_piece = begin.x; begin_piece < end.x; begin_piece += 32) {
                auto piece = Kind::none();
                for (int i = begin_piece; i < std::min(begin_piece + 32, end.x); ++i) {
                    piece = Kind::merged(piece, first ? Kind::first(pass, {i, j}) : Kind::next(pass, {i, j}));
                }
                line = Kind::merged(line, piece);
            }
            lines = Kind::merged(lines, line);
        }
        all = Kind::merged(all, lines);
    }
    return all;
}

/// One stage: a texel of the output from a tile of the input.
template <class Kind, bool first>
void stage(const Pass& pass) {
    const ivec2 tile(pass.tile[0], pass.tile[1]), extent(pass.integer(0), pass.integer(1));
    pass.each([&](ivec2 at) {
        const ivec2 corner = at * tile;
        Kind::store(pass, at, reduce<Kind, first>(pass, corner, glm::min(corner + tile, extent)), false);
    });
}

template <class Kind, bool first = false>
void last(const Pass& pass) {
    Kind::store(pass, {0, 0}, reduce<Kind, first>(pass, {0, 0}, {pass.integer(0), pass.integer(1)}), true);
}

}  // namespace

void sum(const Pass& pass) {
    const bool products = pass.integer(2) != 0, all = pass.integer(3) != static_cast<std::int32_t>(SumStage::tiles);
    if (all) {
        products ? last<Sum, true>(pass) : last<Sum>(pass);
    } else {
        products ? stage<Sum, true>(pass) : stage<Sum, false>(pass);
    }
}
void measures(const Pass& pass) { stage<Measures, true>(pass); }
void measures_stage(const Pass& pass) { stage<Measures, false>(pass); }
void measures_last(const Pass& pass) { last<Measures>(pass); }
void extremes(const Pass& pass) { stage<Extremes, true>(pass); }
void jordan_pivot(const Pass& pass) { stage<Pivot, true>(pass); }
void extremes_stage(const Pass& pass) { stage<Extremes, false>(pass); }
void extremes_last(const Pass& pass) { last<Extremes>(pass); }
void compensated_sum(const Pass& pass) { stage<Compensated<false>, true>(pass); }
void compensated_dot(const Pass& pass) { stage<Compensated<true>, true>(pass); }
void compensated_stage(const Pass& pass) { stage<Compensated<false>, false>(pass); }
void compensated_last(const Pass& pass) { last<Compensated<false>>(pass); }
void field_sums(const Pass& pass) { stage<FieldSums<>, true>(pass); }
void field_sums_scaled(const Pass& pass) { stage<FieldSums<true>, true>(pass); }
void field_sums_stage(const Pass& pass) { stage<FieldSums<>, false>(pass); }
void field_sums_last(const Pass& pass) { last<FieldSums<>>(pass); }

}  // namespace glsolve::inline v0_1::host
