/// Textures by size and format: given back ones are kept for the next who asks, and the framebuffers that draw into
/// them. Whatever is done to a texture here waits for what compute shaders have stored, and tells the bindings what it
/// binds beside them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "device/backend.hpp"
#include "opengl/barriers.hpp"
#include "opengl/bindings.hpp"
#include "opengl/objects.hpp"
#include "opengl/staging.hpp"

namespace glsolve::inline v0_1::opengl {

class Textures {
  public:
    Textures(const Functions& gl, const Features& features, Barriers& barriers, Bindings& bindings)
        : gl_(gl), features_(features), barriers_(barriers), bindings_(bindings), staging_(gl) {}

    /// A texture, of zeros if it is real. Throws DeviceError when memory is short.
    Texture make(Extent extent, Element element, std::string_view label);
    /// A texel that counts: a 32 bit number, 0 at first.
    Texture make_counter();
    /// Fills it from the host: four values for each texel, row after row.
    void upload(GLuint texture, Extent extent, Element element, const void* texels);
    /// The same with floats that `fill` makes where they are copied from.
    void upload(GLuint texture, Extent extent, const FillTexels& fill);
    /// Keeps it as a spare one, or deletes it where they are too many or too large.
    void give_back(Texture texture, Extent extent, Element element);

    /// Deletes the spare ones, and room for uploads.
    void trim();

    /// The framebuffer whose colour attachments are these textures; made once, then remembered.
    GLuint framebuffer(std::span<const GLuint> textures);
    /// Makes a texture the source of reads; it reads and waits for nothing itself (readback.hpp does).
    void bind_for_reading(GLuint texture);

    static GLenum internal_format(Element element) { return format_of(element).internal; }
    std::uint64_t allocations() const { return allocations_; }
    std::int64_t bytes() const { return bytes_; }

  private:
    struct Format {
        GLenum internal, components, type;
        int bytes;  // of a texel
        std::string_view name;
    };
    static Format format_of(Element element);
    /// A texture with such content, or none; bound. Throws DeviceError when memory is short.
    Texture allocate(Extent extent, const Format& format, const void* texels);
    Extent stored(Extent extent, Element element) const;
    std::int64_t bytes_of(Extent extent, Element element) const {
        return stored(extent, element).texels() * bytes_a_texel(element);
    }
    Texture make_new(Extent extent, Element element, std::string_view label);
    /// From a pixel buffer that `fill` has filled; false: it is not worth it, or there is none.
    bool upload_staged(GLuint texture, Extent extent, Element element, const std::function<void(void* to)>& fill);
    /// From there, or from the bound pixel buffer.
    void put(GLuint texture, Extent extent, Element element, const void* texels);
    struct Spare {
        Texture texture;
        Extent extent;
        Element element;
    };

    /// Deletes the oldest spare texture, and the framebuffers that draw into it.
    void drop_oldest_spare();
    /// Draws into it once. NVIDIA's driver reads a texture that only image stores have written at 26 MB/s (H200, driver
    /// 580, 2026-11-21: 141 ms for 4 MB; 0.35 ms once it has been a render target).
    void clear(GLuint texture);
    void attach(GLenum target, GLuint texture);

    const Functions& gl_;
    const Features& features_;
    Barriers& barriers_;
    Bindings& bindings_;
    Staging staging_;
    std::vector<Spare> spares_;  // oldest first
    std::map<std::vector<GLuint>, Framebuffer> framebuffers_;
    Framebuffer single_;  // for one texture at a time
    std::uint64_t allocations_ = 0;
    std::int64_t bytes_ = 0;
};

}  // namespace glsolve::inline v0_1::opengl
