/// What the public headers mean where this is included: sizes of types, values and names of enumerators. A host's macro
/// that meets a name of ours stops the compiler, or changes this.
#pragma once

#include <cstddef>
#include <glsolve/glsolve.hpp>
#include <string>
#include <vector>

namespace headers_test {

struct Facts {
    std::vector<std::size_t> sizes;
    std::vector<std::string> names;

    bool operator==(const Facts&) const = default;
};

/// Compiled anew in each file, on purpose.
static inline Facts facts() {
    using namespace glsolve;
    Facts known;
    known.sizes = {sizeof(Options),         sizeof(Report),       sizeof(DeviceOptions),    sizeof(DeviceInfo),
                   sizeof(StageInfo),       sizeof(TextureView),  sizeof(Budget),           sizeof(Grid),
                   sizeof(GlslOperator),    sizeof(GlslInput),    sizeof(StencilOptions),   sizeof(Analysis),
                   sizeof(CsrMatrix),       sizeof(DenseMatrix),  sizeof(Triplet),          sizeof(Spectrum),
                   sizeof(HierarchyReport), sizeof(FormatChoice), sizeof(FormatPrediction), sizeof(MethodChoice),
                   sizeof(Progress),        sizeof(Convection),   sizeof(ElasticBody),      sizeof(Device),
                   sizeof(Solver),          sizeof(GridSolver)};
    for (const Outcome each :
         {Outcome::converged, Outcome::max_iterations, Outcome::time_limit, Outcome::stagnated, Outcome::diverged,
          Outcome::breakdown, Outcome::not_finite, Outcome::precision_limit, Outcome::cancelled}) {
        known.names.emplace_back(name(each));
    }
    for (const Method each : {Method::cg, Method::minres, Method::direct, Method::automatic}) {
        known.names.emplace_back(name(each));
    }
    for (const BackendKind each : {BackendKind::automatic, BackendKind::opengl, BackendKind::host}) {
        known.names.emplace_back(name(each));
    }
    for (const Stage each : {Stage::automatic, Stage::fragment, Stage::compute}) known.names.emplace_back(name(each));
    return known;
}

// In a file each: with nothing included before, and after the headers of hosts.
Facts alone();
Facts after_x11();
Facts after_opengl();
Facts after_egl();
Facts after_glew();
Facts after_windows();

}  // namespace headers_test
