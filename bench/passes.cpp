#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <memory>
#include <random>

#include "copy_rate.hpp"
#include "device/verbs.hpp"
#include "formats/choose_format.hpp"
#include "matrix/scaling.hpp"
#include "measure.hpp"
#include "methods/cg.hpp"
#include "preconditioners/jacobi.hpp"
#include "refinement/method.hpp"
#include "suites.hpp"

namespace glsolve::bench {
namespace {

/// Vectors of random numbers, and what the passes need beside them.
struct Vectors {
    Vectors(Backend& backend, Index n)
        : x(backend, n, "x"),
          y(backend, n, "y"),
          r(backend, n, "r"),
          q(backend, n, "q"),
          z(backend, n, "z"),
          d(backend, n, "d"),
          partial(backend, x.layout().extent()),
          s(backend, "s"),
          one(backend, "one") {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<float> numbers(static_cast<std::size_t>(n));
        for (Vector* v : {&x, &y, &r, &q, &z, &d}) {
            for (float& number : numbers) number = uniform(random);
            v->upload(numbers);
        }
        fill(one, 1);
    }
    Vector x, y, r, q, z, d;
    PartialSums partial;
    Scalar s, one;
};

/// A solve that has ended: further iterations change nothing, but move the same bytes.
struct Solve {
    Solve(Backend& backend, CsrMatrix matrix)
        : A(std::move(matrix)),
          scale(choose_scaling(A, ScalingRule::always)),
          stored(make_format(backend, {A, scale, {}, backend.info().max_texture_size}, FormatKind::automatic)),
          jacobi(backend, A, scale),
          cg(make_cg({backend, *stored.matrix, &jacobi, A.rows, infinity_norm(A, scale), true}, 50)) {
        const std::vector<double> b = known_answer(A.rows);
        std::vector<double> x(b.size(), 0.0);
        TrueResidual truth(A, RowFactors(scale), b, x, 1e-8, 0);
        truth.recompute();
        Report report;
        cg->solve(truth, {}, report);
    }
    CsrMatrix A;
    std::vector<double> scale;
    ChosenFormat stored;
    Jacobi jacobi;
    std::unique_ptr<IterativeMethod> cg;
};

}  // namespace

std::function<double()> copy_rate(Device& device, Index n) {
    return [&device, n, rate = std::make_shared<double>(0)] {
        if (*rate == 0) *rate = copied_bytes_per_second(device.backend(), n);
        return *rate;
    };
}

void add_passes(Device& device, const std::string& prefix, Index n) {
    Backend& backend = device.backend();
    const auto rate = copy_rate(device, n);
    const auto add_case = [&](const std::string& name, double vectors, const std::function<void(Vectors&)>& pass) {
        add({prefix + name, vectors * 4.0 * n,
             [&backend, n, pass]() -> Work { return [v = std::make_shared<Vectors>(backend, n), pass] { pass(*v); }; }},
            Clock{&backend}, rate);
    };
    const ScalarArg small = scalar_arg(1e-3f);
    add_case("copy", 2, [](Vectors& v) { copy(v.y, v.x); });
    add_case("axpy", 3, [small](Vectors& v) { axpy(v.y, small, v.x); });
    add_case("axpy into a third vector", 3, [small, &backend](Vectors& v) {
        backend.encode({.pass = PassId::axpby, .output = {v.z.id()}, .input = {v.y.id(), v.x.id()}, .scalar = {small}});
    });
    add_case("xpay", 3, [small](Vectors& v) { xpay(v.y, v.x, small); });
    add_case("multiply", 3, [](Vectors& v) { hadamard(v.z, v.x, v.d); });
    add_case("cg_update_jacobi", 8, [small, &backend](Vectors& v) {
        backend.encode({.pass = PassId::cg_update_jacobi,
                        .output = {v.y.id(), v.r.id(), v.z.id(), v.partial.id()},
                        .input = {v.y.id(), v.x.id(), v.r.id(), v.q.id(), v.d.id()},
                        .scalar = {small}});
    });
    add_case("pipelined_update_jacobi", 8, [small, &backend](Vectors& v) {
        backend.encode({.pass = PassId::pipelined_update_jacobi,
                        .output = {v.y.id(), v.r.id(), v.x.id()},
                        .input = {v.y.id(), v.x.id(), v.r.id(), v.q.id(), v.d.id()},
                        .scalar = {small}});
    });
    add_case("a pass over one texel", 0, [&backend](Vectors& v) {
        backend.encode({.pass = PassId::axpby,
                        .output = {v.s.id()},
                        .input = {v.s.id(), v.s.id()},
                        .scalar = {scalar_arg(v.one), scalar_arg(0)}});
    });
}

void add_cg(Backend& backend, const std::string& prefix, Index n) {
    const auto side = static_cast<Index>(std::lround(std::sqrt(n)));
    // DIA reads p, the diagonal and writes q; the update reads y, p, r, q, d and writes y, r, z; the direction reads z,
    // p and writes p: 14 vectors.
    const double number = backend.holds_doubles() ? 8 : 4;
    add({prefix + "cg iteration, jacobi", 14.0 * number * side * side,
         [&backend, side]() -> Work {
             return [solve = std::make_shared<Solve>(backend, poisson2d(side))] { solve->cg->encode_iterations(1); };
         }},
        Clock{&backend});
}

}  // namespace glsolve::bench
