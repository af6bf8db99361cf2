#include "refinement/cg_step.hpp"

#include "passes.hpp"

namespace glsolve::inline v0_1 {

void cg_update(const System& system, Vector& y, Vector& r, Vector& z, PartialSums& partial, const Vector& p,
               const Vector& q, ScalarArg alpha, StorageId status) {
    const Vector* const d = system.diagonal();
    system.backend.encode(pass::cg_update{.y = y,
                                          .r = r,
                                          .z = d != nullptr ? &z : nullptr,
                                          .sum = partial,
                                          .p = p,
                                          .q = q,
                                          .d = d,
                                          .alpha = alpha,
                                          .status = status});
}

void cg_precondition(const System& system, Vector& z, const Vector& r, Reductions& reductions, Scalar& rz, Scalar& rho,
                     Scalar& beta, StorageId status) {
    system.M->apply(z, r);
    reductions.dot(rz, r, z);
    system.backend.encode(pass::cg_direction{.rho = rho, .beta = beta, .rz = rz, .status = status});
}

bool direction_survives(const StatusLook& look, double drift) {
    constexpr double useful = 0.3;
    return drift <= useful && look.stop != Stop::indefinite && look.stop != Stop::not_finite;
}

}  // namespace glsolve::inline v0_1
