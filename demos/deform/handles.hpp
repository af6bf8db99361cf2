/// Handles: groups of vertices that are held somewhere, and the way that they are led along.
#pragma once

#include <string>
#include <vector>

#include "deform/mesh.hpp"

namespace deform {

/// The group of a vertex: free, or number of a handle.
using Group = unsigned char;
inline constexpr Group free_group = 0, fixed_group = 1, dragged_group = 2, first_own_group = 3, most_groups = 16;

struct Handles {
    std::vector<Group> group;  ///< of each vertex
    Vector base, tip;          ///< the middles of the fixed and of the dragged group
};

/// The lowest and the highest 6 % of the mesh's height: fixed and dragged. Parts that are not connected with either
/// stay where they are: they are fixed, too, for else nothing would say where they are. Throws std::runtime_error where
/// the mesh has no height.
Handles handles_at_ends(const Mesh& mesh);

/// A new handle: all vertices that are connected with `vertex`, not held yet, and nearer to it than `radius` where the
/// mesh is now. Returns how many there are.
int add_handle(Handles& handles, const Mesh& mesh, std::size_t vertex, float radius, Group group);

enum class Path { none, bend, twist, stretch };

/// Where the path leads the dragged group: all the way with `amount` 1. Bent is along an arc as long as the way from
/// base to tip, by 1.9 radians; twisted by half a turn; stretched by half of the length.
Motion motion_along(Path path, double amount, const Handles& handles);
/// There and back: sin^2(pi frame / period).
double amount_at(int frame, int period);

}  // namespace deform
