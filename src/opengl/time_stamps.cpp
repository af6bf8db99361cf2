#include "opengl/time_stamps.hpp"

#include <algorithm>

namespace glsolve::inline v0_1::opengl {

void TimeStamps::queue(Ticket ticket) {
    Slot* slot = find({0});
    if (slot == nullptr) slot = &slots_.emplace_back(Slot{generate<Query>(gl_, gl_.GenQueries), 0});
    gl_.QueryCounter(slot->query.name(), GL_TIMESTAMP);
    slot->ticket = ticket.value;
}

std::optional<double> TimeStamps::try_take(Ticket ticket) {
    Slot* const slot = find(ticket);
    if (slot == nullptr) return {};
    GLint there = GL_FALSE;
    gl_.GetQueryObjectiv(slot->query.name(), GL_QUERY_RESULT_AVAILABLE, &there);
    if (there == GL_FALSE) return {};
    GLuint64 nanoseconds = 0;
    gl_.GetQueryObjectui64v(slot->query.name(), GL_QUERY_RESULT, &nanoseconds);
    slot->ticket = 0;
    return 1e-9 * static_cast<double>(nanoseconds);
}

void TimeStamps::drop(Ticket ticket) {
    if (Slot* const slot = find(ticket)) slot->ticket = 0;
}

TimeStamps::Slot* TimeStamps::find(Ticket ticket) {
    const auto found = std::ranges::find(slots_, ticket.value, &Slot::ticket);
    return found == slots_.end() ? nullptr : &*found;
}

}  // namespace glsolve::inline v0_1::opengl
