#include "papers/methods/published.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <glsolve/error.hpp>

#include "device/reductions.hpp"
#include "device/verbs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {

SinglePassProduct::SinglePassProduct(const ZoneMatrix& textureA)
    : textureA_(textureA),
      textureB_(textureA.backend(), textureA.grid().extent(), Element::real, "textureB"),
      textureC_(textureA.backend(), textureA.grid().extent(), Element::real, "textureC") {
    if (textureA.log2_strip() < textureA.rows().log2_width) {
        throw Error("SinglePassProduct: the zones of textureA are cut into strips; make it with ZoneOrder::published");
    }
}

void SinglePassProduct::multiply(Vector& y, const Vector& x) {
    const TileLayout& zones = textureA_.grid();
    Backend& backend = textureA_.backend();
    // textureB <- x: x_j everywhere in zone j
    backend.encode(pass::spread{.y = textureB_,
                                .x = x,
                                .log2_width = textureA_.rows().log2_width,
                                .log2_columns = zones.log2_columns,
                                .tile_height = zones.tile.height,
                                .length = textureA_.size()});
    // textureC <- textureA * textureB
    backend.encode(pass::multiply{.z = textureC_, .x = textureA_.id(), .y = textureB_, .a = ScalarArg{}});
    sumVector(y, x);
}

void SinglePassProduct::sumVector(Vector& y, const Vector& x) {
    const TileLayout& zones = textureA_.grid();
    const std::array unread{textureC_.id()};
    const std::array<std::int32_t, 6> integers{textureA_.rows().log2_width, zones.log2_columns, textureA_.size(),
                                               zones.tile.height,           textureA_.size(),   0};
    textureA_.backend().encode(pass::ending::multiply{.y = y, .x = x}.of({.passes = product_of::dense_reduce,
                                                                          .a = textureC_.id(),
                                                                          .a_low = textureC_.id(),
                                                                          .structure = unread,
                                                                          .integers = integers,
                                                                          .table = {}}));
}

KruegerProduct::KruegerProduct(Backend& backend, Index n, const std::function<double(Index i, Index j)>& at)
    : variant_(n % 4 == 0 ? backend.variant("FOURS\n") : VariantId{}) {
    std::vector<float> diagonal(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) {
        for (Index i = 0; i < n; ++i) {
            diagonal[static_cast<std::size_t>(i)] = static_cast<float>(at(i, (i + k) % n));
        }
        diagonals_.emplace_back(backend, n, "diagonal");
        diagonals_.back().upload(diagonal);
    }
}

void KruegerProduct::multiply(Vector& y, const Vector& x) {
    fill(y, 0);
    const Layout& layout = x.layout();
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(diagonals_.size()); ++k) {
        x.backend().encode(pass::krueger_diagonal{.y = y,
                                                  .x = x,
                                                  .d = diagonals_[static_cast<std::size_t>(k)],
                                                  .k = k,
                                                  .log2_width = layout.log2_width,
                                                  .length = static_cast<std::int32_t>(layout.length),
                                                  .variant = variant_});
    }
}

void sumTexel(Scalar& s, const Vector& x) {
    const Extent extent = x.layout().extent();
    x.backend().encode(pass::sumTexel{.y = s, .x = x, .width = extent.width, .height = extent.height});
}

float sumTexture(const Scalar& s) {
    std::array<float, 4> texel{};
    s.backend().read(s.id(), texel);
    return texel[0] + texel[1] + texel[2] + texel[3];
}

