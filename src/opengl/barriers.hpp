/// The barriers that the compute stage needs: which, and that they are issued.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "opengl/functions.hpp"

namespace glsolve::inline v0_1::opengl {

/// Which barriers the compute stage needs. Image stores are not ordered with anything by themselves (OpenGL 4.6,
/// section 7.13.2). With a barrier for all that may come after every dispatch, a chain of tiny passes takes an H200
/// 3.1 us each, with one for fetches alone 2.4 us.
class Hazards {
  public:
    /// The barrier that a dispatch needs which fetches from some textures and stores into others; 0: none.
    GLbitfield before_dispatch(std::span<const GLuint> fetched, std::span<const GLuint> stored) {
        GLbitfield bits = 0;
        if (any_of(fetched, stored_)) bits |= GL_TEXTURE_FETCH_BARRIER_BIT;         // read after write
        if (any_of(stored, accessed_)) bits |= GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;  // write after read, or after write
        if ((bits & GL_TEXTURE_FETCH_BARRIER_BIT) != 0) stored_.clear();
        if ((bits & GL_SHADER_IMAGE_ACCESS_BARRIER_BIT) != 0) accessed_.clear();
        insert(fetched, accessed_);
        insert(stored, accessed_);
        insert(stored, stored_);
        pending_ = true;
        return bits;
    }

    /// The barrier that everything else needs: reading, uploading, clearing, drawing. 0: none.
    GLbitfield before_other_work() {
        if (!pending_) return 0;
        pending_ = false;
        stored_.clear();
        accessed_.clear();
        return GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT
               | GL_TEXTURE_UPDATE_BARRIER_BIT | GL_PIXEL_BUFFER_BARRIER_BIT;
    }

  private:
    static bool any_of(std::span<const GLuint> names, const std::vector<GLuint>& known) {
        return std::any_of(names.begin(), names.end(),
                           [&](GLuint name) { return std::find(known.begin(), known.end(), name) != known.end(); });
    }
    static void insert(std::span<const GLuint> names, std::vector<GLuint>& into) {
        for (const GLuint name : names) {
            if (std::find(into.begin(), into.end(), name) == into.end()) into.push_back(name);
        }
    }

    std::vector<GLuint> stored_;    // textures since the last barrier for fetches
    std::vector<GLuint> accessed_;  // ... since the last one for stores
    bool pending_ = false;
};

/// Issues them.
class Barriers {
  public:
    explicit Barriers(const Functions& gl) : gl_(gl) {}

    /// A dispatch comes that fetches from some textures and stores into others.
    void before_dispatch(std::span<const GLuint> fetched, std::span<const GLuint> stored) {
        issue(hazards_.before_dispatch(fetched, stored));
    }

    /// The same for a dispatch that stores into a texture of the caller's, who may have fetched from it or stored into
    /// it before, and will do with it what he likes after this call.
    void before_outside_store(std::span<const GLuint> fetched, GLuint stored) {
        issue(hazards_.before_dispatch(fetched, {&stored, 1}) | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        stores_outside_ = true;
    }
    /// A public call ends.
    void leave() {
        if (std::exchange(stores_outside_, false)) await_stores();
    }

    /// What compute shaders have stored is seen by whatever comes now.
    void await_stores() { issue(hazards_.before_other_work()); }

  private:
    void issue(GLbitfield bits) const {
        if (bits != 0) gl_.MemoryBarrier(bits);
    }

    const Functions& gl_;
    Hazards hazards_;
    bool stores_outside_ = false;
};

}  // namespace glsolve::inline v0_1::opengl
