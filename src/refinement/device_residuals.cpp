#include "refinement/device_residuals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "device/verbs.hpp"
#include "passes.hpp"

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
      results_(backend_, {4, 1}, Element::real, "results of a correction") {
    if (std::any_of(scale.begin(), scale.end(), [](double s) { return s != 1; })) {
        std::vector<float> weights(scale.size());
        std::transform(scale.begin(), scale.end(), weights.begin(), [](double s) { return static_cast<float>(1 / s); });
        weights_.emplace(backend_, work.layout().length, "1 / S");
        weights_->upload(weights);
    }
    begin_programs_of(backend_, [&] { touch_all(); });  // the method begins its own before it waits for them
}

/// Twice: x has two textures.
void DeviceResiduals::touch_all() {
    for (Vector* v : {&b_.hi, &b_.lo, &x_.hi, &x_.lo}) fill(*v, 0);
    for (int twice = 0; twice < 2; ++twice) {
        add(b_.hi, 1);
        compute(b_.hi, 1);
        restart(b_.hi, &b_.lo, 1);
    }
}

bool DeviceResiduals::begin(std::span<const double> b, std::span<const double> x, double scaled_norm_b) {
    const std::size_t n = scale_.size();
    const double most = scaled_norm_b > 0 ? scaled_norm_b : largest(n, [&](std::size_t i) { return scale_[i] * b[i]; });
    if (!(most > 0) || !std::isfinite(most)) return false;
    has_gain_ = false;
    u_ = std::ldexp(1.0, std::clamp(-std::ilogb(most), -1000, 1000));
    const auto scaled_x = [&](std::size_t i) { return u_ * x[i] / scale_[i]; };
    const double most_of_x = x.empty() ? 0 : largest(n, scaled_x);
    if (most_of_x > room) return false;
    upload_two_floats(b_.hi, b_.lo, n, [&](std::size_t i) { return u_ * scale_[i] * b[i]; });
    if (most_of_x > 0) {
        upload_two_floats(x_.hi, x_.lo, n, scaled_x);
    } else {  // the usual guess
        fill(x_.hi, 0);
        fill(x_.lo, 0);
    }
    return true;
}

void DeviceResiduals::begin(const MakeVector& make_b, const MakeVector& make_x, const Tolerance& tolerance) {
    if (!unit_) {
        unit_.emplace(backend_, "unit");
        norms_of_b_.emplace(backend_, "norms of b");
        start_.emplace(backend_, "norms of the first residual");
        gain_.emplace(backend_, "gain");
        refused_.emplace(backend_, "refused");
        mark_.emplace(backend_, "mark");
        taken();
        if (weights_) {
            std::vector<float> S(scale_.size());
            parallel_each(S.size(), [&](std::size_t i) { S[i] = static_cast<float>(scale_[i]); });
            factors_.emplace(backend_, r_.layout().length, "S");
            factors_->upload(S);
        }
    }
    has_gain_ = true;
    u_ = 1;
    make_b(factors_ ? r_low_ : b_.hi, scalar_arg(1), r_);
    if (factors_) hadamard(b_.hi, r_low_, *factors_);
    fill(b_.lo, 0);
    // (|b|^2, |S b|^2, |2^100 S b|^2): where squares of b vanish, the last one tells that from b = 0.
    backend_.encode(pass::residual_norms{.sum = partial_,
                                         .t = b_.hi,
                                         .r = b_.hi,
                                         .w = weights_ ? weights_->id() : b_.hi.id(),
                                         .a = scalar_arg(1),
                                         .weights = weights_ ? 1 : 0,
                                         .s = 0x1p100f});
    sum(*norms_of_b_, partial_, Finish::keep_components);
    backend_.encode(pass::texture_unit{.unit = *unit_, .squares = *norms_of_b_});
    fill(x_.lo, 0);
    if (make_x) {
        make_x(weights_ ? r_low_ : x_.hi, scalar_arg(*unit_, *unit_), r_);  // 1, but 0 where b is zero
        if (weights_) hadamard(x_.hi, r_low_, *weights_);
        residual();
    } else {
        fill(x_.hi, 0);
        copy(r_, b_.hi);
        fill(r_low_, 0);
    }
    start(tolerance);
}

Scalar& DeviceResiduals::taken() { return taken_ ? *taken_ : taken_.emplace(backend_, "taken off b"); }

void DeviceResiduals::begin_again(const Tolerance& tolerance) {
    residual();
    start(tolerance);
}

