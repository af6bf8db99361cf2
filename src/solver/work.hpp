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

/// Seconds, and in which part of them the host waited for compilers, or copied to the device.
struct Spent {
    double seconds = 0, compiling = 0, uploading = 0;
};

/// What is spent on a device from here on.
class Stopwatch {
  public:
    explicit Stopwatch(const Backend& backend) : backend_(backend), before_(backend.counters()) {}
    Spent spent() const {
        const Counters& after = backend_.counters();
        return {seconds_since(began_), after.compiling.seconds() - before_.compiling.seconds(),
                after.uploading.seconds() - before_.uploading.seconds()};
    }
    /// What the device had done before.
    const Counters& before() const { return before_; }

  private:
    const Backend& backend_;
    Clock::time_point began_ = Clock::now();
    Counters before_;
};

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
        Spent setup = {};
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
    Stopwatch watch_;
    Session open_;
};

}  // namespace glsolve::inline v0_1
