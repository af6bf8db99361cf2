#include "opengl/staging.hpp"

#include <cstring>

#include "core/parallel.hpp"

namespace glsolve::inline v0_1::opengl {

bool Staging::bind(const void* data, std::size_t bytes) {
    constexpr Offset grain = Offset{1} << 22;
    if (!buffer_) buffer_ = generate<Buffer>(gl_, gl_.GenBuffers);
    gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_.name());
    if (room_ < bytes) {
        gl_.BufferData(GL_PIXEL_UNPACK_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STREAM_DRAW);
        room_ = bytes;
    }
    // Invalidated: what the device has not copied yet stays where it is, and we get other memory.
    void* const to = gl_.MapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, static_cast<GLsizeiptr>(bytes),
                                        GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    if (to != nullptr) {
        try {
            parallel_for(static_cast<Offset>(bytes), grain, [&](int, Offset begin, Offset end) {
                std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(data) + begin,
                            static_cast<std::size_t>(end - begin));
            });
        } catch (...) {
            trim();
            throw;
        }
        if (gl_.UnmapBuffer(GL_PIXEL_UNPACK_BUFFER) == GL_TRUE) return true;
    }
    trim();
    return false;
}

void Staging::unbind() { gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0); }

void Staging::trim() {
    unbind();
    buffer_ = {};
    room_ = 0;
}

}  // namespace glsolve::inline v0_1::opengl
