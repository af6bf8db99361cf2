#include "deform/deformation.hpp"

#include <algorithm>

#include "deform/shaders.hpp"
#include "deform/system.hpp"

namespace deform {
namespace {

/// Of single precision there is no more to be had, and most frames use up their iterations before.
constexpr double tolerance = 1e-7;
/// Of the way from the frame before, so much is gone on. The nearer to 1, the faster a shape that lags behind its
/// handles gets there, and the longer it swings.
constexpr float momentum = 0.8f;
/// How much of the energy is that of neighbours turning differently, which keeps limbs from creasing like paper; in
/// units of the mesh's area, so that it does not depend on how fine the mesh is.
constexpr float stiffness = 2e-4f;
/// Passes of rotations a frame: with stiffness a rotation depends on its neighbours', and this is how far that goes.
constexpr int sweeps = 4;

glsolve::Options solver_options(bool profile) {
    return {.method = glsolve::Method::cg,
            .preconditioner = glsolve::PreconditionerKind::jacobi,
            .precision = glsolve::Precision::single,  // with these three, x, y and z are solved for together
            .tolerance = tolerance,
            .profile = profile};
}

float area(const Mesh& mesh) {
    float sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        sum += 0.5f * length(cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]));
    }
    return sum;
}

/// Quaternions that turn nothing.
std::vector<float> no_rotations(const MeshTextures& textures) {
    std::vector<float> texels(4 * static_cast<std::size_t>(textures.texels()));
    for (std::size_t k = 3; k < texels.size(); k += 4) texels[k] = 1;
    return texels;
}

}  // namespace

Deformation::Deformation(const Mesh& mesh, Handles handles, int iterations, bool profile)
    : rest_(mesh),
      handles_(std::move(handles)),
      iterations_(iterations),
      profile_(profile),
      anchors_(mesh.vertices),
      weights_(edge_weights(mesh)),
      strength_(handle_strength(weights_)),
      stiffness_(stiffness * area(mesh)),
      textures_(mesh, weights_),
      find_guess_(shaders::guess),
      find_rotations_(shaders::rotations),
      find_right_side_(shaders::right_side),
      device_(glsolve::Device::adopt_current_opengl()) {
    const std::vector<float> places = texels_of(mesh.vertices, textures_.texels()), none = no_rotations(textures_);
    const auto make = [&](const float* texels) {
        const GLuint texture = demo::make_texture(GL_RGBA32F, textures_.width, textures_.height, texels);
        return Target{texture, demo::make_framebuffer(texture)};
    };
    moved_ = make(places.data());
    before_ = make(places.data());
    spare_ = make(nullptr);
    rotations_ = make(none.data());
    last_rotations_ = make(none.data());
    right_side_ = make(nullptr);
    textures_.moved = moved_.texture;
    upload_anchors();

    // The matrix depends on which vertices are held, not on where: it is made once.
    solver_ = glsolve::Solver(device_, system_matrix(weights_, handles_, strength_), solver_options(profile_));
    solver_.warm_up(view(right_side_.texture), view(moved_.texture));
}

void Deformation::use(Energy energy) {
    if (energy == energy_) return;
    energy_ = energy;
    const std::vector<float> none = no_rotations(textures_);  // what Laplacian deformation keeps all the time
    glBindTexture(GL_TEXTURE_2D, rotations_.texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, textures_.width, textures_.height, GL_RGBA, GL_FLOAT, none.data());
}

/// Where the last two frames were says where the next one will be: a guess for the solver, and for the rotations.
void Deformation::guess_ahead() {
    const Pass::Textures inputs = {{"moved", textures_.moved}, {"before", before_.texture}};
    find_guess_.begin(inputs);
    glUniform1f(find_guess_.uniform("momentum"), momentum);
    find_guess_.run(inputs, spare_.framebuffer, textures_.width, textures_.height);
    std::swap(moved_, spare_);
    std::swap(before_, spare_);
    textures_.moved = moved_.texture;
}

