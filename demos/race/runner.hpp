/// A runner: a method with a solver of its own, which solves the system slice by slice.
#pragma once

#include <cstdint>
#include <glsolve/solver.hpp>
#include <string>
#include <vector>

#include "race/problem.hpp"

namespace race {

/// What the runners get the same of.
enum class Clock : std::uint8_t {
    iterations,  ///< no clock of this machine's: the race is the same each time, and everywhere
    time         ///< seconds
};

/// A method and its preconditioner.
struct Choice {
    glsolve::Method method = glsolve::Method::cg;
    glsolve::PreconditionerKind preconditioner = glsolve::PreconditionerKind::none;

    std::string label() const;
};

/// "METHOD" or "METHOD+PRECONDITIONER". Throws std::runtime_error that lists the names there are.
Choice parse_choice(const std::string& text);

struct CurvePoint {
    std::int64_t iteration = 0;
    double seconds = 0;
    double residual = 0;     ///< |b - A x| / |b|, as the method itself believes it ...
    bool corrected = false;  ///< ... or from b - A x in double precision
};

class Runner {
  public:
    /// Throws glsolve::InvalidInput for a matrix that the choice cannot take.
    Runner(glsolve::Device& device, const Problem& problem, const Choice& choice, double tolerance, Clock clock);

    /// Back to x = 0.
    void start();
    /// Some iterations more: as many as `slice`, or fewer where it is there.
    void run();
    std::int64_t slice() const { return options_.max_iterations; }
    bool running() const { return status_ == glsolve::Outcome::max_iterations; }
    bool converged() const { return status_ == glsolve::Outcome::converged; }

    const std::string& label() const { return label_; }
    glsolve::Outcome status() const { return status_; }
    std::int64_t iterations() const { return iterations_; }
    double seconds() const { return seconds_; }
    double setup_seconds() const { return setup_seconds_; }
    /// The best x so far, and its |b - A x| / |b|. Where the residual climbs the curve is that of the latest one.
    const std::vector<double>& x() const { return x_; }
    double residual() const { return residual_; }
    const std::vector<CurvePoint>& curve() const { return curve_; }
    double used(Clock clock) const { return clock == Clock::time ? seconds_ : static_cast<double>(iterations_); }

  private:
    const Problem& problem_;
    glsolve::Options options_;
    std::string label_;
    glsolve::Solver solver_;
    std::vector<double> x_;
    std::vector<CurvePoint> curve_;
    glsolve::Outcome status_ = glsolve::Outcome::max_iterations;
    double residual_ = 1;
    std::int64_t iterations_ = 0, fallen_at_ = 0;  // where the residual has fallen last
    double seconds_ = 0, setup_seconds_ = 0;
};

}  // namespace race