void DeviceResiduals::start(const Tolerance& tolerance) {
    constexpr std::uint64_t countable = 1 << 24;  // a float counts so far
    number_ = static_cast<float>(1 + backend_.counters().passes % countable);
    encode_norms(r_, 0, scalar_arg(*unit_));
    copy(*start_, norms_);
    backend_.encode(pass::texture_gain{.gain = *gain_,
                                       .squares = *norms_of_b_,
                                       .unit = *unit_,
                                       .start = *start_,
                                       .tolerance = static_cast<float>(tolerance.relative),
                                       .absolute = static_cast<float>(tolerance.absolute),
                                       .reference = reference});
}

void DeviceResiduals::end(const Scalar& status) {
    encode_norms(r_, 0, scalar_arg(*unit_));
    backend_.encode(pass::texture_verdict{
        .refused = *refused_, .squares = *norms_of_b_, .unit = *unit_, .start = *start_, .end = norms_});
    record(results_, 0, norms_);
    record(results_, 1, *norms_of_b_);
    record(results_, 2, status);
    mark();
}

void DeviceResiduals::tell_start() {
    record(results_, 0, *start_);
    record(results_, 1, *norms_of_b_);
    record(results_, 2, *gain_);
    mark();
}

void DeviceResiduals::mark() {
    backend_.encode(pass::texture_mark{.mark = *mark_, .unit = *unit_, .taken = *taken_, .number = number_});
    record(results_, 3, *mark_);
}

DeviceResiduals::RunResult DeviceResiduals::run_result(const Results& results) {
    const auto root = [&](std::size_t i) { return std::sqrt(static_cast<double>(results[i])); };
    RunResult found;
    const auto unit = static_cast<double>(results[12]);
    found.residual = unit > 0 ? root(0) / unit : root(0);
    found.b = root(4);
    found.number = results[13];
    found.taken = root(14);
    found.too_small = results[5] < std::numeric_limits<float>::min() && results[6] > 0;
    std::copy_n(results.begin() + 8, 4, found.status.begin());
    return found;
}

DeviceResiduals::RunStart DeviceResiduals::run_start(const Results& results) {
    const auto root = [&](std::size_t i) { return std::sqrt(static_cast<double>(results[i])); };
    RunStart found;
    const auto unit = static_cast<double>(results[12]), gain = static_cast<double>(results[8]);
    if (unit > 0) found.relative = root(0) / (unit * root(4));
    if (unit > 0 && gain > 0) found.to_relative = found.relative * unit / (gain * root(1));
    found.number = results[13];
    return found;
}

const Vector& DeviceResiduals::solution() {
    if (!factors_) return x_.hi;
    hadamard(r_, x_.hi, *factors_);
    return r_;
}

ScalarArg DeviceResiduals::times(double s) const {
    ScalarArg factor = scalar_arg(static_cast<float>(s / u_));
    if (has_gain_) factor.n = gain_->id();
    return factor;
}

ScalarArg DeviceResiduals::divided_by(double s) const {
    ScalarArg factor = scalar_arg(static_cast<float>(u_ / s));
    if (has_gain_) factor.d = gain_->id();
    return factor;
}

void DeviceResiduals::add(const Vector& y, double s) { axpy(x_, divided_by(s), y); }

double DeviceResiduals::correct(const Vector& y, const Vector* y_low, const Vector& /*r*/, double s) {
    add(y, s);
    if (y_low != nullptr) add(*y_low, s);
    residual();
    return 0;
}

DeviceResiduals::Norms DeviceResiduals::compute(const Vector& r, double s, const Scalar* status) {
    residual();
    sum(sizes_, partial_, Finish::keep_components);
    encode_norms(r, s, scalar_arg(1));
    record(results_, 0, sizes_);
    record(results_, 1, norms_);
    if (status != nullptr) record(results_, 2, *status);
    Results texels{};
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

/// Of the residual that has been computed last: a |r|, and how far s times it is from `r`.
void DeviceResiduals::encode_norms(const Vector& r, double s, const ScalarArg& a) {
    backend_.encode(pass::residual_norms{.sum = partial_,
                                         .t = r_,
                                         .r = r,
                                         .w = weights_ ? weights_->id() : r_.id(),
                                         .a = a,
                                         .weights = weights_ ? 1 : 0,
                                         .s = static_cast<float>(s / u_)});
    sum(norms_, partial_, Finish::keep_components);
}

void DeviceResiduals::residual() { A_.residual_two_float(r_, r_low_, b_, x_, partial_); }

void DeviceResiduals::restart(Vector& r, Vector* r_low, double s) {
    const ScalarArg factor = times(s);
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
    download_two_floats(from.hi, from.lo, from.length(),
                        [&](std::size_t i, double number) { x[i] = scale_[i] * number / u_; });
}

}  // namespace glsolve::inline v0_1
