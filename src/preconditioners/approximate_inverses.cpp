// M^-1 is sparse itself: FSAI and SPAI, made on the host (src/factors). Their application is one product, or two.
#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>

#include "factors/fsai.hpp"
#include "factors/spai.hpp"
#include "matrix/csr_entries.hpp"
#include "preconditioners/factor_order.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "preconditioners/product_chain.hpp"

namespace glsolve::inline v0_1 {
namespace {

MadePreconditioner made_of(const PreconditionerInput& input, const OrderedMatrix& ordered,
                           std::vector<CsrMatrix> matrices, std::string remark) {
    if (ordered.moved) {
        matrices.front() = ordered.times_F(matrices.front());
        matrices.back() = ordered.G_times(matrices.back());
    }
    double nonzeros = 0;
    for (const CsrMatrix& matrix : matrices) nonzeros += static_cast<double>(matrix.nonzeros());
    const double share = nonzeros / std::max(1.0, static_cast<double>(input.A.nonzeros()));
    MadePreconditioner made;
    made.own = std::make_unique<ProductChain>(input.system.backend, matrices,
                                              std::max(1, static_cast<int>(std::lround(share))));
    made.remark =
        fmt::format("{}{:.2f} times the nonzeros of A, {} products{}", ordered.remark, share, matrices.size(), remark);
    return made;
}

/// For symmetric matrices G^T G, adaptive; for others two triangles on the places of a power of A.
MadePreconditioner make_fsai(const PreconditionerInput& input) {
    const PreconditionerOptions& asked = input.options.preconditioning;
    const bool symmetric = input.system.symmetric;
    const OrderedMatrix ordered = order_for_factors(input.A, input.system.scale, symmetric, asked);
    FsaiOptions options;
    InversePattern nonsymmetric = usual_nonsymmetric;
    if (asked.inverse_power > 0) options.pattern.power = nonsymmetric.power = asked.inverse_power;
    if (asked.inverse_power > 0) options.adaptive_steps = 0;
    FactorisedInverse found = symmetric ? fsai(ordered.C, options) : nonsymmetric_fsai(ordered.C, nonsymmetric);
    if (!found.failure.empty())
        throw InvalidInput(fmt::format("preconditioner fsai: {}; ilu0 takes such matrices", found.failure));
    const std::string fallback =
        found.fallback_rows > 0 ? fmt::format("; {} rows are Jacobi's", found.fallback_rows) : "";
    return made_of(input, ordered, {std::move(found.lower), std::move(found.upper)}, fallback);
}

MadePreconditioner make_spai(const PreconditionerInput& input) {
    const PreconditionerOptions& asked = input.options.preconditioning;
    const OrderedMatrix ordered = order_for_factors(input.A, input.system.scale, false, asked);
    SpaiOptions options;
    if (asked.inverse_power > 0) options = {.pattern = {.power = asked.inverse_power}, .adaptive_steps = 0};
    ApproximateInverse found = spai(ordered.C, options);
    return made_of(input, ordered, {std::move(found.M)}, fmt::format("; |A M - I| = {:.2g}", found.residual));
}

}  // namespace

constinit const PreconditionerRow fsai_preconditioner{PreconditionerKind::fsai, "fsai", make_fsai, {.divides = false}};
constinit const PreconditionerRow spai_preconditioner{
    PreconditionerKind::spai, "spai", make_spai, {.symmetric = false, .divides = false, .finds_pivots = true}};

}  // namespace glsolve::inline v0_1
