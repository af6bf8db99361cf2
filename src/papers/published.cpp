#include "papers/published.hpp"

#include <array>
#include <glsolve/error.hpp>

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

}  // namespace glsolve::inline v0_1
