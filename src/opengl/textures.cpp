#include "opengl/textures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <glsolve/error.hpp>

#include "base/host_array.hpp"
#include "base/parallel.hpp"
#include "opengl/gl_names.hpp"

namespace glsolve::inline v0_1::opengl {

Texture Textures::make(Extent extent, Element element, std::string_view label) {
    barriers_.await_stores();  // of whoever had the texture before
    bindings_.forget();        // it will be bound to whatever unit is active, and cleared through a framebuffer
    const auto spare = std::find_if(spares_.begin(), spares_.end(),
                                    [&](const Spare& s) { return s.extent == extent && s.element == element; });
    if (spare != spares_.end()) {
        Texture reused = std::move(spare->texture);
        spares_.erase(spare);
        gl_.BindTexture(features_.texture_target, reused.name());
        if (element == Element::real) clear(reused.name());
        return reused;
    }
    try {
        return make_new(extent, element, label);
    } catch (const DeviceError&) {
        if (spares_.empty() && !staging_.holds()) throw;
    }
    trim();  // what others have left may be what is missing
    return make_new(extent, element, label);
}

Textures::Format Textures::format_of(Element element) {
    switch (element) {
        case Element::real:
            return {GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, "RGBA32F"};
        case Element::integer:
            return {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16, "RGBA32I"};
        case Element::half:
            return {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, "RGBA16F"};
    }
    return {};
}

Texture Textures::allocate(Extent extent, const Format& format, const void* texels) {
    auto texture = generate<Texture>(gl_, gl_.GenTextures);
    const GLenum target = features_.texture_target;
    gl_.BindTexture(target, texture.name());
    gl_.TexParameteri(target, GL_TEXTURE_BASE_LEVEL, 0);
    gl_.TexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
        gl_.TexParameteri(target, filter, GL_NEAREST);  // without, textures of integers are incomplete
    }
    // An older error must not be taken for this allocation's. (A lost context may report errors without end.)
    for (int i = 0; i < 16 && gl_.GetError() != GL_NO_ERROR; ++i) {
    }
    gl_.TexImage2D(target, 0, static_cast<GLint>(format.internal), extent.width, extent.height, 0, format.components,
                   format.type, texels);
    if (const GLenum error = gl_.GetError(); error != GL_NO_ERROR) {
        throw DeviceError(fmt::format("OpenGL: no texture of {} x {} {} texels ({:.1f} MB): {}", extent.width,
                                      extent.height, format.name,
                                      static_cast<double>(extent.texels() * format.bytes) * 1e-6,
                                      error == GL_OUT_OF_MEMORY ? "out of memory" : error_name(error)));
    }
    return texture;
}

Texture Textures::make_counter() {
    const GLuint zero = 0;
    bindings_.forget();
    return allocate({1, 1}, {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, "R32UI"}, &zero);
}

/// llvmpipe compiles a program once for textures whose height is a power of two and once for others: there floats, but
/// for very long vectors, have others. Lines behind the last one stay zeros, as what is outside an image is.
Extent Textures::stored(Extent extent, Element element) const {
    constexpr int high = 4096;  // the device's limit may be a power of two, and both kinds take at least so much
    if (!features_.software || element != Element::real || extent.height >= high) return extent;
    while (std::has_single_bit(static_cast<unsigned>(extent.height))) ++extent.height;
    return extent;
}

Texture Textures::make_new(Extent extent, Element element, std::string_view label) {
    Texture texture = allocate(stored(extent, element), format_of(element), nullptr);
    if (features_.debug && gl_.ObjectLabel != nullptr) {  // for RenderDoc and its like
        gl_.ObjectLabel(GL_TEXTURE, texture.name(), static_cast<GLsizei>(label.size()), label.data());
    }
    ++allocations_;
    bytes_ += bytes_of(extent, element);
    if (element == Element::real) clear(texture.name());
    return texture;
}

void Textures::upload(GLuint texture, Extent extent, Element element, const void* texels) {
    const auto copy = [&](void* to) {
        parallel_copy(to, texels, static_cast<std::size_t>(extent.texels() * bytes_a_texel(element)));
    };
    if (!upload_staged(texture, extent, element, copy)) put(texture, extent, element, texels);
}

