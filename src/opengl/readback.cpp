#include "opengl/readback.hpp"

#include <algorithm>
#include <glsolve/error.hpp>
#include <utility>

namespace glsolve::inline v0_1::opengl {

Readback::~Readback() {
    for (const Slot& slot : slots_) {
        if (slot.fence != nullptr) gl_.DeleteSync(slot.fence);
    }
}

void Readback::queue(Ticket ticket, int width, Lines lines) {
    Slot& slot = free_slot(static_cast<std::size_t>(Extent{width, lines.count}.texels()) * 16);
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, slot.buffer.name());
    gl_.ReadPixels(0, lines.first, width, lines.count, GL_RGBA, GL_FLOAT, nullptr);
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    slot.fence = gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    slot.ticket = ticket.value;
}

bool Readback::try_take(Ticket ticket, const UseTexels& use) {
    Slot& slot = find(ticket);
    const GLenum state = gl_.ClientWaitSync(slot.fence, 0, 0);
    throw_if_lost(gl_);
    if (state == GL_WAIT_FAILED) throw DeviceError("OpenGL: waiting for a read-back failed; the context may be lost");
    if (state == GL_TIMEOUT_EXPIRED) return false;
    hand_over(slot, use);
    return true;
}

void Readback::take(Ticket ticket, const UseTexels& use) {
    Slot& slot = find(ticket);
    constexpr GLuint64 second = 1'000'000'000;
    GLenum state = GL_TIMEOUT_EXPIRED;
    while (state == GL_TIMEOUT_EXPIRED) {
        state = gl_.ClientWaitSync(slot.fence, GL_SYNC_FLUSH_COMMANDS_BIT, second);
        throw_if_lost(gl_);
    }
    if (state == GL_WAIT_FAILED) throw DeviceError("OpenGL: waiting for a read-back failed; the context may be lost");
    hand_over(slot, use);
}

void Readback::drop(Ticket ticket) {
    const auto found =
        std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.ticket == ticket.value; });
    if (found == slots_.end()) return;
    gl_.DeleteSync(std::exchange(found->fence, nullptr));
    found->ticket = 0;
}

Readback::Slot& Readback::find(Ticket ticket) {
    const auto found =
        std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.ticket == ticket.value; });
    if (found == slots_.end()) throw Error("collect: this read-back was never asked for, or was taken already");
    return *found;
}

Readback::Slot& Readback::free_slot(std::size_t bytes) {
    const auto found =
        std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.ticket == 0 && s.bytes == bytes; });
    if (found != slots_.end()) return *found;
    Slot slot;
    slot.buffer = generate<Buffer>(gl_, gl_.GenBuffers);
    slot.bytes = bytes;
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, slot.buffer.name());
    gl_.BufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STREAM_READ);
    slots_.push_back(std::move(slot));
    return slots_.back();
}

void Readback::hand_over(Slot& slot, const UseTexels& use) const {
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, slot.buffer.name());
    const void* data =
        gl_.MapBufferRange(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(slot.bytes), GL_MAP_READ_BIT);
    if (data == nullptr) throw DeviceError("OpenGL: a read-back buffer cannot be mapped; the context may be lost");
    const auto end = [&] {
        gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, slot.buffer.name());  // `use` may have bound another
        gl_.UnmapBuffer(GL_PIXEL_PACK_BUFFER);
        gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        gl_.DeleteSync(slot.fence);
        slot.fence = nullptr;
        slot.ticket = 0;
    };
    try {
        use({static_cast<const float*>(data), slot.bytes / sizeof(float)});
    } catch (...) {
        end();
        throw;
    }
    end();
}

}  // namespace glsolve::inline v0_1::opengl
