#include "preconditioners/geometric_multigrid.hpp"

#include <glsolve/error.hpp>

#include "device/verbs.hpp"
#include "matrix/moves_rows.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {
namespace {

double factor_of(const System& system) { return system.scale.empty() ? 1 : system.scale[0] * system.scale[0]; }

}  // namespace

GeometricMultigrid::Alone::Alone(Backend& backend, std::span<const float> numbers)
    : reciprocal(backend, std::ssize(numbers), "1 / diagonal of rows alone"),
      others(backend, std::ssize(numbers), "rows of cells"),
      part(backend, std::ssize(numbers), "part of a vector") {
    reciprocal.upload(numbers);
    std::vector<float> ones(numbers.begin(), numbers.end());
    for (float& v : ones) v = v == 0 ? 1.0f : 0.0f;
    others.upload(ones);
}

GeometricMultigrid::GeometricMultigrid(const System& system, CsrView A, const AmgOptions& options)
    : GeometricMultigrid(system, grid_of(A, factor_of(system)), options) {}

GeometricMultigrid::GeometricMultigrid(const System& system, const MatrixGrid& grid, const AmgOptions& options)
    : backend_(system.backend),
      finest_(backend_, grid.cells, grid.weight, false),
      multigrid_(backend_, finest_, options) {
    finest_.take(grid.numbers);
    multigrid_.update();
    if (!grid.alone.empty()) alone_.emplace(backend_, grid.alone);
    const Offset size = grid.cells.size();
    if (size != system.size) apart_ = Apart{{backend_, size, "z of cells"}, {backend_, size, "r of cells"}};
}

void GeometricMultigrid::apply(Vector& z, const Vector& r) {
    if (!alone_) return cycle(z, r);
    hadamard(alone_->part, alone_->others, r);
    cycle(z, alone_->part);
    hadamard(alone_->part, alone_->reciprocal, r);
    axpy(z, scalar_arg(1), alone_->part);
}

void GeometricMultigrid::cycle(Vector& z, const Vector& r) {
    if (!apart_) return multigrid_.apply(z, r);
    store_rows(backend_, apart_->r, Rows::apart, r, finest_.cells());
    multigrid_.apply(apart_->z, apart_->r);
    store_rows(backend_, z, Rows::dense, apart_->z, finest_.cells());
}

namespace {

MadePreconditioner make_multigrid(const PreconditionerInput& input) {
    auto multigrid = std::make_unique<GeometricMultigrid>(input.system, input.A, input.options.amg);
    MadePreconditioner made{.hierarchy = multigrid->report()};
    made.own = std::move(multigrid);
    return made;
}

void check_multigrid(const Options& options) {
    check_grid_multigrid(options.amg);
    if (moves_rows(options)) {
        throw InvalidInput(
            "preconditioner multigrid finds cells by their order, and sort_window and reorder move rows");
    }
}

}  // namespace

constinit const PreconditionerRow multigrid_preconditioner{
    PreconditionerKind::multigrid, "multigrid", make_multigrid, {.multigrid = true}, check_multigrid};

}  // namespace glsolve::inline v0_1
