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
}

void cg_precondition(const System& system, Vector& z, const Vector& r, Reductions& reductions, Scalar& rz, Scalar& rho,
                     Scalar& beta, StorageId status) {
    system.M->apply(z, r);
    reductions.dot(rz, r, z);
    system.backend.encode({.pass = PassId::cg_direction,
                           .output = {rho.id(), beta.id()},
                           .input = {rho.id(), beta.id(), rz.id()},
                           .status = status});
}

bool direction_survives(const StatusLook& look, double drift) {
    constexpr double useful = 0.3;
    return drift <= useful && look.stop != Stop::indefinite && look.stop != Stop::not_finite;
}

}  // namespace glsolve::inline v0_1
