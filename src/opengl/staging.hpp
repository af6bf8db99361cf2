/// What is on its way from the host to textures: a pixel buffer, which all cores fill. Drivers copy from it while the
/// host goes on; out of the caller's own memory they copy on one core, and the host waits.
#pragma once

#include <cstddef>
#include <functional>

#include "opengl/objects.hpp"

namespace glsolve::inline v0_1::opengl {

class Staging {
  public:
    explicit Staging(const Functions& gl) : gl_(gl) {}

    /// Binds room for so many bytes, which `fill` has filled, as the source of uploads, whose pointers are offsets
    /// then; false where there is no such memory, and nothing is bound.
    bool bind(std::size_t bytes, const std::function<void(void* to)>& fill);
    void unbind();
    bool holds() const { return room_ > 0; }
    /// Gives the memory back.
    void trim();

  private:
    const Functions& gl_;
    Buffer buffer_;
    std::size_t room_ = 0;  // bytes
};

}  // namespace glsolve::inline v0_1::opengl
