#include "core/device_residuals.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "core/verbs.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The largest number of v_i w_i in size; infinite where one is not finite.
template <class Element>
double largest(std::size_t n, const Element& element) {
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double size = std::abs(element(i));
        if (!std::isfinite(size)) return size;
        most = std::max(most, size);
    }
    return most;
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
    }
}

bool DeviceResiduals::begin(std::span<const double> b, std::span<const double> x) {
    const std::size_t n = scale_.size();
    const double most = largest(n, [&](std::size_t i) { return scale_[i] * b[i]; });
    if (!(most > 0) || !std::isfinite(most)) return false;
    u_ = std::ldexp(1.0, std::clamp(-std::ilogb(most), -1000, 1000));
    if (largest(n, [&](std::size_t i) { return u_ * x[i] / scale_[i]; }) > room) return false;
    std::vector<double> numbers(n);
    parallel_each(n, [&](std::size_t i) { numbers[i] = u_ * scale_[i] * b[i]; });
    b_.upload(numbers);
    parallel_each(n, [&](std::size_t i) { numbers[i] = u_ * x[i] / scale_[i]; });
    x_.upload(numbers);
    return true;
}

void DeviceResiduals::add(const Vector& y, double s) { axpy(x_, scalar_arg(static_cast<float>(u_ / s)), y); }

DeviceResiduals::Norms DeviceResiduals::compute(const Vector& r, double s, const Scalar* status) {
    A_.residual_two_float(r_, r_low_, b_, x_, partial_);
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

void DeviceResiduals::restart(Vector& r, double s) const { scale(r, scalar_arg(static_cast<float>(s / u_)), r_); }

void DeviceResiduals::keep_without(const Vector& y, double s) {
    if (!kept_) kept_.emplace(backend_, r_.layout().length, "best x");
    copy(kept_->hi, x_.hi);
    copy(kept_->lo, x_.lo);
    axpy(*kept_, scalar_arg(static_cast<float>(-u_ / s)), y);
}

void DeviceResiduals::read(const TwoFloatVector& from, std::span<double> x) const {
    const std::vector<double> numbers = from.download();
    parallel_each(x.size(), [&](std::size_t i) { x[i] = scale_[i] * numbers[i] / u_; });
}

}  // namespace glsolve::inline v0_1
