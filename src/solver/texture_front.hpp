/// Solves of a matrix or a function on textures: by the first method of a chain, or by what stands in for it.
#pragma once

#include <memory>

#include "solver/method_chain.hpp"
#include "solver/texture_work.hpp"

namespace glsolve::inline v0_1 {

class TextureFront {
  public:
    /// `chain` must outlive the object. Throws InvalidInput where its matrix is another one on the device, and what
    /// TextureWork throws.
    explicit TextureFront(MethodChain& chain);

    TextureWork& work() { return work_; }

  private:
    MethodChain::StandIn stand_in_;  // none: the chain's first does it
    TextureWork work_;
};

}  // namespace glsolve::inline v0_1
