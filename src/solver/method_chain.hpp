/// The method that was asked for or chosen, and those that go on where `automatic` has chosen what fails.
#pragma once

#include <glsolve/choice.hpp>
#include <memory>
#include <span>
#include <vector>

#include "base/deadline.hpp"
#include "solver/known_ways.hpp"
#include "solver/method_policy.hpp"
#include "solver/prepared_solver.hpp"

namespace glsolve::inline v0_1 {

class MethodChain {
  public:
    /// With the method that was asked for, or the one that suits. What `known` holds is kept, the rest is chosen.
    /// `ways`: of a matrix with other values in the same places.
    MethodChain(Backend& backend, std::shared_ptr<const CheckedSystem> system, Options asked,
                const Structure& known = {}, std::shared_ptr<KnownWays> ways = {});
    ~MethodChain();
    MethodChain(const MethodChain&) = delete;
    MethodChain& operator=(const MethodChain&) = delete;

    /// Within Options::seconds from now on. `resumes`: the last solve of the first method goes on, and no other does.
    Report solve(std::span<const double> b, std::span<double> x, bool resumes = false);
    /// `count` right-hand sides, one after the other in b.
    std::vector<Report> solve_several(std::span<const double> b, std::span<double> x, int count);

    const Options& asked() const { return asked_; }
    /// Null where a method was asked for.
    const std::shared_ptr<KnownWays>& ways() const { return ways_; }
    const CheckedSystem& system() const { return *system_; }
    PreparedSolver& first() { return *links_.front().solver; }
    const PreparedSolver& first() const { return *links_.front().solver; }
    /// Of the method that had the last answer.
    const MethodChoice& choice() const;
    /// What serves other values in the same places.
    const Structure& structure() const;
    /// What solves where nothing may be read back: the first method, null, or, where `automatic` has chosen one that
    /// reads, what stands in for it, and why.
    struct StandIn {
        std::unique_ptr<PreparedSolver> solver;
        std::string why;
    };
    StandIn without_reads() const;

  private:
    struct Link {
        std::unique_ptr<PreparedSolver> solver;
        MethodChoice choice;
        std::int64_t look_after;   // MethodPlan
        bool is_too_slow = false;  // the last solve was given up for something quicker
        double spent_seconds = 0;  // until then
        std::int64_t spent_iterations = 0;
        bool next_has_helped = false;  // the next solve begins with the link behind
    };
    Link link(MethodPlan plan, MethodOrigin origin, const Structure& known = {}) const;
    Link chosen(const Structure& known, Reads reads = Reads::allowed) const;
    void know(std::shared_ptr<KnownWays> earlier, const Structure& known);
    void remember(std::size_t at, const Report& report);
    bool has_failed(std::size_t at, const Report& report) const;
    Report solve_while_quick(std::size_t at, std::span<const double> b, std::span<double> x);
    bool is_followed_by_direct(std::size_t at) const;
    std::size_t answering(std::size_t from) const;
    Report timed_solve(std::span<const double> b, std::span<double> x, bool resumes);
    Report solve_from(std::size_t at, std::span<const double> b, std::span<double> x, bool resumes = false);
    bool may_go_on(std::size_t at, const Report& report) const;
    Report go_on_slowly(std::size_t at, std::span<const double> b, std::span<double> x, const Report& told);
    Report go_on(std::size_t at, std::span<const double> b, std::span<double> x, Report first);
    void make_next(std::size_t at, const Report& report, double seconds_left);

    Backend& backend_;
    std::shared_ptr<const CheckedSystem> system_;
    Options asked_;
    MethodPolicy policy_;
    std::shared_ptr<KnownWays> ways_;
    bool is_of_another_kind_ = false;  // than the matrix before: symmetric, say
    std::vector<Link> links_;
    Deadline deadline_;            // of the call that is on
    double set_up_meanwhile_ = 0;  // of methods that were made in it
};

}  // namespace glsolve::inline v0_1
