/// What a method is given and what it gives back.
#pragma once

#include <array>
#include <functional>
#include <glsolve/options.hpp>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "device/assembled_matrix.hpp"
#include "device/preconditioner.hpp"
#include "refinement/refinement.hpp"

namespace glsolve::inline v0_1 {

/// The system on the device, scaled: S A S and its preconditioner. `M` may be null: M^-1 is then `unit` times the
/// identity, which most methods need not know.
struct System {
    Backend& backend;
    Operator& A;
    Preconditioner* M = nullptr;
    Index size = 0;
    double infinity_norm = 0;            ///< of S A S
    bool symmetric = true;               ///< but for rounding
    std::span<const double> scale = {};  ///< the diagonal of S
    bool residuals_on_device = false;    ///< of corrections, in two floats
    std::string why_on_host = {};        ///< ... if not
    Precision precision = Precision::single;
    double unit = 1;
    Operator* all_digits = nullptr;  ///< the same matrix where A is rounded to half precision; null: A

    /// Of M^-1, where that is all there is to it.
    const Vector* diagonal() const { return M != nullptr ? M->diagonal() : nullptr; }
    /// Is there a preconditioner that needs passes of its own?
    bool applies_M() const { return M != nullptr && M->diagonal() == nullptr; }
    /// What one product and one application of M take together, in products.
    int products() const { return 1 + (applies_M() ? M->products() : 0); }
    /// What a report remarks: what the method has to say and, where it did not work, the preconditioner.
    std::string remarks(std::string of_method, bool worked) const {
        const std::string advice = worked || M == nullptr ? "" : M->advice();
        if (!advice.empty()) of_method += (of_method.empty() ? "" : "; ") + advice;
        return of_method;
    }
};

/// A system whose matrix is assembled, for methods whose passes go on where its products end.
struct AssembledSystem : System {
    AssembledSystem(System system, AssembledMatrix& matrix) : System(std::move(system)), A(matrix) {}

    AssembledMatrix& A;  ///< the same as System::A, with all that it has
};

/// A run of the device, from a new start, on systems that DeviceResiduals hold: one for each right-hand side (column).
struct DeviceRun {
    static constexpr std::size_t most = 4;

    int columns = 1;
    std::int64_t iterations = 0;  ///< at most
    float target = 0;             ///< what |r| is where the recurrence may stop
    std::array<bool, most> takes_part{true, true, true, true};
    bool records = false;  ///< residuals of the iterations, for read_history_later
    /// What is seen on the way, by runs that end soon after the device has stopped, or after this has returned false.
    /// None: all is encoded, and nothing read.
    IterationLoop::Look look = {};
    /// Computes a column's residual; it is taken up at once.
    std::function<void(int column)> begin = {};
    /// The run's y has been added to x, and the new residual is there, until the next column's.
    std::function<void(int column, const Scalar& status)> end = {};
};

/// Who makes such runs.
class DeviceRuns {
  public:
    virtual ~DeviceRuns() = default;

    /// Where a column's residuals are computed. Null: the device cannot, or this method makes no runs.
    virtual DeviceResiduals* residuals(int column) = 0;
    /// Only where there are such residuals.
    virtual void run_on_device(const DeviceRun& run) = 0;
    /// Iterations that may pass without a halving of the residual.
    virtual std::int64_t patience_on_device() const { return std::numeric_limits<std::int64_t>::max(); }
    /// Of the run that is on: texels of which the last components are |r| after each iteration, but for a factor. No
    /// ticket: this method records none.
    virtual std::optional<Ticket> read_history_later() { return {}; }
};

/// A method with its work vectors, ready for any right-hand side.
class IterativeMethod : public DeviceRuns {
  public:
    /// Works until the true residual says that the tolerance is met, or until there is no hope. Fills in status,
    /// reason, iterations, corrections and history.
    virtual void solve(TrueResidual& truth, const Options& options, Report& report) = 0;
    /// Solves from now on end after so many iterations, or as many as they may have at most.
    virtual void stop_after(std::int64_t /*iterations*/) {}
    /// The next solve is of the same system, from where the last one has ended: what that one has left on the device,
    /// directions say, still holds.
    virtual void prepare_resume() {}

    /// Encodes so many iterations from where the last solve has ended, and reads nothing.
    virtual void encode_iterations(std::int64_t count) = 0;
};

/// A method that serves up to four right-hand sides at once, with its work vectors, ready for any.
class MultiRhsMethod : public DeviceRuns {
  public:
    static constexpr int most = 4;

    /// Solves for each of them until its own true residual says that its tolerance is met, or until there is no hope.
    /// Fills in each report as IterativeMethod::solve does; its history holds the corrections only.
    virtual void solve(std::span<TrueResidual> truths, const Options& options, std::span<Report> reports) = 0;
};

}  // namespace glsolve::inline v0_1
