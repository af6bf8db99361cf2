/// What a solve takes: its session on the device, its clock, and its counters.
#pragma once

#include <chrono>
#include <glsolve/report.hpp>
#include <memory>
#include <span>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Storages are given back inside one session. Where there can be none, since another OpenGL context is current, the
/// backend keeps them to its own end: null then.
std::unique_ptr<Session> session_if_any(Backend& backend);

/// The work on a device from here on.
class Work {
  public:
    /// What reports say of the system.
    struct Subject {
        std::int64_t matrix_bytes = 0;
        Index size = 0;  ///< of vectors
        double setup_seconds = 0;
    };

    /// `profiles`: times each pass.
    Work(Backend& backend, bool profiles);
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// Tells the reports what it took so far, all of them together.
    void account(std::span<Report> reports, const Subject& subject) const;

  private:
    Backend& backend_;
    Clock::time_point started_;
    Session open_;
    Counters before_;
};

}  // namespace glsolve::inline v0_1
