// Solvers of matrices and of functions on textures.
#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "device/backend.hpp"
#include "refinement/method.hpp"
#include "solvers/check_options.hpp"
#include "solvers/choose_method.hpp"
#include "solvers/multi_rhs_cg.hpp"
#include "solvers/solver_impl.hpp"

namespace glsolve::inline v0_1 {

/// Where `automatic` has chosen what reads numbers back on its way, gmres solves on textures.
Solver::Impl& Solver::Impl::without_reads() {
    const bool reads = method->residuals(0) == nullptr;
    const bool may_choose = asked_method == Method::automatic && backend.can().corrections;
    if (!reads || !may_choose) return *this;
    if (!for_textures) {
        Options other = options;
        const MethodChoice chosen = choose_without_reads(A, other, asked_preconditioner, choice);
        other.method = chosen.method;
        Structure known;
        known.function = structure.function;
        for_textures = std::make_unique<Impl>(backend, A, std::move(other), std::move(known));
        for_textures->choice = chosen;
        for_textures->remarks_on_textures = chosen.reason;
    }
    return *for_textures;
}

TextureWork& Solver::Impl::on_textures() {
    if (!prepared.order.empty()) {
        throw InvalidInput(
            "textures: rows are in another order (Slicing::sort_window, Options::reorder), and a texture's are not; "
            "leave these at 0 and none");
    }
    if (prepared.exponent != 0) {
        throw InvalidInput("textures: entries of A are beyond 1e250 or below 1e-250; multiply A by a power of ten");
    }
    Impl& made = without_reads();
    if (&made != this) return made.on_textures();
    if (textures) return *textures;
    std::function<DeviceRuns&()> together;
    if (takes_multi_rhs(options, *system)) together = [this]() -> DeviceRuns& { return four_at_once(); };
    textures = std::make_unique<TextureWork>(TextureWork::System{.backend = backend,
                                                                 .options = options,
                                                                 .one = *method,
                                                                 .several = together,
                                                                 .subject = [this] { return subject(); },
                                                                 .numbering = {.unknowns = A.rows},
                                                                 .remarks = remarks_on_textures});
    return *textures;
}

TextureWork& Solver::on_textures() {
    if (impl().reads_other_numbers && !impl().follows_function()) probe_again();
    return impl().on_textures();
}

void Solver::enqueue(const TextureView& b, const TextureView& x, const Budget& budget) {
    const OneCall call = impl().one_call();
    on_textures().enqueue(b, x, budget);
}

std::optional<Report> Solver::poll() {
    const OneCall call = impl().one_call();
    return impl().on_textures().poll();
}

Report Solver::solve(const TextureView& b, const TextureView& x) {
    const OneCall call = impl().one_call();
    return on_textures().solve(b, x, iteration_limit(impl().options, impl().A.columns));
}

void Solver::warm_up(const TextureView& b, const TextureView& x) {
    const OneCall call = impl().one_call();
    on_textures().warm_up(b, x);
}

}  // namespace glsolve::inline v0_1
