/// What a context is known by. Its address is not enough: a new context often gets the address of one that is gone.
#pragma once

#include <array>

#include "opengl/objects.hpp"

namespace glsolve::inline v0_1::opengl {

/// A vertex array of ours, which contexts never share, with 128 random bits in it. No other context has these, so what
/// we delete while they are found is ours.
class ContextMark {
  public:
    /// Makes it in the current context, whose state stays as it is.
    explicit ContextMark(const Functions& gl);

    /// Is the current context the one that it was made in? No state changes, and no error is raised.
    bool is_here() const;
    /// Has the current context been reset? Then it answers nothing.
    bool is_lost() const;
    /// Does the current context answer queries? Between glBegin and glEnd it does not.
    bool is_answered() const;

  private:
    using Bits = std::array<GLuint, 4>;
    template <class Use>
    void with_vertices_bound(const Use& use) const;
    Bits read() const;

    const Functions& gl_;
    VertexArray vertices_;
    Bits bits_{};
};

}  // namespace glsolve::inline v0_1::opengl
