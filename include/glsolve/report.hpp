/// The result of a solve.
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
    /// |b - A x| <= tolerance |b|, or <= the absolute tolerance, in double precision from the original matrix. With
    /// Method::cgnr it may be the
    /// test of |A^T (b - A x)| that is met; Report::reason says which one.
    converged,
    met_on_device,    ///< work on textures: the residual that the device computed met the tolerance
    max_iterations,   ///< the iterations were used up
    time_limit,       ///< Options::seconds were over
    stagnated,        ///< the residual stopped falling
    diverged,         ///< the residual became too large to continue
    breakdown,        ///< the method cannot continue: the matrix does not meet its requirements
    not_finite,       ///< infinities or NaN occurred
    precision_limit,  ///< the arithmetic in use cannot represent a better answer
    inconsistent,     ///< A is singular, or is so but for rounding, and no x solves A x = b to the tolerance
    cancelled         ///< the observer cancelled the solve; on textures also: OpenGL discarded it
};

GLSOLVE_API std::string_view name(Outcome outcome);

struct HistoryEntry {
    std::int64_t iteration = 0;
    /// |r| / |b| from the recurrence. If `corrected`, the true residual in double precision.
    double relative_residual = 0;
    bool corrected = false;
};

/// Time spent in one kind of pass. Filled if Options::profile is set.
struct PassReport {
    std::string name;
    std::uint64_t calls = 0;
    double seconds = 0;
    double bytes_per_second = 0;  ///< each texel of inputs and outputs is counted once
};

struct Report {
    Outcome outcome = Outcome::max_iterations;
    std::string reason;  ///< why the solve ended, in words
    std::int64_t iterations = 0;
    std::int64_t corrections = 0;            ///< how often the true residual replaced the estimate of the method
    std::int64_t corrections_on_device = 0;  ///< ... of these, computed in two floats on the device
    std::string residuals;  ///< where corrections were computed and, if not on the device, why; in words
    std::string remarks;    ///< further remarks of the method, for example the bounds that it used
    double relative_residual =
        0;  ///< |b - A x| / |b| in double precision, on textures in two floats; |b - A x| when b = 0
    double normal_residual = 0;        ///< least squares: |A^T (b - A x)| / (|A|_F |b - A x|) in double precision
    double setup_seconds = 0;          ///< choice of format, upload, shaders (Solver's constructor)
    double setup_compile_seconds = 0;  ///< ... of these, waiting for compilers, or for programs that are kept on disk
    double setup_upload_seconds = 0;   ///< ... and for copies to the device
    double solve_seconds = 0;
    double solve_compile_seconds = 0;  ///< ... of these, waiting for compilers, or for programs that are kept on disk
    double device_seconds = 0;         ///< Solver::enqueue: time on the device's own clock; 0: unknown
    double host_seconds = 0;   ///< part of the time for uploads and double precision, without waiting for the device
    std::uint64_t passes = 0;  ///< passes encoded
    std::uint64_t reads = 0;   ///< transfers from the device, except that of the solution
    std::int64_t device_bytes = 0;  ///< device memory held while solving
    std::int64_t matrix_bytes = 0;  ///< ... of these, for the matrix
    std::int64_t vector_bytes = 0;  ///< ... and for one vector with one element per column of A
    std::vector<HistoryEntry> history;
    std::vector<PassReport> profile;

    bool converged() const { return outcome == Outcome::converged || outcome == Outcome::met_on_device; }
};

}  // namespace glsolve::inline v0_1
