#include "deform/system.hpp"

#include <algorithm>
#include <numeric>

namespace deform {

glsolve::CsrMatrix edge_weights(const Mesh& mesh) {
    std::vector<glsolve::Triplet> entries;
    entries.reserve(6 * mesh.triangles.size());
    for (const auto& triangle : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {  // the edge that faces the corner k
            const std::uint32_t i = triangle[(k + 1) % 3], j = triangle[(k + 2) % 3];
            const Vector a = mesh.vertices[i] - mesh.vertices[triangle[k]];
            const Vector b = mesh.vertices[j] - mesh.vertices[triangle[k]];
            const double sine = std::max(static_cast<double>(length(cross(a, b))), 1e-30);
            const double weight = std::clamp(0.5 * static_cast<double>(dot(a, b)) / sine, -20.0, 20.0);
            entries.push_back({static_cast<glsolve::Index>(i), static_cast<glsolve::Index>(j), weight});
            entries.push_back({static_cast<glsolve::Index>(j), static_cast<glsolve::Index>(i), weight});
        }
    }
    const auto size = static_cast<glsolve::Index>(mesh.size());
    glsolve::CsrMatrix weights = glsolve::csr_from_triplets(size, size, entries);  // adds what is at the same place
    for (double& weight : weights.value) weight = std::clamp(weight, 0.02, 20.0);
    return weights;
}

double handle_strength(glsolve::CsrView weights) {
    const double sum = std::accumulate(weights.value.begin(), weights.value.end(), 0.0);
    return 100 * sum / static_cast<double>(weights.nonzeros());
}

glsolve::CsrMatrix system_matrix(glsolve::CsrView weights, const Handles& handles, double strength) {
    std::vector<glsolve::Triplet> entries;
    entries.reserve(weights.value.size() + static_cast<std::size_t>(weights.rows));
    for (glsolve::Index i = 0; i < weights.rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        double diagonal = handles.group[row] == free_group ? 0.0 : strength;
        for (auto k = static_cast<std::size_t>(weights.offsets[row]);
             k < static_cast<std::size_t>(weights.offsets[row + 1]); ++k) {
            entries.push_back({i, weights.column[k], -weights.value[k]});
            diagonal += weights.value[k];
        }
        entries.push_back({i, i, diagonal});
    }
    return glsolve::csr_from_triplets(weights.rows, weights.rows, entries);
}

}  // namespace deform
