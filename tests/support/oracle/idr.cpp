// IDR(s): M. B. van Gijzen and P. Sonneveld, ACM Trans. Math. Softw. 38 (2011), algorithm 913.
#include <algorithm>
#include <cmath>
#include <vector>

#include "support/oracle/oracle.hpp"

namespace glsolve::test::oracle {
namespace {

/// Number i of a column of state.
double number(const Given& g, int column, int i) { return g.in("state", {column, i / 4})[i % 4]; }

/// Vector k of a basis.
dvec4 layer(const Given& g, const char* basis, int k, ivec2 at) {
    const int columns = 1 << g.integer("log2_columns");
    return g.in(basis, ivec2((k % columns) << g.integer("log2_width"), k / columns * g.integer("tile_height")) + at);
}

// u <- omega M^-1 (r - G c) + U c
Made direction(const Given& g, ivec2 at) {
    dvec4 z = g.has("z") ? g.in("z", at) : g.in("r", at), u(0);
    for (int k = g.integer("first"); k < g.integer("first") + g.integer("count"); ++k) {
        u += number(g, 0, k) * layer(g, "basis_u", k, at);
        if (!g.has("z")) z -= number(g, 0, k) * layer(g, "basis_g", k, at);
    }
    if (g.has("d")) z *= g.in("d", at);
    return {{"u", g.scalar("omega").x * z + u}};
}

// g <- g - G a,  u <- u - U a,  y <- y + beta u,  r <- r - beta g
Made update(const Given& g, ivec2 at) {
    dvec4 v = g.in("g", at), u = g.in("u", at);
    for (int k = 0; k < g.integer("count"); ++k) {
        v -= number(g, 1, k) * layer(g, "basis_g", k, at);
        u -= number(g, 1, k) * layer(g, "basis_u", k, at);
    }
    const double beta = number(g, 3, 0);
    const dvec4 y = g.in("y", at), r = g.in("r", at);
    return {{"y", g.commit(y, y + beta * u)}, {"r", g.commit(r, r - beta * v)}, {"g", v}, {"u", u}};
}

double ratio(double n, double d) { return d == 0 || bad(n / d) ? 0 : n / d; }

// Row by row, with M as it stands in the paper: m[i][j].
Made step(const Given& g, ivec2 at) {
    constexpr int most = 8;
    const int s = g.integer("s"), k = g.integer("k");
    std::vector<std::vector<double>> m(most, std::vector<double>(most));
    std::vector<double> h(most), f(most), a(most), c(most);
    for (int i = 0; i < most; ++i) {
        h[static_cast<std::size_t>(i)] = g.in("h", {0, i / 4})[i % 4];
        f[static_cast<std::size_t>(i)] = k < 0 ? h[static_cast<std::size_t>(i)] : number(g, 2, i);
        for (int j = 0; j < s; ++j) m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = number(g, 4 + j, i);
    }
    const auto solved = [&](const std::vector<double>& b, std::size_t first, std::size_t end) {
        std::vector<double> x(most);
        for (std::size_t i = first; i < end; ++i) {
            double left = b[i];
            for (std::size_t j = first; j < i; ++j) left -= m[i][j] * x[j];
            x[i] = ratio(left, m[i][i]);
        }
        return x;
    };
    dvec4 last(0);
    const auto next = static_cast<std::size_t>(k + 1);
    if (k >= 0) {
        const auto now = static_cast<std::size_t>(k);
        a = solved(h, 0, now);
        for (std::size_t i = 0; i < most; ++i) {
            m[i][now] = i < now ? 0 : h[i];
            for (std::size_t j = 0; j < now && i >= now; ++j) m[i][now] -= m[i][j] * a[j];
        }
        const double pivot = m[now][now], beta = ratio(f[now], pivot);
        double stop = number(g, 3, 1);
        if (std::ranges::any_of(h, [](double v) { return bad(v); })) {
            stop = static_cast<double>(Stop::not_finite);
        } else if (stop == 0 && (pivot == 0 || bad(f[now] / pivot))) {
            stop = static_cast<double>(Stop::breakdown);
        }
        last = {beta, stop, number(g, 3, 2), number(g, 3, 3)};
        for (std::size_t i = 0; i < most; ++i) f[i] -= beta * m[i][now];
        f[now] = 0;
    }
    c = solved(f, next, static_cast<std::size_t>(s));
    const auto four = [&](const auto& value) {
        const auto i = static_cast<std::size_t>(4 * at.y);
        return dvec4(value(i), value(i + 1), value(i + 2), value(i + 3));
    };
    const auto of = [&](const std::vector<double>& v) { return four([&](std::size_t i) { return v[i]; }); };
    const dvec4 before = g.in("state", at);
    const dvec4 after = at.x == 0   ? of(c)
                        : at.x == 1 ? of(a)
                        : at.x == 2 ? of(f)
                        : at.x == 3 ? (at.y == 0 ? last : dvec4(0))
                                    : four([&](std::size_t i) { return m[i][static_cast<std::size_t>(at.x - 4)]; });
    return {{"state", g.commit(before, after)}};
}

// omega <- (r,t) / (t,t), or as long as |omega| |t| = kappa |r|
Made omega(const Given& g, ivec2 at) {
    const dvec4 p = g.in("products", at);  // (r,t), (t,t), (t,r), (r,r)
    const double cosine = p.x / std::sqrt(p.y * p.w), kappa = g.constant("kappa");
    const double least_squares = p.x / p.y, longer = std::copysign(kappa * std::sqrt(p.w / p.y), p.x);
    return {{"omega", finite_or_zero(dvec4(std::abs(cosine) < kappa ? longer : least_squares))}};
}

Made control(const Given& g, ivec2 at) {
    const dvec4 before = g.in("control", at), status_before = g.in("status", at), sums = g.in("sums", at);
    const double r = std::sqrt(sums.w), largest = std::max(before.x, r), cycles = status_before.y + 1;
    const double drift = before.y + half_ulp() * (g.constant("norm") * std::sqrt(sums.y) + largest);
    const double of_step = number(g, 3, 1), at_first = before.z / half_ulp();
    const Stop stop = bad(sums)                                                       ? Stop::not_finite
                      : r <= g.constant("target")                                     ? Stop::target
                      : half_ulp() * r > 0.1 * at_first                               ? Stop::diverged
                      : of_step != 0                                                  ? static_cast<Stop>(of_step)
                      : g.in("omega").x == 0                                          ? Stop::breakdown
                      : drift > g.constant("tolerated") * r && drift > 1.1 * before.z ? Stop::drifted
                      : cycles >= g.integer("limit")                                  ? Stop::limit
                                                                                      : Stop::running;
    return {{"control", g.commit(before, {largest, drift, before.z, r})},
            {"kept", g.commit(g.in("kept", at), dvec4(r <= g.constant("growth") * at_first ? 1 : 0))},
            {"status", g.commit(status_before, status(stop, cycles, r))}};
}

}  // namespace

std::span<const Entry> formulas_of_idr() {
    static constexpr Entry all[] = {{"idr_direction", direction},
                                    {"idr_direction_jacobi", direction},
                                    {"idr_direction_applied", direction},
                                    {"idr_update", update},
                                    {"idr_step", step},
                                    {"idr_omega", omega},
                                    {"idr_control", control}};
    return all;
}

}  // namespace glsolve::test::oracle
