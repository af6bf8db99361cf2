// Algebraic multigrid: a cycle over levels made of the matrix alone (src/amg, src/multigrid).
#include "preconditioners/amg.hpp"

#include <array>
#include <glsolve/error.hpp>

#include "amg/check_amg.hpp"
#include "amg/lattice.hpp"
#include "matrix/moves_rows.hpp"
#include "multigrid/algebraic_multigrid.hpp"
#include "multigrid/sparse_levels.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

MadePreconditioner make_amg(const PreconditionerInput& given) {
    PreconditionerInput input = given;
    MadePreconditioner made = make_diagonal(input);
    auto multigrid = std::make_unique<AlgebraicMultigrid>(input.system, input.A, input.options.amg,
                                                          input.options.slicing, input.known.hierarchy.get());
    made.hierarchy = multigrid->report();
    made.known.hierarchy = multigrid->structure();
    made.own = std::move(multigrid);
    made.unit = 1;
    return made;
}

void check_amg(const Options& options) {
    const bool knows_rows = !options.amg.near_null_space.empty() || options.amg.unknowns_a_point > 1;
    if (knows_rows && moves_rows(options)) {
        throw InvalidInput(
            "preconditioner amg: near_null_space and unknowns_a_point are about rows in their order, and sort_window "
            "and reorder move them");
    }
}

}  // namespace

bool makes_levels_on_device(CsrView A, const AmgOptions& options, const Capabilities& device) {
    if (!options.on_lattice || !has_one_constant(options) || !asks_for_passes(options, device, A.rows)
        || !can_be_made_by_passes(options, A.rows, true))
        return false;
    const Lattice lattice = find_lattice(A);
    if (!lattice) return false;
    const std::array<bool, 3> joined = joined_axes(lattice, A, usual_strength_of_aggregates);
    return joined[0] || joined[1] || joined[2];
}

bool makes_any_levels_on_device(Index rows, const AmgOptions& options, const Capabilities& device) {
    return asks_for_passes(options, device, rows) && can_be_made_by_passes(options, rows, true)
           && makes_sparse_levels(device);
}

constinit const PreconditionerRow amg_preconditioner{
    PreconditionerKind::amg, "amg", make_amg, {.multigrid = true}, check_amg};

}  // namespace glsolve::inline v0_1