PublishedRun published_cg(Backend& backend, std::span<const float> b, double eps, int max_iterations,
                          const std::function<void(Vector& q, const Vector& p)>& multiply_matrix) {
    const auto n = static_cast<Offset>(b.size());
    Vector x(backend, n, "textureX"), r(backend, n, "textureR"), p(backend, n, "textureP"), q(backend, n, "textureQ"),
        y(backend, n, "textureY");
    Scalar z(backend, "textureZ");
    const auto inner_product = [&](const Vector& u, const Vector& v) {
        hadamard(y, u, v);  // textureY <- textureU * textureV
        sumTexel(z, y);
        return sumTexture(z);
    };
    PublishedRun run;
    fill(x, 0);
    r.upload(b);  // r <- b - A x, with x = 0
    float rm0 = inner_product(r, r);
    while (static_cast<double>(rm0) >= eps && run.iterations < max_iterations) {
        ++run.iterations;
        const bool first = run.iterations == 1;
        const float rm1 = first ? rm0 : inner_product(r, r);
        if (first) {
            copy(p, r);
        } else {
            const float beta = rm1 / rm0;
            xpay(p, r, scalar_arg(beta));  // p <- r + beta p
        }
        multiply_matrix(q, p);
        const float pq = inner_product(p, q);
        if (!(pq > 0)) {
            ++run.indefinite;
            if (run.first_indefinite == 0) run.first_indefinite = run.iterations;
        }
        const float alpha = rm1 / pq;
        axpy(x, scalar_arg(alpha), p);
        axpy(r, scalar_arg(-alpha), q);
        rm0 = rm1;
    }
    run.residual_squared = inner_product(r, r);
    run.x = x.download_texels();
    run.x.resize(b.size());
    return run;
}

namespace {

void check_rule(const PublishedChebyshevRule& rule, Offset length, std::size_t rows) {
    if (length != static_cast<Offset>(rows)) {
        throw InvalidInput(fmt::format("published_chebyshev: b has {} numbers, and the diagonal {}: as many are needed",
                                       rows, length));
    }
    if (!(rule.l_min > 0) || !(rule.l_max >= rule.l_min) || !std::isfinite(rule.l_max) || rule.test_every < 1) {
        throw InvalidInput(
            fmt::format("published_chebyshev: eigenvalues between {} and {}, a test every {} steps; "
                        "0 < l_min <= l_max and test_every >= 1 are needed",
                        rule.l_min, rule.l_max, rule.test_every));
    }
}

}  // namespace

void ChebyshevCoefficients::next() {
    // beta = 0, then (c alpha)^2 / 2, then (c alpha / 2)^2;  alpha = 1 / (d - beta / alpha), first 1 / d
    beta_ = (steps_ == 0 ? 0 : steps_ == 1 ? 0.5 : 0.25) * c_ * alpha_ * c_ * alpha_;
    alpha_ = steps_ == 0 ? 1 / d_ : 1 / (d_ - beta_ / alpha_);
    ++steps_;
}

PublishedChebyshev published_chebyshev(Backend& backend, Operator& A, const Vector& reciprocal_diagonal,
                                       std::span<const float> numbers, const PublishedChebyshevRule& rule) {
    const auto n = static_cast<Offset>(numbers.size());
    check_rule(rule, reciprocal_diagonal.layout().length, numbers.size());
    Vector x(backend, n, "x"), b(backend, n, "b"), r(backend, n, "r"), z(backend, n, "z"), p(backend, n, "p");
    Scalar rr(backend, "(r,r)");
    Reductions reductions(backend, n);
    const auto norm = [&](const Vector& v) {
        reductions.dot(rr, v, v);
        std::array<float, 4> texel{};
        backend.read(rr.id(), texel);  // the host waits
        return std::sqrt(static_cast<double>(texel[0]));
    };
    b.upload(numbers);
    for (Vector* v : {&x, &p}) fill(*v, 0);
    copy(r, b);  // r <- b - A x, with x = 0
    const double norm_b = norm(b);
    PublishedChebyshev run;
    run.converged = norm_b == 0;
    ChebyshevCoefficients step(rule.l_min, rule.l_max);
    while (!run.converged && run.iterations < rule.max_iterations && std::isfinite(run.relative_residual)) {
        step.next();
        hadamard(z, reciprocal_diagonal, r);   // z <- D^-1 r
        xpay(p, z, scalar_arg(step.beta()));   // p <- z + beta p
        axpy(x, scalar_arg(step.alpha()), p);  // x <- x + alpha p
        A.residual(r, b, x);                   // r <- b - A x
        ++run.iterations;
        if (run.iterations % rule.test_every != 0 && run.iterations < rule.max_iterations) continue;
        run.relative_residual = norm(r) / norm_b;
        run.converged = run.relative_residual <= rule.tolerance;
    }
    if (norm_b == 0) run.relative_residual = 0;
    run.x = x.download_texels();
    run.x.resize(numbers.size());
    return run;
}

}  // namespace glsolve::inline v0_1
