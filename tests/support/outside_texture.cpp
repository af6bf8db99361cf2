#include "support/outside_texture.hpp"

namespace glsolve::test {

OutsideTexture::OutsideTexture(Backend& backend, Extent extent, int components, const std::vector<float>& texels)
    : backend_(backend), opengl_(dynamic_cast<opengl::OpenGlBackend*>(&backend)), extent_(extent) {
    if (opengl_ == nullptr) {
        id_ = backend.allocate(extent, Element::real, "the caller's");
        backend.upload(id_, texels);
        return;
    }
    const opengl::Functions& gl = opengl_->functions();
    gl.GenTextures(1, &name_);
    gl.ActiveTexture(GL_TEXTURE0);
    gl.BindTexture(GL_TEXTURE_2D, name_);
    const GLenum format = components == 1 ? GL_R32F : components == 2 ? GL_RG32F : GL_RGBA32F;
    gl.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), extent.width, extent.height, 0, GL_RGBA, GL_FLOAT,
                  texels.data());
    gl.BindTexture(GL_TEXTURE_2D, 0);
    id_ = backend.adopt(name_, TextureUse::written, "test");
}

OutsideTexture::~OutsideTexture() {
    backend_.release(id_);
    if (opengl_ != nullptr) opengl_->functions().DeleteTextures(1, &name_);
}

std::vector<float> OutsideTexture::download() const {
    std::vector<float> texels(static_cast<std::size_t>(extent_.texels()) * 4);
    if (opengl_ == nullptr) {
        backend_.read(id_, texels);
        return texels;
    }
    const opengl::Functions& gl = opengl_->functions();
    GLuint framebuffer = 0;
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name_, 0);
    gl.ReadPixels(0, 0, extent_.width, extent_.height, GL_RGBA, GL_FLOAT, texels.data());
    gl.DeleteFramebuffers(1, &framebuffer);
    return texels;
}

}  // namespace glsolve::test
