/// What stands behind a Solver, and what one of its solves consists of.
#pragma once

#include <glsolve/solver.hpp>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/deadline.hpp"
#include "device/backend.hpp"
#include "formats/function_matrix.hpp"
#include "matrix/closed_regions.hpp"
#include "matrix/host_matrix.hpp"
#include "matrix/row_factors.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "refinement/method.hpp"
#include "solvers/one_call.hpp"
#include "solvers/texture_work.hpp"
#include "solvers/work.hpp"

namespace glsolve::inline v0_1 {

/// The matrix as it goes to the device: rows sorted where that is asked for, and scaled.
struct Prepared {
    std::vector<Index> order;  // of the rows; empty: as they are
    std::string why_moved;     // what is said of it
    int exponent = 0;          // A x = b is solved as  2^exponent A x = 2^exponent b,  near the ends of the range
    CsrMatrix moved;           // A in that order, times 2^exponent
    std::vector<double> scale;

    /// `as_it_is`: without scaling.
    Prepared(const CsrMatrix& A, const Options& options, bool as_it_is);
    const CsrMatrix& on_device(const CsrMatrix& A) const { return moves() ? moved : A; }
    bool moves() const { return !order.empty() || exponent != 0; }
};

/// What was chosen from where the numbers of a matrix stand: it serves other numbers in the same places.
struct Structure {
    std::optional<FormatChoice> format;        // none: to be chosen
    std::optional<FormatChoice> transposed;    // ... of A^T, which cgnr stores beside A
    KnownPlaces known;                         // of the preconditioner
    std::shared_ptr<FunctionMatrix> function;  // A is this; none: it is stored
};

struct Solver::Impl {
    class Column;

    /// What `known` holds is kept, the rest is chosen.
    Impl(Backend& b, CsrMatrix matrix, Options o, Structure known);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    /// With the method that was asked for, or the one that suits.
    static std::unique_ptr<Impl> make(Backend& backend, CsrMatrix A, Options options, const Structure& known = {});
    /// Another one for the same matrix with other numbers. Where it throws, this one is as it was.
    std::unique_ptr<Impl> with_values(std::span<const double> values) const;
    /// `other` takes the place of `own`, also in the call that is under way.
    static void replace(std::unique_ptr<Impl>& own, std::unique_ptr<Impl> other);

    /// A call of the caller's begins, and with it the time that it may take.
    void start_clock() { deadline = Deadline(options.seconds); }
    Report solve(std::span<const double> b, std::span<double> x, bool resumes = false);
    /// With this method, whatever comes of it.
    Report solve_once(std::span<const double> b, std::span<double> x, bool resumes);
    /// Was the method chosen for the caller, and has it failed in a way that another one may not?
    bool may_go_on(const Report& report) const;
    /// With another method from the x that there is, and where that fails with a third one; tells of all.
    Report go_on(std::span<const double> b, std::span<double> x, Report first);
    void make_second(Outcome outcome, double seconds_left);
    /// The one whose method has the answers: this one, or one that has gone on.
    const Impl& answering() const { return second_has_helped ? second->answering() : *this; }
    std::vector<Report> solve_several(std::span<const double> b, std::span<double> x, int count);
    void solve_together(std::span<const double> b, std::span<double> x, std::span<Report> reports);
    /// On textures; made when it is first needed.
    TextureWork& on_textures();
    /// This one, or the one that stands in for it on textures; in a session or not.
    Impl& without_reads();
    /// For several right-hand sides; made when it is first needed.
    MultiRhsMethod& four_at_once();

    /// Do least squares stand in for a method that solves A x = b, which nobody has asked to do without?
    bool wants_solution() const {
        return options.method == Method::cgnr && A.rows == A.columns
               && (is_second || asked_method == Method::automatic);
    }
    /// Of the matrix as it is on the device; looked for when they are first asked for.
    const ClosedRegions& closed_regions() const;
    /// Of A, in exact arithmetic; as many as there are rows, where that takes more than `most` multiplications.
    Index rank(std::int64_t most) const;
    /// What a report says of the system.
    Work::Subject subject() const { return {system->A.bytes(), system->size, setup_seconds}; }
    Spectrum spectrum(int lanczos_steps) const;
    Spectrum nonzero_spectrum(int lanczos_steps) const;
    static CsrMatrix checked(CsrMatrix matrix, const Options& options);
    void make_square(bool low_parts);
    /// How many digits of each value are stored.
    enum class Digits : std::uint8_t { half, single, all };
    std::unique_ptr<AssembledMatrix> stored(Digits digits);
    /// What A is; throws InvalidInput where it is a matrix.
    FunctionMatrix& function() const;
    /// May the function's inputs change without probing it again? They may if the method needs only products with A,
    /// and the device computes the diagonal that the preconditioner needs. |A|, which serves to estimate drift, stays
    /// the one that was probed.
    bool follows_function() const;
    /// The function reads other numbers; in a session.
    void numbers_have_changed();
    void make_normal_equations(bool low_parts);

