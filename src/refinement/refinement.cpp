#include "refinement/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace glsolve::inline v0_1 {

Refinement::Refinement(TrueResidual& truth, DeviceResiduals* device, std::string why)
    : truth_(truth), device_(device), why_(std::move(why)), best_on_device_(truth.norm()) {
    if (truth.met()) device_ = nullptr;  // nothing is left to correct
    if (device_ == nullptr) return;
    if (device_->in_doubles()) arithmetic_ = "double precision";
    const HostClock::Running timed(truth_.clock());
    if (!(truth_.at_zero() ? device_->begin(truth_.b(), {}, truth_.scaled_norm())
                           : device_->begin(truth_.b(), truth_.x()))) {
        device_ = nullptr;
        why_ = "the numbers of the system do not fit two floats";
    }
}

void Refinement::restart(Vector& r, Vector* r_low, double s) {
    if (device_ != nullptr) {
        if (on_device_ == 0) device_->residual();
        device_->restart(r, r_low, s);
        return;
    }
    const HostClock::Running timed(truth_.clock());
    const std::size_t count = truth_.x().size();  // least squares has longer vectors than unknowns
    truth_.with_scaled_residual(s, [&](const auto& element) {
        r_low != nullptr ? upload_two_floats(r, *r_low, count, element) : upload_floats(r, count, element);
    });
}

/// x <- x + S C y / s on the host.
void Refinement::add(const Vector& y, double s) {
    if (y.backend().holds_doubles()) {
        download_numbers(y, truth_.x().size(), [&](std::size_t i, double number) { truth_.add(i, number, s); });
    } else {
        read(y, [&](std::span<const float> numbers) { truth_.add(numbers, s); });
    }
}

double Refinement::correct(const Vector& y, const Vector* y_low, const Vector& r, double s) {
    if (device_ == nullptr) {
        if (y_low == nullptr) {
            add(y, s);
        } else {
            const HostClock::Running timed(truth_.clock());
            download_two_floats(y, *y_low, truth_.x().size(),
                                [&](std::size_t i, double number) { truth_.add(i, number, s); });
        }
        truth_.recompute(y_low != nullptr);
        const bool no_matter = ignores_drift_ || (y_low != nullptr && truth_.met());  // two floats hardly drift
        double drift = 0;
        if (!no_matter) read(r, [&](std::span<const float> of_device) { drift = truth_.drift(s, of_device); });
        return drift;
    }
    return correct_on_device(y, r, s, nullptr).drift;
}

StatusLook Refinement::correct(const Vector& y, double s, const Scalar& status, std::int64_t first) {
    if (device_ != nullptr) return StatusLook::of(correct_on_device(y, y, s, &status).status, first);
    add(y, s);
    truth_.recompute();
    std::array<float, 4> texel{};
    status.backend().read(status.id(), texel);
    return StatusLook::of(texel, first);
}

DeviceResiduals::Norms Refinement::correct_on_device(const Vector& y, const Vector& r, double s, const Scalar* status) {
    device_->add(y, s);
    const DeviceResiduals::Norms norms = device_->compute(r, s, status);
    ++on_device_;
    truth_.told(norms.residual, norms.scaled, norms.size);
    const bool better = norms.residual < best_on_device_;
    if (latest_is_best_ && !better) device_->keep_without(y, s);
    if (better) best_on_device_ = norms.residual;
    latest_is_best_ = better;
    // Rounding makes residuals of so much in times of their size.
    const auto rounding = [&](double size) { return std::ldexp(size, y.backend().holds_doubles() ? -52 : -48); };
    if (!std::isfinite(norms.residual) || !std::isfinite(norms.size)) {
        hand_over("a sum overflowed on the device");
    } else if (rounding(norms.size) > truth_.threshold() / 4) {
        hand_over(fmt::format("{} makes errors of {:.1e} |b| here, too near the tolerance", arithmetic_,
                              rounding(norms.size) / truth_.norm_b()));
    } else if (truth_.met()) {
        {
            const HostClock::Running timed(truth_.clock());
            device_->download(truth_.x());
        }
        truth_.recompute(true);  // double precision has the last word
        if (!truth_.met()) hand_over("double precision does not confirm that the tolerance is met");
    }
    return norms;
}

double Refinement::curvature(const Vector& p) const {
    double found = 0;
    read(p, [&](std::span<const float> direction) { found = truth_.curvature(direction); });
    return found;
}

void Refinement::finish(std::string why) {
    if (device_ != nullptr && !truth_.met()) hand_over(std::move(why));
    truth_.restore_best();
}

/// The host goes on with the device's x, and knows the best one; with that one where it meets the tolerance.
void Refinement::hand_over(std::string why) {
    DeviceResiduals& device = *std::exchange(device_, nullptr);
    why_ = std::move(why);
    truth_.forget_told();
    if (!latest_is_best_ && best_on_device_ < truth_.best_norm()) {  // else the host has a better one
        {
            const HostClock::Running timed(truth_.clock());
            device.download_kept(truth_.x());
        }
        truth_.recompute();
        if (truth_.met()) return;
    }
    {
        const HostClock::Running timed(truth_.clock());
        device.download(truth_.x());
    }
    truth_.recompute();
}

void Refinement::report(Report& report) const {
    report.host_seconds = truth_.clock().seconds();
    const std::string host = fmt::format("in double precision on the host{}{}", why_.empty() ? "" : ": ", why_);
    report.corrections_on_device = on_device_;
    report.residuals = on_device_ == 0 ? host
                                       : fmt::format("{} in {} on the device{}", on_device_, arithmetic_,
                                                     why_.empty() ? "" : ", then " + host);
}

void Refinement::read(const Vector& v, const UseTexels& use) {
    v.backend().read(
        v.id(), [&](std::span<const float> texels) { use(texels.first(static_cast<std::size_t>(v.layout().length))); });
}

}  // namespace glsolve::inline v0_1
