#include "inverses/incomplete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "factors/fsai.hpp"
#include "factors/incomplete.hpp"
#include "factors/spai.hpp"
#include "inverses/product_chain.hpp"

namespace glsolve::inline v0_1 {
namespace {

Factors factorise(CsrView C, Factorisation how, const FactorOptions& options) {
    switch (how) {
        case Factorisation::ilu:
            return factor_ilu(C, options);
        case Factorisation::ilut:
            return factor_ilut(C, options);
        case Factorisation::ic:
            return factor_ic(C, options);
        case Factorisation::ict:
            return factor_ict(C, options);
    }
    return {};
}

double share_of(double nonzeros, CsrView A) { return nonzeros / std::max(1.0, static_cast<double>(A.nonzeros())); }

MadeInverse of_products(const AssembledSystem& system, CsrView A, const MatrixToFactor& ordered,
                        std::vector<CsrMatrix> matrices, const std::string& remark) {
    double nonzeros = 0;
    for (const CsrView matrix : matrices) nonzeros += static_cast<double>(matrix.nonzeros());
    const std::string text =
        fmt::format("{}{:.2f} times the nonzeros of A, {} product{}{}", ordered.remark, share_of(nonzeros, A),
                    matrices.size(), matrices.size() == 1 ? "" : "s", remark);
    return {ordered_chain(system.backend, A, ordered, std::move(matrices)), text};
}

}  // namespace

MadeInverse incomplete_factors(const AssembledSystem& system, CsrView A, Factorisation how, int level,
                               const PreconditionerOptions& options, ChosenBy by) {
    const bool symmetric = how == Factorisation::ic || how == Factorisation::ict;
    const bool in_blocks = options.factor_block > 1;  // rows stay where they are, and blocks are inverted with pivoting
    const MatrixToFactor ordered = order_for_factors(A, system.scale, symmetric || in_blocks, options);
    const FactorOptions how_far{.level = level,
                                .drop_tolerance = options.drop_tolerance,
                                .fill = options.fill,
                                .modified = options.modified,
                                .shift = options.shift};
    const auto apply = [&](auto factors) {
        if (!factors.failure.empty()) throw InvalidInput(factors.failure);
        const std::string shifted = factors.shift > 0 ? factors.remark() + "; " : "";
        const double share = share_of(static_cast<double>(factors.nonzeros()), A);
        MadeInverse made = apply_factors(system, A, ordered, triangular(std::move(factors)), options, by);
        made.remark =
            fmt::format("{}{}{:.2f} times the nonzeros of A; {}", ordered.remark, shifted, share, made.remark);
        return made;
    };
    if (!in_blocks) return apply(factorise(ordered.C, how, how_far));
    const Index b = options.factor_block;
    return apply(symmetric ? factor_block_ic(ordered.C, b, how_far) : factor_block_ilu(ordered.C, b, how_far));
}

MadeInverse factorised_inverse(const AssembledSystem& system, CsrView A, const PreconditionerOptions& options) {
    const MatrixToFactor ordered = order_for_factors(A, system.scale, system.symmetric, options);
    FsaiOptions adaptive;
    InversePattern nonsymmetric = usual_nonsymmetric;
    if (options.inverse_power > 0) {
        adaptive.pattern.power = nonsymmetric.power = options.inverse_power;
        adaptive.adaptive_steps = 0;
    }
    FactorisedInverse found = system.symmetric ? fsai(ordered.C, adaptive) : nonsymmetric_fsai(ordered.C, nonsymmetric);
    if (!found.failure.empty()) throw InvalidInput(found.failure);
    const std::string fallback =
        found.fallback_rows > 0 ? fmt::format("; {} rows are those of Jacobi", found.fallback_rows) : "";
    return of_products(system, A, ordered, {std::move(found.lower), std::move(found.upper)}, fallback);
}

MadeInverse least_squares_inverse(const AssembledSystem& system, CsrView A, const PreconditionerOptions& options) {
    const MatrixToFactor ordered = order_for_factors(A, system.scale, false, options);
    SpaiOptions spai_options;
    if (options.inverse_power > 0) spai_options = {.pattern = {.power = options.inverse_power}, .adaptive_steps = 0};
    ApproximateInverse found = spai(ordered.C, spai_options);
    return of_products(system, A, ordered, {std::move(found.M)}, fmt::format("; |A M - I| = {:.2g}", found.residual));
}

}  // namespace glsolve::inline v0_1
