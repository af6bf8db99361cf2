#include "opengl/staging.hpp"

namespace glsolve::inline v0_1::opengl {

bool Staging::bind(std::size_t bytes, const std::function<void(void* to)>& fill) {
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
            fill(to);
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