    /// Throws InvalidInput where another call is under way.
    OneCall one_call() const { return {under_way, "Solver"}; }

    CallUnderWay under_way = no_call();
    std::shared_ptr<Backend> kept;  // where it is shared: the device may end before its solvers
    Backend& backend;
    std::optional<Session> session;  // of the set-up: ends before the object does
    Clock::time_point begin;
    CsrMatrix A;
    Options options;
    Method asked_method;                      // Options::method before `automatic` became one of the others,
    PreconditionerKind asked_preconditioner;  // ... which may take no preconditioner where that divides by zero
    Prepared prepared;
    MethodChoice choice;
    Structure structure;
    std::shared_ptr<const HostMatrix> judged_by;  // none: least squares are judged otherwise
    RowFactors factors;                           // prepared.scale
    std::unique_ptr<Operator> matrix_on_device;
    AssembledMatrix* assembled = nullptr;         // the same; none: of A^T A, which never is
    std::unique_ptr<AssembledMatrix> all_digits;  // of a matrix in half precision, for residuals
    MadePreconditioner preconditioner;
    std::unique_ptr<Jacobi> own_diagonal;  // of a function: jacobi
    bool reads_other_numbers = false;      // a function, since it was probed
    std::optional<System> system;
    std::unique_ptr<IterativeMethod> method;
    std::unique_ptr<MultiRhsMethod> several;  // made when it is first needed
    std::unique_ptr<TextureWork> textures;    // the same
    mutable std::optional<ClosedRegions> regions;
    mutable std::optional<Index> known_rank;
    mutable std::int64_t looked_for_rank = 0;  // multiplications that were allowed
    std::unique_ptr<Impl> for_textures;        // where the method that was chosen reads; made when it is first needed
    std::string remarks_on_textures;           // of such a one
    std::unique_ptr<Impl> second;              // with the method that goes on; made when it is first needed
    bool is_second = false;                    // it is such a one itself
    bool second_has_helped = false;            // the next solve begins with it
    std::vector<Method> tried;                 // before this one, and in vain
    LeastResidual least;     // of the last solve: what no x goes below, where that is above the tolerance
    bool has_least = false;  // its x leaves about that
    Deadline deadline;       // of the call that is on
    double setup_seconds = 0;
};

/// A right-hand side and its solution as the method sees them: the rows in the device's order.
class Solver::Impl::Column {
  public:
    /// All arguments must outlive the object. `resumes`: x is no guess, but where the last solve has ended.
    Column(const Impl& solver, std::span<const double> b, std::span<double> x, bool resumes = false);
    Column(Column&&) noexcept = default;

    /// With its residual computed; must not outlive the object.
    std::unique_ptr<TrueResidual> truth();
    /// Hands x back, and adds to the report what the method does not know.
    void finish(Report& report, const TrueResidual& truth);
    /// What no x goes below, where A x = b has no solution that double precision can hold; does this one leave it?
    const LeastResidual& least() const { return least_; }
    bool has_least() const { return has_least_; }

  private:
    std::span<const double> current_b() const { return moved_b_.empty() ? b_ : moved_b_; }
    std::span<double> current_x() { return moved_x_.empty() ? x_ : std::span<double>(moved_x_); }
    double absolute_tolerance() const;
    bool solves_square() const;
    void leave_out_unsolvable(std::span<const double> b);
    std::int64_t usual_steps(const Report& report) const;
    std::int64_t affordable(std::int64_t wanted) const;
    std::int64_t steps_in_passing(std::int64_t wanted, double solving, double looked) const;
    LeastResidual least_residual(std::span<const double> b, std::span<const double> x, std::int64_t steps) const;
    static bool is_below(const Report& report, const LeastResidual& least);
    void tell_of_unsolvable(Report& report, const TrueResidual& truth);
    void tell_of_inconsistency(Report& report);
    void approach(Report& report, double least, std::int64_t steps);
    void come_nearer(Report& report, std::int64_t steps);
    void tell_of_singularity(Report& report) const;
    bool judge_anew(Report& report);

    const Impl* solver_;
    std::span<const double> b_;
    std::span<double> x_;
    bool from_zero_;
    std::vector<double> moved_b_, moved_x_;  // where the matrix is another one on the device
    // Where closed regions prove that no x solves the system: what b is without the part that no x makes, and the norm
    // of that part.
    std::vector<double> solvable_b_;
    double unsolvable_ = 0, norm_b_ = 0;  // the latter of all of b
    double threshold_ = 0;                // |b - A x| that is asked for
    LeastResidual least_;                 // what no x goes below, as far as that is known
    bool has_least_ = false;              // x is near that
};

}  // namespace glsolve::inline v0_1
