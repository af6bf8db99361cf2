/// Triangle meshes: from and to OBJ files, and one that is made here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "deform/vectors.hpp"

namespace deform {

struct Mesh {
    std::vector<Vector> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;

    std::size_t size() const { return vertices.size(); }
};

/// The largest mesh that is taken: a vertex's number must be exact as a float, and so must be six times as many.
inline constexpr std::size_t most_vertices = 1'000'000;

/// Faces of more than three corners become triangles; vertices that no triangle uses are left out, and the others keep
/// their order. Throws std::runtime_error that names the file, and the line where that is known.
Mesh read_obj(const std::string& file);
/// So many digits that reading gives the same numbers. Throws std::runtime_error that names the file.
void write_obj(const std::string& file, const Mesh& mesh);

/// A cactus with two arms: smooth, closed, with ribs that show where it is turned. `spacing` is the length of an edge,
/// about; the cactus is 2.4 high.
Mesh make_cactus(double spacing);

/// Where a mesh is: solving, drawing and handles work with the mesh moved to the origin and made as large as a box with
/// a diagonal of 2, so that no number below depends on an OBJ file's units.
struct Placing {
    Vector centre;
    float scale = 1;  ///< placed = scale (p - centre)
};

/// Moves the mesh. Throws std::runtime_error where it has no extent.
Placing place(Mesh& mesh);
/// The way back.
Mesh replaced(Mesh mesh, const Placing& placing);

}  // namespace deform