void Textures::upload(GLuint texture, Extent extent, const FillTexels& fill) {
    const std::size_t floats = static_cast<std::size_t>(extent.texels()) * 4;
    const auto make = [&](void* to) { fill({static_cast<float*>(to), floats}); };
    if (upload_staged(texture, extent, Element::real, make)) return;
    const HostArray<float> texels(floats);
    fill(texels.all());
    put(texture, extent, Element::real, texels.all().data());
}

bool Textures::upload_staged(GLuint texture, Extent extent, Element element,
                             const std::function<void(void* to)>& fill) {
    // Software renderers copy on the processor anyway.
    constexpr std::size_t worth_it = std::size_t{1} << 20;
    const auto bytes = static_cast<std::size_t>(extent.texels() * bytes_a_texel(element));
    if (features_.software || bytes < worth_it || !staging_.bind(bytes, fill)) return false;
    put(texture, extent, element, nullptr);
    staging_.unbind();
    return true;
}

void Textures::put(GLuint texture, Extent extent, Element element, const void* texels) {
    const Format format = format_of(element);
    barriers_.await_stores();
    bindings_.bind_texture_for_upload(texture);
    gl_.TexSubImage2D(features_.texture_target, 0, 0, 0, extent.width, extent.height, format.components, format.type,
                      texels);
}

void Textures::give_back(Texture texture, Extent extent, Element element) {
    constexpr std::size_t most_spares = 256;
    // In the memory of the processor new pages take longer to come than a texture to fill.
    const std::int64_t most_spare_bytes = std::int64_t{features_.software ? 256 : 64} << 20;
    spares_.push_back({std::move(texture), extent, element});
    const auto spare_bytes = [&] {
        std::int64_t bytes = 0;
        for (const Spare& s : spares_) bytes += bytes_of(s.extent, s.element);
        return bytes;
    };
    while (spares_.size() > most_spares || (!spares_.empty() && spare_bytes() > most_spare_bytes)) drop_oldest_spare();
}

void Textures::trim() {
    while (!spares_.empty()) drop_oldest_spare();
    staging_.trim();
}

void Textures::drop_oldest_spare() {
    bindings_.forget();  // its name may become another's
    const Spare& oldest = spares_.front();
    std::erase_if(framebuffers_, [&](const auto& entry) {
        return std::find(entry.first.begin(), entry.first.end(), oldest.texture.name()) != entry.first.end();
    });
    bytes_ -= bytes_of(oldest.extent, oldest.element);
    spares_.erase(spares_.begin());
}

GLuint Textures::framebuffer(std::span<const GLuint> textures) {
    const std::vector<GLuint> key(textures.begin(), textures.end());
    const auto found = framebuffers_.find(key);
    if (found != framebuffers_.end()) return found->second.name();

    bindings_.forget();
    auto framebuffer = generate<Framebuffer>(gl_, gl_.GenFramebuffers);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
    std::array<GLenum, max_outputs> buffers{};
    for (std::size_t i = 0; i < key.size(); ++i) {
        buffers[i] = GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i);
        gl_.FramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], features_.texture_target, key[i], 0);
    }
    gl_.DrawBuffers(static_cast<GLsizei>(key.size()), buffers.data());
    gl_.ReadBuffer(GL_COLOR_ATTACHMENT0);
    const GLenum status = gl_.CheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        throw DeviceError(fmt::format("OpenGL: this driver cannot render to {} RGBA32F textures ({})", key.size(),
                                      framebuffer_status_name(status)));
    }
    return framebuffers_.emplace(key, std::move(framebuffer)).first->second.name();
}

void Textures::bind_for_reading(GLuint texture) {
    barriers_.await_stores();
    attach(GL_READ_FRAMEBUFFER, texture);
}

void Textures::clear(GLuint texture) {
    attach(GL_FRAMEBUFFER, texture);
    constexpr std::array<GLfloat, 4> zeros{};
    gl_.ClearBufferfv(GL_COLOR, 0, zeros.data());
    gl_.Flush();  // softpipe puts clears off, past image stores that come later
}

void Textures::attach(GLenum target, GLuint texture) {
    if (!single_) single_ = generate<Framebuffer>(gl_, gl_.GenFramebuffers);
    gl_.BindFramebuffer(target, single_.name());
    gl_.FramebufferTexture2D(target, GL_COLOR_ATTACHMENT0, features_.texture_target, texture, 0);
    gl_.ReadBuffer(GL_COLOR_ATTACHMENT0);
}

}  // namespace glsolve::inline v0_1::opengl
