/// Deformation on the device: a frame is a local step (rotations), a right-hand side, and a solve, all from texture to
/// texture (O. Sorkine and M. Alexa, As-rigid-as-possible surface modeling, 2007; with smooth rotations after Z. Levi
/// and C. Gotsman, Smooth rotation enhanced as-rigid-as-possible mesh animation, 2015).
#pragma once

#include <array>
#include <glsolve/glsolve.hpp>
#include <optional>
#include <vector>

#include "deform/handles.hpp"
#include "deform/mesh.hpp"
#include "deform/passes.hpp"

namespace deform {

enum class Energy {
    rigid,     ///< as rigid as possible: edges turn with their surroundings
    laplacian  ///< edges keep their direction, and so are stretched where the mesh turns
};

class Deformation {
  public:
    /// `mesh` at rest, placed (mesh.hpp). Its OpenGL context is current and stays so.
    Deformation(const Mesh& mesh, Handles handles, int iterations, bool profile);

    /// From now on this handle is its vertices as they were when it was made, moved so.
    void move(Group handle, const Motion& motion) { motions_[handle] = motion; }
    const Motion& motion(Group handle) const { return motions_[handle]; }
    void use(Energy energy);
    Energy energy() const { return energy_; }

    /// A frame's work; returns at once. Nothing of it leaves the device.
    void step();
    /// What became of an earlier frame's solve.
    std::optional<glsolve::Report> poll() { return solver_.poll(); }

    /// Holds vertices around this one where they are, as a new handle; the matrix gets new numbers for that. None where
    /// there is no room for more handles, or nothing free. May wait.
    std::optional<Group> grasp(std::size_t vertex, float radius);
    /// The positions, read from the device: it waits. For a file at the end, for a click of the mouse, not for frames.
    Mesh read() const;

    const Handles& handles() const { return handles_; }
    /// Where all that is held should be: the largest distance from there, of a mesh that `read` has read.
    float handle_error(const Mesh& now) const;
    const MeshTextures& textures() const { return textures_; }
    const std::string& renderer() const { return device_.info().renderer; }

  private:
    void guess_ahead();
    void find_rotations();
    void find_right_side();
    void upload_anchors();
    glsolve::TextureView view(GLuint texture) const { return {.texture = texture, .right_hand_sides = 3}; }

    Mesh rest_;
    Handles handles_;
    int iterations_;
    bool profile_;
    Energy energy_ = Energy::rigid;
    std::array<Motion, most_groups> motions_{};
    std::vector<Vector> anchors_;

    glsolve::CsrMatrix weights_;
    double strength_;
    float stiffness_;
    MeshTextures textures_;
    Target moved_, before_, spare_;  // positions: of this frame, of the one before, of none
    Target rotations_, last_rotations_, right_side_;
    Pass find_guess_, find_rotations_, find_right_side_;

    glsolve::Device device_;
    glsolve::Solver solver_;
};

}  // namespace deform
