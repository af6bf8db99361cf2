/// The corrections of a solve: on the device in two floats as long as they can tell, else on the host in double
/// precision. What is handed back has always been judged in double precision.
#pragma once

#include <glsolve/report.hpp>
#include <string>
#include <string_view>

#include "refinement/device_residuals.hpp"
#include "refinement/iteration_loop.hpp"
#include "refinement/residuals.hpp"
#include "refinement/true_residual.hpp"

namespace glsolve::inline v0_1 {

class Refinement final : public Residuals {
  public:
    /// `device` may be null: the host then computes all residuals, and `why` says why.
    Refinement(TrueResidual& truth, DeviceResiduals* device, std::string why);

    const TrueResidual& truth() const { return truth_; }

    /// From here on `correct` returns 0: the recurrence's residual need not come to the host.
    void ignore_drift() { ignores_drift_ = true; }

    void restart(Vector& r, Vector* r_low, double s) override;
    /// On the host  x <- x + S C y / s.
    double correct(const Vector& y, const Vector* y_low, const Vector& r, double s) override;
    /// The same for a method without a recurrence for the residual: reads its status along, and nothing else on the
    /// device.
    StatusLook correct(const Vector& y, double s, const Scalar& status, std::int64_t first);
    /// p^T S A S p in double precision.
    double curvature(const Vector& p) const;
    /// Hands x back, the best one seen, with its residual in double precision. `why`: the host goes on.
    void finish(std::string why = "");

    /// How many corrections the device has computed; where the others were, and why.
    void report(Report& report) const;

  private:
    DeviceResiduals::Norms correct_on_device(const Vector& y, const Vector& r, double s, const Scalar* status);
    void add(const Vector& y, double s);
    void hand_over(std::string why);
    /// The numbers of v on the host, while `use` runs.
    static void read(const Vector& v, const UseTexels& use);

    TrueResidual& truth_;
    DeviceResiduals* device_;
    std::string why_;
    std::string_view arithmetic_ = "two floats";  // of residuals on the device
    std::int64_t on_device_ = 0;
    double best_on_device_;
    bool latest_is_best_ = true, ignores_drift_ = false;
};

}  // namespace glsolve::inline v0_1
