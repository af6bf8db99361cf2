#include "opengl/texture_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1::opengl {

Texture TexturePool::take(Extent extent, Element element) {
    const auto found = std::find_if(spares_.begin(), spares_.end(),
                                    [&](const Spare& s) { return s.extent == extent && s.element == element; });
    if (found != spares_.end()) {
        Texture texture = std::move(found->texture);
        spares_.erase(found);
        return texture;
    }
    Texture texture = generate<Texture>(gl_, gl_.GenTextures);
    gl_.BindTexture(GL_TEXTURE_2D, texture.name());
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    while (gl_.GetError() != GL_NO_ERROR) {
    }  // an older error must not be taken for this allocation's
    if (element == Element::real) {
        gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, extent.width, extent.height, 0, GL_RGBA, GL_FLOAT, nullptr);
    } else {
        gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, extent.width, extent.height, 0, GL_RGBA_INTEGER, GL_INT, nullptr);
    }
    if (const GLenum error = gl_.GetError(); error != GL_NO_ERROR) {
        throw DeviceError(fmt::format("OpenGL: no texture of {} x {} {} texels ({:.1f} MB): {}", extent.width,
                                      extent.height, element == Element::real ? "RGBA32F" : "RGBA32I",
                                      static_cast<double>(extent.texels()) * 16e-6,
                                      error == GL_OUT_OF_MEMORY ? "out of memory" : fmt::format("error {:#x}", error)));
    }
    ++allocations_;
    bytes_ += extent.texels() * 16;
    return texture;
}

void TexturePool::give_back(Texture texture, Extent extent, Element element) {
    spares_.push_back({std::move(texture), extent, element});
}

void TexturePool::destroy(Texture texture, Extent extent) {
    std::erase_if(framebuffers_, [&](const auto& entry) {
        return std::find(entry.first.begin(), entry.first.end(), texture.name()) != entry.first.end();
    });
    bytes_ -= extent.texels() * 16;
}

GLuint TexturePool::framebuffer(std::span<const GLuint> textures) {
    const std::vector<GLuint> key(textures.begin(), textures.end());
    const auto found = framebuffers_.find(key);
    if (found != framebuffers_.end()) return found->second.name();

    Framebuffer framebuffer = generate<Framebuffer>(gl_, gl_.GenFramebuffers);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
    std::array<GLenum, max_outputs> buffers{};
    for (std::size_t i = 0; i < key.size(); ++i) {
        buffers[i] = GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i);
        gl_.FramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, key[i], 0);
    }
    gl_.DrawBuffers(static_cast<GLsizei>(key.size()), buffers.data());
    gl_.ReadBuffer(GL_COLOR_ATTACHMENT0);
    const GLenum status = gl_.CheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        throw DeviceError(
            fmt::format("OpenGL: this driver cannot render to {} RGBA32F textures (framebuffer status "
                        "{:#x})",
                        key.size(), status));
    }
    return framebuffers_.emplace(key, std::move(framebuffer)).first->second.name();
}

void TexturePool::label(const Texture& texture, std::string_view text) const {
    if (features_.debug && gl_.ObjectLabel != nullptr) {
        gl_.ObjectLabel(GL_TEXTURE, texture.name(), static_cast<GLsizei>(text.size()), text.data());
    }
}

}  // namespace glsolve::inline v0_1::opengl
