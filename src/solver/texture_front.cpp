#include "solver/texture_front.hpp"

#include <glsolve/error.hpp>
#include <string>

namespace glsolve::inline v0_1 {
namespace {

MethodChain::StandIn stand_in_for(const MethodChain& chain) {
    const OrderedMatrix& ordered = chain.first().scaled().ordered();
    if (!ordered.order().empty()) {
        throw InvalidInput(
            "textures: rows are in another order (Slicing::sort_window, Options::reorder), and a texture's are not; "
            "leave these at 0 and none");
    }
    if (ordered.exponent() != 0) {
        throw InvalidInput("textures: entries of A are beyond 1e250 or below 1e-250; multiply A by a power of ten");
    }
    return chain.without_reads();
}

TextureWork::System system_of(PreparedSolver& solver, const std::string& remarks) {
    const Preconditioner* const M = solver.preconditioner().own.get();
    if (M != nullptr && M->reads()) {
        throw InvalidInput(
            "textures: factors are applied on the host (apply host), which reads numbers back; apply levels does not");
    }
    TextureWork::System system = solver.on_device().on_textures([&solver] { return solver.subject(); });
    system.numbering = {.unknowns = solver.A().rows};
    system.remarks = remarks;
    return system;
}

}  // namespace

TextureFront::TextureFront(MethodChain& chain)
    : stand_in_(stand_in_for(chain)),
      work_(system_of(stand_in_.solver ? *stand_in_.solver : chain.first(), stand_in_.why)) {}

}  // namespace glsolve::inline v0_1
