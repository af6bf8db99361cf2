#include "deform/mesh.hpp"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>

namespace deform {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
    throw std::runtime_error(file + ": " + why);
}

/// One line of it, without what the loader puts around.
std::string first_line(std::string words) {
    words.erase(std::min(words.find('\n'), words.size()));
    return words;
}

/// Leaves out what no triangle uses.
void drop_unused(Mesh& mesh) {
    constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> number(mesh.size(), unused);
    for (const auto& triangle : mesh.triangles) {
        for (const std::uint32_t v : triangle) number[v] = 0;
    }
    std::uint32_t kept = 0;
    for (std::size_t v = 0; v < mesh.size(); ++v) {
        if (number[v] == unused) continue;
        mesh.vertices[kept] = mesh.vertices[v];
        number[v] = kept++;
    }
    mesh.vertices.resize(kept);
    for (auto& triangle : mesh.triangles) {
        for (std::uint32_t& v : triangle) v = number[v];
    }
}

}  // namespace

Mesh read_obj(const std::string& file) {
    tinyobj::ObjReader reader;
    tinyobj::ObjReaderConfig config;
    config.vertex_color = false;
    if (!reader.ParseFromFile(file, config)) {
        refuse(file, reader.Error().empty() ? "cannot be read as OBJ" : first_line(reader.Error()));
    }
    // Numbers that are too large are a warning to the loader, and its line is the file's last one: of no use.
    if (reader.Warning().find("Vertex indices out of bounds") != std::string::npos) {
        refuse(file, "a face (f) has a vertex that the file does not have");
    }
    Mesh mesh;
    const std::vector<tinyobj::real_t>& numbers = reader.GetAttrib().vertices;
    for (std::size_t k = 0; k + 2 < numbers.size(); k += 3) {
        mesh.vertices.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
        if (!std::isfinite(numbers[k]) || !std::isfinite(numbers[k + 1]) || !std::isfinite(numbers[k + 2])) {
            refuse(file, "vertex " + std::to_string(k / 3 + 1) + " is not finite");
        }
    }
    for (const tinyobj::shape_t& shape : reader.GetShapes()) {
        const std::vector<tinyobj::index_t>& corners = shape.mesh.indices;
        for (std::size_t k = 0; k + 2 < corners.size(); k += 3) {
            std::array<std::uint32_t, 3> triangle{};
            for (std::size_t c = 0; c < 3; ++c) {
                const int v = corners[k + c].vertex_index;
                if (v < 0 || static_cast<std::size_t>(v) >= mesh.size()) {
                    refuse(file, "a face (f) has a vertex that the file does not have");
                }
                triangle[c] = static_cast<std::uint32_t>(v);
            }
            const auto [a, b, c] = triangle;
            if (a != b && b != c && c != a) mesh.triangles.push_back(triangle);
        }
    }
    if (mesh.triangles.empty()) refuse(file, "has no triangles; wanted is an OBJ file with v and f lines");
    drop_unused(mesh);
    if (mesh.size() > most_vertices) {
        refuse(file, "has " + std::to_string(mesh.size()) + " vertices; up to " + std::to_string(most_vertices)
                         + " are accepted");
    }
    return mesh;
}

void write_obj(const std::string& file, const Mesh& mesh) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "w"), std::fclose);
    if (!out) refuse(file, "cannot be written");
    std::fprintf(out.get(), "# glsolve: deform\n");
    for (const Vector& v : mesh.vertices) {  // nine digits: all that a float has
        std::fprintf(out.get(), "v %.9g %.9g %.9g\n", static_cast<double>(v.x), static_cast<double>(v.y),
                     static_cast<double>(v.z));
    }
    for (const auto& [a, b, c] : mesh.triangles) std::fprintf(out.get(), "f %u %u %u\n", a + 1, b + 1, c + 1);
    if (std::fflush(out.get()) != 0 || std::ferror(out.get()) != 0) refuse(file, "cannot be written to its end");
}

Placing place(Mesh& mesh) {
    Vector low = mesh.vertices.front(), high = low;
    for (const Vector& v : mesh.vertices) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    const float diagonal = length(high - low);
    if (!std::isnormal(diagonal)) throw std::runtime_error("the mesh has no extent that single precision can hold");
    const Placing placing{0.5f * low + 0.5f * high, 2 / diagonal};
    for (Vector& v : mesh.vertices) v = placing.scale * (v - placing.centre);
    return placing;
}

Mesh replaced(Mesh mesh, const Placing& placing) {
    for (Vector& v : mesh.vertices) v = (1 / placing.scale) * v + placing.centre;
    return mesh;
}

}  // namespace deform
