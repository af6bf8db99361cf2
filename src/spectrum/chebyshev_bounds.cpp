#include "spectrum/chebyshev_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "spectrum/lanczos.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_widenings = 30;
constexpr double safety = 1.1;  // the largest Ritz value lies a little inside the spectrum

}  // namespace

ChebyshevBounds::ChebyshevBounds(const System& system, CsrView A, const ChebyshevOptions& options)
    : smallest_(options.smallest),
      largest_(options.largest),
      gershgorin_(gershgorin(system, A)),
      unit_(system.M == nullptr ? system.unit : 1),
      symmetric_(system.symmetric) {
    if (smallest_ <= 0 || largest_ <= 0) estimate(system, A, options.lanczos_steps);
    if (largest_ > gershgorin_) {
        largest_ = gershgorin_;
        source_ += "; the larger one is Gershgorin's";
    }
    if (!(largest_ > 0)) largest_ = 1;  // an empty matrix, or one that is not usable
    smallest_ = std::min(smallest_, largest_);
}

ChebyshevBounds::ChebyshevBounds(const System& system, double smallest, double largest)
    : smallest_(smallest),
      largest_(largest),
      gershgorin_(largest),
      unit_(system.M == nullptr ? system.unit : 1),
      symmetric_(system.symmetric) {}

void ChebyshevBounds::estimate(const System& system, CsrView A, int steps) {
    const Spectrum found = estimate_nonzero_spectrum(system, A, steps);
    source_ = fmt::format("from {} steps of Lanczos", found.steps);
    if (!found.definite) {
        why_not_ = fmt::format("(p,Ap) <= 0 in step {} of Lanczos: {}", found.steps + 1, unfit());
    }
    if (largest_ <= 0) largest_ = safety * found.largest;
    if (smallest_ <= 0) smallest_ = std::max(found.smallest, 1e-7 * largest_);
}

/// What is wrong with a matrix on which it fails.
std::string ChebyshevBounds::unfit() const {
    return symmetric_
               ? "the matrix, or its preconditioner, is not positive definite, which the Chebyshev iteration "
                 "needs; minres, gmres and the direct method do not"
               : "the matrix is not symmetric, and its eigenvalues may lie beside the real axis; bicgstab, gmres "
                 "and the direct method do not mind";
}

AssembledMatrix::Step ChebyshevBounds::next() {
    double beta = 0;
    if (steps_ == 1) beta = 0.5 * half_width() * alpha_ * half_width() * alpha_;
    if (steps_ > 1) beta = 0.25 * half_width() * alpha_ * half_width() * alpha_;
    alpha_ = 1 / (centre() - (steps_ > 0 ? beta / alpha_ : 0));
    ++steps_;
    return {static_cast<float>(unit_ * alpha_), static_cast<float>(beta)};
}

void ChebyshevBounds::rewind(std::int64_t steps) {
    if (is_fresh() || begin_ + steps == steps_) return;
    steps_ = 0;
    while (steps_ < begin_ + steps) next();
}

/// T_k+1 / T_k at d/c for large k: what a step divides the residual by.
double ChebyshevBounds::growth() const {
    const double c = half_width(), d = centre();
    return c > 0 ? d / c + std::sqrt((d / c - 1) * (d / c + 1)) : 1e16;
}

std::vector<float> ChebyshevBounds::relaxations(int steps) const {
    std::vector<double> zero, distance(static_cast<std::size_t>(steps), 0);
    for (int k = 0; k < steps; ++k) {
        zero.push_back(centre() + half_width() * std::cos(std::numbers::pi * (2 * k + 1) / (2 * steps)));
    }
    // The largest zero first, then always that one whose distances from those before have the largest product.
    std::vector<float> weights;
    std::size_t next = 0;
    for (int k = 0; k < steps; ++k) {
        const double lambda = zero[next];
        weights.push_back(static_cast<float>(unit_ / lambda));
        for (std::size_t i = 0; i < zero.size(); ++i) distance[i] += std::log(std::abs(zero[i] - lambda));
        next = static_cast<std::size_t>(std::ranges::max_element(distance) - distance.begin());
    }
    return weights;
}

std::int64_t ChebyshevBounds::steps_for(double factor) const {
    const double steps = std::ceil(std::log(2 / factor) / std::log(growth()));
    // Bounds that are 10^32 apart have a growth of 1 in double precision, and no number of steps.
    return steps < static_cast<double>(most_steps) ? static_cast<std::int64_t>(steps) : most_steps;
}

bool ChebyshevBounds::widen() {
    if (widened_ == most_widenings) {
        why_not_ = fmt::format("it diverges, though the larger bound was raised {} times: {}", widened_, unfit());
        return false;
    }
    if (widest()) {
        why_not_ = fmt::format("it diverges though no eigenvalue is larger than {:.3g} (Gershgorin): {}", gershgorin_,
                               unfit());
        return false;
    }
    largest_ = std::min(1.5 * largest_, gershgorin_);
    ++widened_;
    steps_ = 0;
    return true;
}

bool ChebyshevBounds::shorten() {
    if (smallest_ >= 0.5 * largest_) {
        why_not_ =
            fmt::format("it diverges though steps hardly depend on those before: {}; the fused form waits", unfit());
        return false;
    }
    smallest_ = std::min(4 * smallest_, 0.5 * largest_);
    ++shortened_;
    steps_ = 0;
    return true;
}

bool ChebyshevBounds::lower(double factor, double most) {
    if (shortened_ > 0) return false;  // then it is slow for a reason
    if (!(std::log(factor) > -0.5 * std::log(growth()))) return false;
    // An error outside the interval, at eigenvalue lambda, falls by  T_k((d - lambda)/c) / T_k(d/c):
    // with g = factor growth  the first of them is as large as (g + 1/g) / 2.
    const double g = std::min(factor, 0.99999) * growth();
    const double lambda = centre() - half_width() * 0.5 * (g + 1 / g);
    if (!(lambda < 0.9 * smallest_)) return false;
    smallest_ = std::max({lambda, 1e-9 * largest_, most * smallest_});
    ++lowered_;
    steps_ = 0;
    return true;
}

std::string ChebyshevBounds::remarks() const {
    if (!(smallest_ > 0)) return "no bounds of the eigenvalues, " + source_;
    const bool changed = widened_ + shortened_ + lowered_ > 0;
    std::string text = fmt::format("eigenvalues between {:.3g} and {:.3g}, {}{}", smallest_, largest_,
                                   changed ? "at first " : "", source_);
    const auto add = [&](int times, std::string_view what, std::string_view why) {
        if (times > 0)
            text += fmt::format("; {} {}, since {}", what, times == 1 ? "once" : fmt::format("{} times", times), why);
    };
    add(widened_, "the larger bound raised", "it diverged");
    add(shortened_, "the interval shortened from below", "it diverged");
    add(lowered_, "the smaller bound lowered", "it was slow");
    return text;
}

}  // namespace glsolve::inline v0_1
