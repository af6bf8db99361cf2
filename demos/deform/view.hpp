/// Drawing the mesh as it lies in its textures, on a ground with a soft shadow.
#pragma once

#include <array>

#include "deform/passes.hpp"
#include "deform/vectors.hpp"
#include "support/stage.hpp"

namespace deform {

/// Goes around the origin and looks at it.
struct Camera {
    double azimuth = 0.45, elevation = 0.20;  // radians
    double distance = 4.15;

    /// The tangent of half the angle that the picture is high.
    static constexpr float slope = 0.30f;

    Vector forward() const;
    Vector right() const;
    Vector up() const { return cross(right(), forward()); }
    Vector eye() const { return static_cast<float>(-distance) * forward(); }
    Matrix matrix(float aspect) const;
    /// The direction through a point of the picture, from -1 to 1 across and upwards; its part along `forward` is 1.
    Vector ray(float across, float upwards, float aspect) const;
    void orbit(double across, double upwards);
    void zoom(double wheel);
};

class View {
  public:
    View(const MeshTextures& mesh, int width, int height, float ground);
    void draw(const Camera& camera, GLuint framebuffer) const;

  private:
    void find_normals() const;
    void find_shadow() const;

    const MeshTextures& mesh_;
    int width_, height_;
    float ground_;
    Pass normals_pass_, background_, mesh_pass_, shadow_pass_, blur_;
    GLuint normals_, into_normals_;
    std::array<GLuint, 2> shadow_{}, into_shadow_{};
    GLuint into_picture_ = 0;  // with several samples a pixel, and depths
};

}  // namespace deform
