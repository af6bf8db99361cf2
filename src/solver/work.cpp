#include "solver/work.hpp"

#include <algorithm>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {

std::unique_ptr<Session> session_if_any(Backend& backend) {
    try {
        return std::make_unique<Session>(backend);
    } catch (const Error&) {
        return nullptr;
    }
}

Work::Work(Backend& backend, bool profiles)
    : backend_(backend), started_(Clock::now()), open_(backend), before_(backend.counters()) {
    backend.profile(profiles);
}

Work::~Work() { backend_.profile(false); }

void Work::account(std::span<Report> reports, const Subject& subject) const {
    const Counters& after = backend_.counters();
    // A solution comes back in pieces, one with each correction; one of them is what any solve must read.
    const std::uint64_t reads = after.reads - before_.reads, answers = std::min<std::uint64_t>(reads, reports.size());
    for (Report& report : reports) {
        report.passes = after.passes - before_.passes;
        report.reads = reads - answers;
        report.device_bytes = after.bytes;
        report.matrix_bytes = subject.matrix_bytes;
        report.vector_bytes = 16 * layout_of(subject.size).extent().texels();
        report.setup_seconds = subject.setup_seconds;
        report.solve_seconds = seconds_since(started_);
        for (const auto& [pass, time] : backend_.profile()) {
            report.profile.push_back({std::string(row(pass).name), time.calls, time.seconds,
                                      time.seconds > 0 ? time.bytes / time.seconds : 0});
        }
    }
}

}  // namespace glsolve::inline v0_1
