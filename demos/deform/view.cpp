#include "deform/view.hpp"

#include <algorithm>
#include <stdexcept>

#include "deform/shaders.hpp"

namespace deform {
namespace {

constexpr int shadow_side = 384;
constexpr float shadow_extent = 2.2f;  // half of the square on the ground that has shadows
constexpr int most_samples = 4;

GLuint make_multisampled(int width, int height) {
    GLint samples = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    samples = std::min(samples, most_samples);
    GLuint framebuffer = 0;
    std::array<GLuint, 2> buffers{};
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers.data());
    const auto attach = [&](GLuint buffer, GLenum format, GLenum place) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffer);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer);
    };
    attach(buffers[0], GL_RGBA8, GL_COLOR_ATTACHMENT0);
    attach(buffers[1], GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        throw std::runtime_error("no framebuffer with several samples a pixel and depths");
    }
    return framebuffer;
}

}  // namespace

Vector Camera::forward() const {
    return {static_cast<float>(-std::cos(elevation) * std::sin(azimuth)), static_cast<float>(-std::sin(elevation)),
            static_cast<float>(-std::cos(elevation) * std::cos(azimuth))};
}

Vector Camera::right() const {
    return {static_cast<float>(std::cos(azimuth)), 0, static_cast<float>(-std::sin(azimuth))};
}

Matrix Camera::matrix(float aspect) const {
    const Vector x = right(), y = up(), z = -1 * forward(), e = eye();
    const Matrix to_eye{x.x, y.x, z.x, 0, x.y, y.y, z.y, 0, x.z, y.z, z.z, 0, -dot(x, e), -dot(y, e), -dot(z, e), 1};
    return perspective(slope, aspect, 0.05f, 40.0f) * to_eye;
}

Vector Camera::ray(float across, float upwards, float aspect) const {
    return forward() + (across * slope * aspect) * right() + (upwards * slope) * up();
}

void Camera::orbit(double across, double upwards) {
    azimuth -= across;
    elevation = std::clamp(elevation - upwards, 0.02, 1.45);
}

void Camera::zoom(double wheel) { distance = std::clamp(distance * std::exp(-0.1 * wheel), 1.5, 15.0); }

View::View(const MeshTextures& mesh, int width, int height, float ground)
    : mesh_(mesh),
      width_(width),
      height_(height),
      ground_(ground),
      normals_pass_(shaders::normals),
      background_(shaders::background),
      mesh_pass_(shaders::mesh_vertex, shaders::mesh_fragment),
      shadow_pass_(shaders::shadow_vertex, shaders::shadow_fragment),
      blur_(shaders::blur),
      normals_(demo::make_texture(GL_RGBA32F, mesh.width, mesh.height)),
      into_normals_(demo::make_framebuffer(normals_)),
      into_picture_(make_multisampled(width, height)) {
    for (std::size_t k = 0; k < 2; ++k) {
        shadow_[k] = demo::make_texture(GL_R8, shadow_side, shadow_side);
        into_shadow_[k] = demo::make_framebuffer(shadow_[k]);
        glBindTexture(GL_TEXTURE_2D, shadow_[k]);
        for (const int filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
            glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(filter), GL_LINEAR);
        }
        for (const int wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
            glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(wrap), GL_CLAMP_TO_EDGE);
        }
    }
}

void View::find_normals() const {
    normals_pass_.run({{"rest", mesh_.rest},
                       {"moved", mesh_.moved},
                       {"fans", mesh_.fans},
                       {"edges", mesh_.edges},
                       {"corners", mesh_.corners}},
                      into_normals_, mesh_.width, mesh_.height);
}

/// The mesh's flat shadow on the ground, blurred twice along each side: the border stays dark nowhere, so that nothing
/// is smeared beyond the square.
void View::find_shadow() const {
    glBindFramebuffer(GL_FRAMEBUFFER, into_shadow_[0]);
    glViewport(0, 0, shadow_side, shadow_side);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    shadow_pass_.begin({{"moved", mesh_.moved}});
    glUniform1f(shadow_pass_.uniform("ground"), ground_);
    glUniform1f(shadow_pass_.uniform("extent"), shadow_extent);
    mesh_.draw_triangles();
    for (std::size_t k = 0; k < 2; ++k) {
        const Pass::Textures inputs = {{"picture", shadow_[k]}};
        blur_.begin(inputs);
        glUniform2i(blur_.uniform("direction"), k == 0, k == 1);
        blur_.run(inputs, into_shadow_[1 - k], shadow_side, shadow_side);
    }
}

void View::draw(const Camera& camera, GLuint framebuffer) const {
    find_normals();
    find_shadow();
    const float aspect = static_cast<float>(width_) / static_cast<float>(height_);
    const Vector eye = camera.eye(), forward = camera.forward();
    const Vector right = (Camera::slope * aspect) * camera.right(), up = Camera::slope * camera.up();

    const Pass::Textures inputs = {{"shadow", shadow_[0]}};
    background_.begin(inputs);
    const auto set = [&](const Pass& pass, const char* name, Vector v) {
        glUniform3f(pass.uniform(name), v.x, v.y, v.z);
    };
    set(background_, "eye", eye);
    set(background_, "right", right);
    set(background_, "up", up);
    set(background_, "forward", forward);
    glUniform2f(background_.uniform("size"), static_cast<float>(width_), static_cast<float>(height_));
    glUniform1f(background_.uniform("ground"), ground_);
    glUniform1f(background_.uniform("extent"), shadow_extent);
    background_.run(inputs, into_picture_, width_, height_);

    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    mesh_pass_.begin({{"moved", mesh_.moved}, {"normals", normals_}, {"anchors", mesh_.anchors}});
    glUniformMatrix4fv(mesh_pass_.uniform("camera"), 1, GL_FALSE, camera.matrix(aspect).data());
    set(mesh_pass_, "eye", eye);
    glUniform1f(mesh_pass_.uniform("ground"), ground_);
    mesh_.draw_triangles();
    glDisable(GL_DEPTH_TEST);

    glBindFramebuffer(GL_READ_FRAMEBUFFER, into_picture_);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace deform
