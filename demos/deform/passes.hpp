/// A mesh in textures, and passes over them.
#pragma once

#include <glsolve/csr.hpp>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "deform/mesh.hpp"
#include "support/stage.hpp"

namespace deform {

/// A program and its uniforms. Textures are bound to units in the order in which they are given.
class Pass {
  public:
    /// A pass over a texture's texels, or over the mesh's triangles.
    explicit Pass(const char* fragment);
    Pass(const char* vertex, const char* fragment);

    using Textures = std::initializer_list<std::pair<const char*, GLuint>>;
    /// Makes it the current program, and the textures its inputs.
    void begin(Textures textures) const;
    GLint uniform(const char* name) const { return glGetUniformLocation(program_, name); }
    /// `begin`, and a triangle over all of the picture or texture.
    void run(Textures textures, GLuint framebuffer, int width, int height) const;

  private:
    GLuint program_;
};

/// A texture, and what draws into it.
struct Target {
    GLuint texture = 0, framebuffer = 0;
};

/// A mesh on the device. Vertex i is the texel (i mod width, i / width).
struct MeshTextures {
    MeshTextures(const Mesh& rest, glsolve::CsrView weights);

    int width, height;
    GLuint rest;       ///< where vertices are at rest
    GLuint moved = 0;  ///< where they are now: the solution
    GLuint anchors;    ///< xyz: where a vertex of a handle was when the handle was made; w: the handle, 0: none
    GLuint fans;       ///< of each vertex: its first edge, how many, its first corner, how many
    GLuint edges;      ///< one after the other: the neighbour's number, the weight
    GLuint corners;    ///< ... the other two vertices of a triangle at the vertex
    GLuint elements;   ///< a buffer: three numbers a triangle
    GLsizei element_count;

    glsolve::Index texels() const { return width * height; }
    void draw_triangles() const;
};

/// Four floats a texel: xyz and 0; zeros behind the last vertex.
std::vector<float> texels_of(const std::vector<Vector>& vertices, int texels);

}  // namespace deform
