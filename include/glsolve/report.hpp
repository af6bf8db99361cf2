/// What became of a solve.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

/// How a solve ended. Only `converged` and `met_on_device` are successes.
enum class Outcome : std::uint8_t {
    converged,        ///< |b - A x| <= tolerance, recomputed in double precision from the original matrix; of
                      ///< Method::cgnr also |A^T (b - A x)|: the reason says which
    met_on_device,    ///< work on textures: the residual as the device computed it met the tolerance
    max_iterations,   ///< the iterations were used up
    stagnated,        ///< the residual stopped falling
    diverged,         ///< the residual grew beyond all use
    breakdown,        ///< the method cannot go on: the matrix is not what it needs
    not_finite,       ///< infinities or NaN turned up
    precision_limit,  ///< the arithmetic in use cannot represent a better answer
    inconsistent,     ///< A is singular, and no x solves A x = b to the tolerance: x is one with a small residual
    cancelled         ///< the observer said so
};

GLSOLVE_API std::string_view name(Outcome outcome);

struct HistoryEntry {
    std::int64_t iteration = 0;
    double relative_residual = 0;  ///< |r| / |b| as the recurrence has it; where corrected, the true one in double
    bool corrected = false;
};

/// Time spent in one kind of pass, when profiling was asked for.
struct PassReport {
    std::string name;
    std::uint64_t calls = 0;
    double seconds = 0;
    double bytes_per_second = 0;  ///< each texel of inputs and outputs counted once
};

struct Report {
    Outcome outcome = Outcome::max_iterations;
    std::string reason;  ///< in words
    std::int64_t iterations = 0;
    std::int64_t corrections = 0;            ///< times the true residual replaced the recurrence's
    std::int64_t corrections_on_device = 0;  ///< ... of them in two floats on the device
    std::string residuals;                   ///< where corrections were computed, and why not on the device, in words
    std::string remarks;                     ///< what else the method has to say, as which bounds it used
    double relative_residual = 0;            ///< |b - A x| / |b| in double precision; |b - A x| when b = 0
    double normal_residual = 0;  ///< of least squares: |A^T (b - A x)| / (|A|_F |b - A x|) in double precision
    double setup_seconds = 0;    ///< choice of format, upload, shaders (Solver's constructor)
    double solve_seconds = 0;
    double device_seconds = 0;      ///< of Solver::enqueue, by the device's own clock; 0: not known
    double host_seconds = 0;        ///< ... of them for uploads and for double precision; not where it waits as well
    std::uint64_t passes = 0;       ///< passes encoded
    std::uint64_t reads = 0;        ///< transfers from the device, except that of the solution
    std::int64_t device_bytes = 0;  ///< device memory held while solving ...
    std::int64_t matrix_bytes = 0;  ///< ... of it for the matrix
    std::int64_t vector_bytes = 0;  ///< ... and for one vector as long as a row
    std::vector<HistoryEntry> history;
    std::vector<PassReport> profile;

    bool converged() const { return outcome == Outcome::converged || outcome == Outcome::met_on_device; }
};

}  // namespace glsolve::inline v0_1
