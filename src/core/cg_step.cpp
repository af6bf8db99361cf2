#include "core/cg_step.hpp"

namespace glsolve::inline v0_1 {

void cg_update(const System& system, Vector& y, Vector& r, Vector& z, PartialSums& partial, const Vector& p,
               const Vector& q, ScalarArg alpha, StorageId status) {
    PassCall call{.pass = PassId::cg_update,
                  .output = {y.id(), r.id(), partial.id()},
                  .input = {y.id(), p.id(), r.id(), q.id()},
                  .scalar = {alpha},
                  .status = status};
    if (const Vector* d = system.diagonal()) {
        call.pass = PassId::cg_update_jacobi;
        call.output = {y.id(), r.id(), z.id(), partial.id()};
        call.input[4] = d->id();
    }
    system.backend.encode(call);
    if (system.applies_M()) cg_precondition(system, z, partial, r, y);
}

void cg_precondition(const System& system, Vector& z, PartialSums& partial, const Vector& r, const Vector& y) {
    system.M->apply(z, r);
    system.backend.encode({.pass = PassId::cg_products, .output = {partial.id()}, .input = {r.id(), z.id(), y.id()}});
}

bool direction_survives(const StatusLook& look, double drift) {
    constexpr double useful = 0.3;
    return drift <= useful && look.stop != Stop::indefinite && look.stop != Stop::not_finite;
}

}  // namespace glsolve::inline v0_1
