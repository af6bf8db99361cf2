/// Seamless cloning on the GPU: a few draw calls, and glsolve between them.
///
/// Source:  P. Perez, M. Gangnet and A. Blake, Poisson Image Editing, ACM Transactions on Graphics 22 (2003).
///
/// The result f has the differences of the source s inside the mask, and the target t's values around it. Unknown is
/// what is added to the target, v = f - t:  -Laplace v = -(div g - Laplace t)  with v = 0 around the mask, g the
/// gradient of s. Red, green and blue have the same matrix: they are three right-hand sides in one texture. Colours are
/// as they are in the file, as in the paper.
#pragma once

#include <array>
#include <cstdint>
#include <glsolve/glsolve.hpp>
#include <optional>

#include "clone/inputs.hpp"
#include "support/stage.hpp"

namespace cloning {

struct Placement {
    int x = 0, y = 0;              ///< of the source's lower left pixel, in the target
    bool mixed_gradients = false;  ///< of source and target the stronger one
    bool operator==(const Placement&) const = default;
};

class Cloning {
  public:
    /// An OpenGL context is current.
    Cloning(const Inputs& inputs, const Placement& first, bool profile);

    /// Some iterations more, until the tolerance is met; new ones from zero if the placement is another one. Returns at
    /// once.
    void frame(const Placement& placement);
    /// The outcome of an earlier frame, if there is one that has not been told.
    std::optional<glsolve::Report> poll();
    /// Iterates until the tolerance is met, and waits for that: not for frames, but for what is written to a file.
    glsolve::Report finish();

    GLuint pasted() const { return pasted_; }  ///< textures as large as the target; with mipmaps if asked for
    GLuint cloned() const { return cloned_; }
    GLuint source() const { return source_; }  ///< its own size, alpha is the mask, with mipmaps
    void use_mipmaps(bool use) { mipmaps_ = use; }
    /// Reads one of them.
    demo::Picture read(GLuint picture) const;
    const Placement& placement() const { return placement_; }

  private:
    glsolve::TextureView view(GLuint texture) const { return {.texture = texture, .right_hand_sides = 3}; }
    /// Makes program current, with all that it may read.
    void use(GLuint program) const;
    void place(const Placement& placement);
    void compose();
    std::array<int, 4> overlap() const;

    int source_width_, source_height_, target_width_, target_height_;
    GLuint source_, target_, cells_, b_, v_, pasted_, cloned_;
    GLuint to_cells_, to_b_, to_picture_;
    GLuint into_cells_, into_b_, into_pasted_, into_cloned_;
    glsolve::Device device_;
    glsolve::GridSolver solver_;
    Placement placement_;
    std::array<int, 4> cells_of_{};         // the overlap for which the solver has been told its cells
    std::int64_t enqueued_ = 0, told_ = 0;  // frames that the solver has worked in, and those that poll has told of
    std::int64_t first_here_ = 1;           // the first of them with this placement
    bool met_ = false;                      // its tolerance, here, as far as has been told
    bool mipmaps_ = false;
};

}  // namespace cloning
