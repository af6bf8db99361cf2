/// A method with the system that it solves on a device: what solvers of matrices, of functions and of grids stand on,
/// and what their work on textures needs of them.
#pragma once

#include <cstdint>
#include <functional>
#include <glsolve/options.hpp>
#include <memory>

#include "refinement/method.hpp"
#include "solver/scaled_preconditioner.hpp"
#include "solver/texture_work.hpp"
#include "solver/work.hpp"

namespace glsolve::inline v0_1 {

class MethodOnDevice {
  public:
    /// `matrix`: that of the system; null where it is not assembled, as A^T A is not. `options` and what the system
    /// refers to must outlive the object.
    MethodOnDevice(System system, AssembledMatrix* matrix, std::unique_ptr<IterativeMethod> method,
                   const Options& options, std::int64_t max_iterations);
    MethodOnDevice(const MethodOnDevice&) = delete;
    MethodOnDevice& operator=(const MethodOnDevice&) = delete;

    const System& system() const { return system_; }
    IterativeMethod& method() const { return *method_; }
    /// Can several right-hand sides be solved at once?
    bool takes_several() const;
    /// For them; made when it is first needed.
    MultiRhsMethod& four_at_once();
    /// As one of A; made when it is first needed, in a session. Throws InvalidInput where the method has none.
    ScaledPreconditioner& preconditioner();
    /// What TextureWork needs; the caller adds how the unknowns lie. Refers to this object.
    TextureWork::System on_textures(std::function<Work::Subject()> subject);

  private:
    System system_;
    AssembledMatrix* matrix_;
    std::unique_ptr<IterativeMethod> method_;
    std::unique_ptr<MultiRhsMethod> several_;
    std::unique_ptr<ScaledPreconditioner> preconditioner_;
    const Options& options_;
    std::int64_t max_iterations_;
};

}  // namespace glsolve::inline v0_1
