/// The linear system of Laplacian and as-rigid-as-possible deformation, (L + H) p' = b.
#pragma once

#include <glsolve/csr.hpp>
#include <vector>

#include "deform/handles.hpp"
#include "deform/mesh.hpp"

namespace deform {

/// Edges with their weights, w_ij = w_ji > 0, as a matrix without a diagonal: half the sum of the cotangents of the
/// angles that face the edge (Pinkall and Polthier 1993), which makes L the Laplacian of the surface whatever its
/// triangles look like. Angles beyond 90 degrees make weights negative and matrices indefinite: weights are kept
/// between 0.02 and 20 (an equilateral triangle's: 0.58).
glsolve::CsrMatrix edge_weights(const Mesh& mesh);

/// How hard a vertex of a handle is pulled to its place: a hundred times the mean weight of an edge. Handles give way
/// by about a hundredth of what the edges at their rims are stretched by: a thousandth of the mesh, where it is bent
/// far.
double handle_strength(glsolve::CsrView weights);

/// L + H, symmetric and positive definite: -w_ij beside the diagonal, on it the sum of w_ij, and the strength where
/// there is a handle.
glsolve::CsrMatrix system_matrix(glsolve::CsrView weights, const Handles& handles, double strength);

}  // namespace deform
