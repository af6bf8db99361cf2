#include "core/device_residuals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/verbs.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The largest element in size; infinite where one is not finite.
template <class Element>
double largest(std::size_t n, const Element& element) {
    return parallel_max(n, [&](std::size_t i) {
        const double size = std::abs(element(i));
        return std::isfinite(size) ? size : std::numeric_limits<double>::infinity();
    });
}

constexpr double room = 1e15;  // squares of numbers, and sums of them, must fit single precision

}  // namespace

DeviceResiduals::DeviceResiduals(Operator& A, std::span<const double> scale, Vector& work, PartialSums& partial)
    : backend_(work.backend()),
      A_(A),
      scale_(scale),
      r_(work),
      partial_(partial),
      b_(backend_, work.layout().length, "b"),
      x_(backend_, work.layout().length, "x"),
      r_low_(backend_, work.layout().length, "b - A x, low"),
      sizes_(backend_, "(r,r), |size|^2"),
      norms_(backend_, "norms of a correction"),
      results_(backend_, {3, 1}, Element::real, "results of a correction") {
    if (std::any_of(scale.begin(), scale.end(), [](double s) { return s != 1; })) {
        std::vector<float> weights(scale.size());
        std::transform(scale.begin(), scale.end(), weights.begin(), [](double s) { return static_cast<float>(1 / s); });
        weights_.emplace(backend_, work.layout().length, "1 / S");
        weights_->upload(weights);
    }
    warm_up();
}

/// Runs every pass, so that shaders are compiled and textures allocated before the first solve: x has two of each.
void DeviceResiduals::warm_up() {
    for (Vector* v : {&b_.hi, &b_.lo, &x_.hi, &x_.lo}) fill(*v, 0);
    for (int twice = 0; twice < 2; ++twice) {
        add(b_.hi, 1);
        compute(b_.hi, 1);
        restart(b_.hi, &b_.lo, 1);
    }
}

bool DeviceResiduals::begin(std::span<const double> b, std::span<const double> x) {
    const std::size_t n = scale_.size();
    const double most = largest(n, [&](std::size_t i) { return scale_[i] * b[i]; });
    if (!(most > 0) || !std::isfinite(most)) return false;
    u_ = std::ldexp(1.0, std::clamp(-std::ilogb(most), -1000, 1000));
    const auto scaled_x = [&](std::size_t i) { return u_ * x[i] / scale_[i]; };
    const double most_of_x = largest(n, scaled_x);
    if (most_of_x > room) return false;
    b_.upload_each([&](std::size_t i) { return u_ * scale_[i] * b[i]; });
    if (most_of_x > 0) {
        x_.upload_each(scaled_x);
    } else {  // the usual guess
        fill(x_.hi, 0);
        fill(x_.lo, 0);
    }
    return true;
}

void DeviceResiduals::add(const Vector& y, double s) { axpy(x_, scalar_arg(static_cast<float>(u_ / s)), y); }

DeviceResiduals::Norms DeviceResiduals::compute(const Vector& r, double s, const Scalar* status) {
    residual();
    sum(sizes_, partial_, Finish::keep_components);
    backend_.encode({.pass = PassId::residual_norms,
                     .output = {partial_.id()},
                     .input = {r_.id(), r.id(), weights_ ? weights_->id() : r_.id()},
                     .integer = {weights_ ? 1 : 0},
                     .constant = {static_cast<float>(s / u_)}});
    sum(norms_, partial_, Finish::keep_components);
    record(results_, 0, sizes_);
    record(results_, 1, norms_);
    if (status != nullptr) record(results_, 2, *status);
    std::array<float, 12> texels{};
    backend_.read(results_.id(), texels);
    const auto root = [&](std::size_t i) { return std::sqrt(static_cast<double>(texels[i])); };
    Norms norms;
    std::copy_n(texels.begin() + 8, 4, norms.status.begin());
    norms.residual = root(4) / u_;
    norms.scaled = root(5) / u_;
    norms.drift = root(5) > 0 ? root(6) / (s / u_ * root(5)) : 0;
    // In the unscaled norm as far as one factor for all rows can tell.
    norms.size = root(1) / u_ * (root(5) > 0 ? root(4) / root(5) : 1);
    return norms;
}

void DeviceResiduals::residual() { A_.residual_two_float(r_, r_low_, b_, x_, partial_); }

void DeviceResiduals::restart(Vector& r, Vector* r_low, double s) const {
    const ScalarArg factor = scalar_arg(static_cast<float>(s / u_));
    scale(r, factor, r_);
    if (r_low != nullptr) scale(*r_low, factor, r_low_);
}

void DeviceResiduals::keep_without(const Vector& y, double s) {
    if (!kept_) kept_.emplace(backend_, r_.layout().length, "best x");
    copy(kept_->hi, x_.hi);
    copy(kept_->lo, x_.lo);
    axpy(*kept_, scalar_arg(static_cast<float>(-u_ / s)), y);
}

void DeviceResiduals::read(const TwoFloatVector& from, std::span<double> x) const {
    from.download_each([&](std::size_t i, double number) { x[i] = scale_[i] * number / u_; });
}

}  // namespace glsolve::inline v0_1
