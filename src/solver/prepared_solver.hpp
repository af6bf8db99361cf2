/// A matrix, or a function, on a device with a format, a preconditioner and one method: ready for right-hand sides.
#pragma once

#include <functional>
#include <glsolve/choice.hpp>
#include <glsolve/multigrid.hpp>
#include <glsolve/options.hpp>
#include <glsolve/report.hpp>
#include <glsolve/spectrum.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "base/deadline.hpp"
#include "device/backend.hpp"
#include "formats/function_matrix.hpp"
#include "matrix/inconsistency.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "refinement/method.hpp"
#include "solver/checked_system.hpp"
#include "solver/method_on_device.hpp"
#include "solver/work.hpp"

namespace glsolve::inline v0_1 {

/// What was chosen from where the numbers of a matrix stand: it serves other numbers in the same places.
struct Structure {
    std::optional<FormatChoice> format;        // none: to be chosen
    std::optional<FormatChoice> transposed;    // ... of A^T, which cgnr stores beside A
    KnownPlaces known;                         // of the preconditioner
    std::shared_ptr<FunctionMatrix> function;  // A is this; none: it is stored
};

/// How a solver came to its method.
enum class MethodOrigin : std::uint8_t {
    asked_for,
    chosen,   ///< for the caller
    goes_on,  ///< the same, where another one has failed
};

class PreparedSolver {
  public:
    /// Options::method is one of the methods, not `automatic`. What `known` holds is kept, the rest is chosen.
    PreparedSolver(Backend& backend, std::shared_ptr<const CheckedSystem> system, Options options, MethodOrigin origin,
                   Structure known = {});
    ~PreparedSolver();
    PreparedSolver(const PreparedSolver&) = delete;
    PreparedSolver& operator=(const PreparedSolver&) = delete;

    struct Call {
        const Deadline& deadline;
        bool resumes = false;  ///< the last solve goes on
        /// At most; the options may allow less.
        std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
        /// Asked where the method gives up: does another one follow that finds out sooner whether there is a solution?
        std::function<bool()> is_followed = {};
    };
    /// What no x goes below is known afterwards.
    Report solve(std::span<const double> b, std::span<double> x, const Call& call);
    /// As many right-hand sides, one after the other in b, as there are reports.
    void solve_together(std::span<const double> b, std::span<double> x, std::span<Report> reports,
                        const Deadline& deadline);

    /// x <- M^-1 b.
    void precondition(std::span<const double> b, std::span<double> x);

    Backend& backend() const { return backend_; }
    const CheckedSystem& checked() const { return *system_; }
    const ScaledMatrix& scaled() const { return scaled_; }
    CsrView A() const { return system_->A(); }
    const Options& options() const { return options_; }
    MethodOrigin origin() const { return origin_; }
    MethodOnDevice& on_device() { return *on_device_; }
    const MethodOnDevice& on_device() const { return *on_device_; }
    const Structure& structure() const { return structure_; }
    const MadePreconditioner& preconditioner() const { return preconditioner_; }
    /// In double precision; none: least squares are judged otherwise.
    const std::shared_ptr<const HostMatrix>& judge() const { return judge_; }
    const ClosedRegions& closed_regions() const { return scaled_.ordered().closed_regions(system_->symmetric()); }
    /// Do least squares stand in for a method that solves A x = b, which nobody has asked to do without?
    bool wants_solution() const {
        return options_.method == Method::cgnr && system_->square() && origin_ != MethodOrigin::asked_for;
    }
    /// Of the last solve: what no x goes below, where that is above the tolerance; does its x leave about that?
    const LeastResidual& least() const { return least_; }
    bool has_least() const { return has_least_; }

    /// Where the eigenvalues of M^-1 A lie.
    Spectrum spectrum(int lanczos_steps) const;
    /// The same without the zeros of a singular matrix. Of A itself where M^-1 A is not definite: a cycle of multigrid
    /// may not be, and A is not to blame then.
    Spectrum nonzero_spectrum(int lanczos_steps) const;

    /// Of a function: is all that texture work needs beside it made of it on the device, whatever it reads? But for
    /// |A|, which the drift is estimated with: that stays the one that was probed.
    bool follows_function() const;
    /// The function reads other numbers; in a session.
    void function_has_changed();

    /// What a report says of the system.
    Work::Subject subject() const { return {on_device_->system().A.bytes(), on_device_->system().size, setup_}; }
    /// More than the set-up of this object belongs to it, a choice of the method say.
    void set_up_took(const Spent& spent) { setup_ = spent; }

  private:
    /// How many digits of each value are stored.
    enum class Digits : std::uint8_t { half, single, all };
    void check_sizes(std::span<const double> b, std::span<const double> x) const;
    void make_square(bool low_parts);
    void make_normal_equations(bool low_parts);
    System square_system();
    void make_preconditioner(System& system);
    std::unique_ptr<AssembledMatrix> stored(Digits digits);
    void check_range_for_device() const;

    std::shared_ptr<Backend> kept_;  // where it is shared: the device may end before its solvers
    Backend& backend_;
    std::optional<Session> session_;  // of the set-up: ends before the object does
    Stopwatch watch_;
    std::shared_ptr<const CheckedSystem> system_;
    Options options_;
    MethodOrigin origin_;
    Structure structure_;
    const ScaledMatrix& scaled_;
    std::shared_ptr<const HostMatrix> judge_;
    std::unique_ptr<Operator> matrix_on_device_;
    AssembledMatrix* assembled_ = nullptr;         // the same; none: of A^T A, which never is
    std::unique_ptr<AssembledMatrix> all_digits_;  // of a matrix in half precision, for residuals
    MadePreconditioner preconditioner_;
    std::unique_ptr<Jacobi> own_diagonal_;  // of a function: jacobi
    std::optional<MethodOnDevice> on_device_;
    LeastResidual least_;
    bool has_least_ = false;
    Spent setup_;
};

}  // namespace glsolve::inline v0_1
