/// Issues the barriers that the compute stage needs; hazards.hpp finds out which.
#pragma once

#include <span>

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

    /// What compute shaders have stored is seen by whatever comes now.
    void await_stores() { issue(hazards_.before_other_work()); }

  private:
    void issue(GLbitfield bits) const {
        if (bits != 0) gl_.MemoryBarrier(bits);
    }

    const Functions& gl_;
    Hazards hazards_;
};

}  // namespace glsolve::inline v0_1::opengl
