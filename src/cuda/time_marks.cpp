#include "cuda/time_marks.hpp"

namespace glsolve::inline v0_1::cuda {

TimeMarks::~TimeMarks() {
    const CurrentIfPossible current(context_);
    for (const auto& [ticket, event] : marks_) spare_.push_back(event);
    if (last_ != nullptr) spare_.push_back(last_);
    for (CUevent event : spare_) context_.driver().EventDestroy(event);
}

CUevent TimeMarks::take_event() {
    CUevent event = nullptr;
    if (!spare_.empty()) {
        event = spare_.back();
        spare_.pop_back();
    } else {
        context_.driver().check(context_.driver().EventCreate(&event, 0), "an event to take the time");
    }
    return event;
}

void TimeMarks::queue(Ticket ticket) {
    CUevent event = take_event();
    const CUresult result = context_.driver().EventRecord(event, context_.stream());
    if (result == success) {
        marks_.emplace(ticket.value, event);
    } else {
        spare_.push_back(event);
    }
    context_.driver().check(result, "taking the time");
}

std::optional<double> TimeMarks::try_take(Ticket ticket) {
    const auto found = marks_.find(ticket.value);
    if (found == marks_.end()) return std::nullopt;
    const CUresult state = context_.driver().EventQuery(found->second);
    if (state == not_ready) return std::nullopt;
    context_.driver().check(state, "taking the time");
    CUevent event = found->second;
    float milliseconds = 0;
    if (last_ != nullptr)
        context_.driver().check(context_.driver().EventElapsedTime(&milliseconds, last_, event), "taking the time");
    marks_.erase(found);
    const double seconds = last_seconds_ + static_cast<double>(milliseconds) * 1e-3;
    if (last_ != nullptr && milliseconds < 0) {  // it was marked before the last one
        spare_.push_back(event);
        return seconds;
    }
    if (last_ != nullptr) spare_.push_back(last_);
    last_ = event;
    last_seconds_ = seconds;
    return seconds;
}

void TimeMarks::drop(Ticket ticket) {
    if (const auto mark = marks_.extract(ticket.value); !mark.empty()) spare_.push_back(mark.mapped());
}

}  // namespace glsolve::inline v0_1::cuda
