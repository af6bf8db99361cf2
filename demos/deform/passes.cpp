#include "deform/passes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "deform/shaders.hpp"

namespace deform {
namespace {

constexpr int list_width = 2048;

/// A list of pairs as a texture.
GLuint make_list(const std::vector<std::array<float, 2>>& list) {
    const auto height = static_cast<int>(list.size() / list_width + 1);
    std::vector<float> texels(static_cast<std::size_t>(4 * list_width) * static_cast<std::size_t>(height));
    for (std::size_t k = 0; k < list.size(); ++k)
        std::copy_n(list[k].begin(), 2, texels.begin() + 4 * static_cast<std::ptrdiff_t>(k));
    return demo::make_texture(GL_RG32F, list_width, height, texels.data());
}

}  // namespace

Pass::Pass(const char* fragment) : program_(demo::make_program((std::string(shaders::common) + fragment).c_str())) {}

Pass::Pass(const char* vertex, const char* fragment)
    : program_(demo::make_program((std::string(shaders::common) + vertex).c_str(),
                                  (std::string(shaders::common) + fragment).c_str())) {}

void Pass::begin(Textures textures) const {
    glUseProgram(program_);
    int unit = 0;
    for (const auto& [name, texture] : textures) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        glBindTexture(GL_TEXTURE_2D, texture);
        glUniform1i(uniform(name), unit++);
    }
    glActiveTexture(GL_TEXTURE0);
}

void Pass::run(Textures textures, GLuint framebuffer, int width, int height) const {
    begin(textures);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

std::vector<float> texels_of(const std::vector<Vector>& vertices, int texels) {
    std::vector<float> result(4 * static_cast<std::size_t>(texels));
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        result[4 * v] = vertices[v].x;
        result[4 * v + 1] = vertices[v].y;
        result[4 * v + 2] = vertices[v].z;
    }
    return result;
}

MeshTextures::MeshTextures(const Mesh& mesh, glsolve::CsrView weights) {
    const auto size = static_cast<int>(mesh.size());
    width = static_cast<int>(std::ceil(std::sqrt(size)));
    height = (size + width - 1) / width;
    const std::vector<float> places = texels_of(mesh.vertices, texels());
    rest = demo::make_texture(GL_RGBA32F, width, height, places.data());
    anchors = demo::make_texture(GL_RGBA32F, width, height);

    std::vector<std::vector<std::array<float, 2>>> corners_of(mesh.size());
    for (const auto& triangle : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            corners_of[triangle[k]].push_back(
                {static_cast<float>(triangle[(k + 1) % 3]), static_cast<float>(triangle[(k + 2) % 3])});
        }
    }
    std::vector<std::array<float, 2>> edge_list, corner_list;
    std::vector<float> fan_texels(4 * static_cast<std::size_t>(texels()));
    for (std::size_t v = 0; v < mesh.size(); ++v) {
        const auto first = static_cast<std::size_t>(weights.offsets[v]),
                   last = static_cast<std::size_t>(weights.offsets[v + 1]);
        const float fan[] = {static_cast<float>(edge_list.size()), static_cast<float>(last - first),
                             static_cast<float>(corner_list.size()), static_cast<float>(corners_of[v].size())};
        std::ranges::copy(fan, fan_texels.begin() + 4 * static_cast<std::ptrdiff_t>(v));
        for (std::size_t k = first; k < last; ++k) {
            edge_list.push_back({static_cast<float>(weights.column[k]), static_cast<float>(weights.value[k])});
        }
        corner_list.insert(corner_list.end(), corners_of[v].begin(), corners_of[v].end());
    }
    fans = demo::make_texture(GL_RGBA32F, width, height, fan_texels.data());
    edges = make_list(edge_list);
    corners = make_list(corner_list);

    element_count = static_cast<GLsizei>(3 * mesh.triangles.size());
    glGenBuffers(1, &elements);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(sizeof(mesh.triangles[0]) * mesh.triangles.size()),
                 mesh.triangles.data(), GL_STATIC_DRAW);
}

void MeshTextures::draw_triangles() const {
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, elements);
    glDrawElements(GL_TRIANGLES, element_count, GL_UNSIGNED_INT, nullptr);
}

}  // namespace deform
