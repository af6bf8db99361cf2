/// A texture as a program that uses the library has it: on OpenGL a name of its own, on the host, which has no
/// textures, a storage.
#pragma once

#include <vector>

#include "device/backend.hpp"
#include "opengl/opengl_backend.hpp"

namespace glsolve::test {

class OutsideTexture {
  public:
    /// Of one, two or four floats a texel; `texels` has four for each. Inside a session of the backend.
    OutsideTexture(Backend& backend, Extent extent, int components, const std::vector<float>& texels);
    ~OutsideTexture();
    OutsideTexture(const OutsideTexture&) = delete;
    OutsideTexture& operator=(const OutsideTexture&) = delete;

    GLuint name() const { return name_; }
    StorageId id() const { return id_; }
    /// Four floats for each texel; zeros, and ones in the last, where it holds fewer.
    std::vector<float> download() const;

  private:
    Backend& backend_;
    opengl::OpenGlBackend* opengl_;
    Extent extent_;
    GLuint name_ = 0;
    StorageId id_;
};

}  // namespace glsolve::test
