// Grids whose cells, right-hand sides and solutions are textures of the caller's.
#include <cmath>
#include <glsolve/error.hpp>
#include <utility>

#include "passes.hpp"
#include "solver/grid_solver_impl.hpp"

namespace glsolve::inline v0_1 {

void GridSolver::Impl::set_cells_from(const TextureView& view) {
    const Stopwatch watch(backend);
    const Session inside(backend);
    if (!A) make(couplings_alike(grid));
    const TextureWindow from(backend, view, numbering(), TextureUse::mask, "cells");
    truth.reset();
    kinds.clear();
    cells_from_texture = true;
    closed = no_value_given();
    if (mean) mean->counted = false;
    const double new_factor = 1 / strongest(grid);
    if (factor != new_factor) textures.reset();
    factor = new_factor;
    try {
        make_grids([&](Vector& on_device) {
            from.take(on_device, scalar_arg(1), {A->reciprocal_diagonal().diagonal()->id()});
        });
    } catch (...) {
        drop();
        throw;
    }
    setup = watch.spent();
}

void GridSolver::Impl::know_volumes() {
    if (volumes || halved(grid) == 0) return;
    const std::vector<double> ones(static_cast<std::size_t>(cells_of(grid)), 1.0), each = times_volumes(grid, ones);
    std::vector<float> numbers(static_cast<std::size_t>(cells.size()), 0.0f);
    each_cell([&](std::size_t i, std::size_t at) { numbers[at] = static_cast<float>(each[i]); });
    auto made = std::make_unique<Vector>(backend, cells.size(), "volumes");
    made->upload(numbers);
    volumes = std::move(made);  // where that failed there are none
}

/// b <- V b: unknowns on a wall have half a cell, or less.
void GridSolver::Impl::weigh(Vector& b) {
    know_volumes();
    if (volumes) hadamard(b, b, *volumes);
}

/// count <- the unknowns; or so many that a mean is 0, if a value is given anywhere: cells from a texture may be open.
void GridSolver::Impl::count_unknowns() {
    if (!closed) return;
    if (!mean) mean = std::make_unique<Mean>(backend, cells.size());
    if (std::exchange(mean->counted, true)) return;
    constexpr float no_mean = 0x1p100f;
    fill(mean->ones, 0);
    add_where(mean->ones, mean->ones, scalar_arg(1), *A->reciprocal_diagonal().diagonal());
    A->add_given(mean->ones, no_mean);
    mean->reductions.sum(mean->count, mean->ones);
}

/// v <- v less its mean over the unknowns of closed cells,  taken <- |.|^2 of that. Of b, as it has to add up to zero
/// there. Of a guess, as the constant that x is determined but for would else grow from frame to frame.
void GridSolver::Impl::take_off_mean(Vector& v, Scalar* taken) {
    if (!closed) {
        if (taken != nullptr) fill(*taken, 0);  // once the box may have been closed
        return;
    }
    count_unknowns();
    mean->reductions.sum(mean->sum, v);
    if (taken != nullptr) {
        backend.encode(pass::axpby{
            .y = *taken, .z = mean->sum, .x = mean->sum, .a = scalar_arg(mean->sum, mean->count), .b = scalar_arg(0)});
    }
    add_where(v, v, scalar_arg(mean->sum, mean->count, -1), *A->reciprocal_diagonal().diagonal());
}

TextureWork& GridSolver::Impl::on_textures() {
    if (!method_on_device)
        throw Error("grid: the device ran out of memory in the last set_cells; nothing is left to solve with");
    if (textures) return *textures;
    TextureWork::System system = method_on_device->on_textures([this] { return subject(); });
    system.numbering = numbering();
    system.factor = factor;
    system.unknowns = A->reciprocal_diagonal().diagonal()->id();
    system.prepare_b = [this](Vector& b, Scalar& taken) {
        weigh(b);
        take_off_mean(b, &taken);
    };
    system.prepare_x = [this](Vector& x) { take_off_mean(x); };
    system.tell_of_taken = closed_box_remark;
    textures = std::make_unique<TextureWork>(std::move(system));
    return *textures;
}

void GridSolver::set_cells_from(const TextureView& cells) {
    const OneCall call = impl().one_call();
    impl().set_cells_from(cells);
}

void GridSolver::enqueue(const TextureView& b, const TextureView& x, const Budget& budget) {
    const OneCall call = impl().one_call();
    impl().on_textures().enqueue(b, x, budget);
}

std::optional<Report> GridSolver::poll() {
    const OneCall call = impl().one_call();
    return impl().on_textures().poll();
}

Report GridSolver::solve(const TextureView& b, const TextureView& x) {
    const OneCall call = impl().one_call();
    return impl().on_textures().solve(b, x);
}

void GridSolver::precondition(const TextureView& b, const TextureView& x) {
    const OneCall call = impl().one_call();
    impl().on_textures().precondition(b, x);
}

void GridSolver::warm_up(const TextureView& b, const TextureView& x) {
    const OneCall call = impl().one_call();
    TextureWork& textures = impl().on_textures();
    const Session inside(impl().backend);
    impl().know_volumes();
    impl().count_unknowns();  // what is only rehearsed counts nothing
    textures.warm_up(b, x);
}

}  // namespace glsolve::inline v0_1
