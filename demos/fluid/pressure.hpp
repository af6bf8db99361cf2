/// The pressure by one of three methods of glsolve, from texture to texture.
#pragma once

#include <array>
#include <glsolve/glsolve.hpp>
#include <optional>
#include <string>

#include "simulation.hpp"

namespace fluid {

enum class Method { jacobi, cg, multigrid };

/// The work of a frame.
struct Work {
    int iterations = 0;       ///< at most; 0: what is usual for the method
    double milliseconds = 0;  ///< of the GPU, as earlier frames took them; 0: any
    bool profile = false;     ///< reports say what each kind of pass takes
};

class Pressure {
  public:
    Pressure(const Simulation& simulation, Method method, const Work& work);

    /// From the next frame on. The first time a solver is made for it, which takes a moment.
    void choose(Method method);
    Method method() const { return method_; }
    /// Of the present method, in words: what iterates, what it is preconditioned with.
    std::string iteration() const;
    std::string preconditioner() const;
    int iterations() const;

    /// Encodes the work of a frame: what the cells are now, and the pressure.
    void enqueue();
    /// The outcome of an earlier frame; never waits.
    std::optional<glsolve::Report> poll() { return solver().poll(); }

  private:
    glsolve::GridSolver& solver() { return solvers_[static_cast<std::size_t>(method_)]; }

    const Simulation& simulation_;
    glsolve::Device device_ = glsolve::Device::adopt_current_opengl();
    std::array<glsolve::GridSolver, 3> solvers_;  // empty: not chosen yet
    Method method_;
    Work work_;
};

}  // namespace fluid
