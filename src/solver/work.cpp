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

Work::Work(Backend& backend, bool profiles) : backend_(backend), watch_(backend), open_(backend) {
    backend.profile(profiles);
}

Work::~Work() { backend_.profile(false); }

void Work::account(std::span<Report> reports, const Subject& subject) const {
    const Counters &before = watch_.before(), &after = backend_.counters();
    const Spent &setup = subject.setup, spent = watch_.spent();
    // A solution comes back in pieces, one with each correction; one of them is what any solve must read.
    const std::uint64_t reads = after.reads - before.reads, answers = std::min<std::uint64_t>(reads, reports.size());
    for (Report& report : reports) {
        report.passes = after.passes - before.passes;
        report.reads = reads - answers;
        report.device_bytes = after.bytes;
        report.matrix_bytes = subject.matrix_bytes;
        report.vector_bytes = 16 * layout_of(subject.size).extent().texels();
        report.setup_seconds = setup.seconds;
        report.setup_compile_seconds = setup.compiling;
        report.setup_upload_seconds = setup.uploading;
        report.solve_seconds = spent.seconds;
        report.solve_compile_seconds = spent.compiling;
        for (const auto& [pass, time] : backend_.profile()) {
            report.profile.push_back({std::string(row(pass).name), time.calls, time.seconds,
                                      time.seconds > 0 ? time.bytes / time.seconds : 0});
        }
    }
}

}  // namespace glsolve::inline v0_1
