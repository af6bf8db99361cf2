/// Issues the barriers that the compute stage needs; hazards.hpp finds out which.
#pragma once

#include <span>
#include <utility>

#include "opengl/functions.hpp"
#include "opengl/hazards.hpp"

namespace glsolve::inline v0_1::opengl {

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