void Deformation::find_rotations() {
    const MeshTextures& t = textures_;
    for (int k = 0; k < sweeps; ++k) {
        std::swap(rotations_, last_rotations_);
        const Pass::Textures inputs = {{"rest", t.rest},
                                       {"moved", t.moved},
                                       {"fans", t.fans},
                                       {"edges", t.edges},
                                       {"last", last_rotations_.texture}};
        find_rotations_.begin(inputs);
        glUniform1f(find_rotations_.uniform("stiffness"), stiffness_);
        find_rotations_.run(inputs, rotations_.framebuffer, t.width, t.height);
    }
}

void Deformation::find_right_side() {
    const MeshTextures& t = textures_;
    std::array<float, 4 * most_groups> turns{}, shifts{};
    for (std::size_t k = 0; k < most_groups; ++k) {
        const auto& [turn, shift] = motions_[k];
        std::ranges::copy(std::array{turn.x, turn.y, turn.z, turn.w},
                          turns.begin() + static_cast<std::ptrdiff_t>(4 * k));
        std::ranges::copy(std::array{shift.x, shift.y, shift.z}, shifts.begin() + static_cast<std::ptrdiff_t>(4 * k));
    }
    const Pass::Textures inputs = {{"rest", t.rest},
                                   {"rotations", rotations_.texture},
                                   {"fans", t.fans},
                                   {"edges", t.edges},
                                   {"anchors", t.anchors}};
    find_right_side_.begin(inputs);
    glUniform1f(find_right_side_.uniform("strength"), static_cast<float>(strength_));
    glUniform4fv(find_right_side_.uniform("turns"), most_groups, turns.data());
    glUniform4fv(find_right_side_.uniform("shifts"), most_groups, shifts.data());
    find_right_side_.run(inputs, right_side_.framebuffer, t.width, t.height);
}

void Deformation::step() {
    guess_ahead();
    if (energy_ == Energy::rigid) find_rotations();
    find_right_side();
    // The positions are the guess, and become the solution.
    solver_.enqueue(view(right_side_.texture), view(moved_.texture), {.iterations = iterations_, .history = true});
}

std::optional<Group> Deformation::grasp(std::size_t vertex, float radius) {
    const auto handle = std::max(first_own_group, static_cast<Group>(1 + *std::ranges::max_element(handles_.group)));
    if (handle >= most_groups) return {};
    const Mesh now = read();
    if (add_handle(handles_, now, vertex, radius, handle) == 0) return {};
    for (std::size_t v = 0; v < now.size(); ++v) {
        if (handles_.group[v] == handle) anchors_[v] = now.vertices[v];
    }
    motions_[handle] = {};
    upload_anchors();
    // Other numbers on the diagonal, in the same places.
    solver_.update_values(system_matrix(weights_, handles_, strength_).value);
    solver_.warm_up(view(right_side_.texture), view(moved_.texture));
    return handle;
}

void Deformation::upload_anchors() {
    std::vector<float> texels = texels_of(anchors_, textures_.texels());
    for (std::size_t v = 0; v < anchors_.size(); ++v) texels[4 * v + 3] = handles_.group[v];
    glBindTexture(GL_TEXTURE_2D, textures_.anchors);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, textures_.width, textures_.height, GL_RGBA, GL_FLOAT, texels.data());
}

Mesh Deformation::read() const {
    std::vector<float> texels(4 * static_cast<std::size_t>(textures_.texels()));
    glBindTexture(GL_TEXTURE_2D, moved_.texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, texels.data());
    Mesh now = rest_;
    for (std::size_t v = 0; v < now.size(); ++v)
        now.vertices[v] = {texels[4 * v], texels[4 * v + 1], texels[4 * v + 2]};
    return now;
}

float Deformation::handle_error(const Mesh& now) const {
    float largest = 0;
    for (std::size_t v = 0; v < now.size(); ++v) {
        const Group handle = handles_.group[v];
        if (handle == free_group) continue;
        largest = std::max(largest, length(now.vertices[v] - apply(motions_[handle], anchors_[v])));
    }
    return largest;
}

}  // namespace deform
