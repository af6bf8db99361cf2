#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <memory>
#include <random>

#include "core/method.hpp"
#include "core/scaling.hpp"
#include "core/verbs.hpp"
#include "formats/choose_format.hpp"
#include "measure.hpp"
#include "preconditioners/jacobi.hpp"
#include "solvers/cg.hpp"
#include "suites.hpp"

namespace glsolve::bench {
namespace {

/// Vectors of random numbers, and what the passes need beside them. Lives as long as the cases.
struct Work {
    Work(Backend& backend, Index n)
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

}  // namespace

double copy_rate(Device& device, Index n) {
    const Session session(device.backend());
    Work w(device.backend(), n);
    // Back and forth: no copy is in vain.
    const double seconds = seconds_of(Clock{&device.backend()}, [&] {
        copy(w.y, w.x);
        copy(w.x, w.y);
    });
    return 2 * 8.0 * n / seconds;
}

void add_passes(Device& device, const std::string& prefix, Index n) {
    Backend& backend = device.backend();
    const Clock clock{&backend};
    const double rate = copy_rate(device, n), vector = 4.0 * n;
    const auto w = std::make_shared<Work>(backend, n);
    const auto add_case = [&](const std::string& name, double vectors, std::function<void()> work) {
        add({prefix + name, vectors * vector, std::move(work)}, clock, rate);
    };
    const ScalarArg small = scalar_arg(1e-3f);
    add_case("copy", 2, [w] { copy(w->y, w->x); });
    add_case("axpy", 3, [w, small] { axpy(w->y, small, w->x); });
    add_case("xpay", 3, [w, small] { xpay(w->y, w->x, small); });
    add_case("multiply", 3, [w] { multiply(w->z, w->x, w->d); });
    add_case("dot and its tree", 2, [w] { dot(w->s, w->x, w->r, w->partial); });
    add_case("cg_update_jacobi", 8, [w, small, &backend] {
        backend.encode({.pass = PassId::cg_update_jacobi,
                        .output = {w->y.id(), w->r.id(), w->z.id(), w->partial.id()},
                        .input = {w->y.id(), w->x.id(), w->r.id(), w->q.id(), w->d.id()},
                        .scalar = {small}});
    });
    add({prefix + "a pass over one texel", 0,
         [w, &backend] {
             backend.encode({.pass = PassId::scale,
                             .output = {w->s.id()},
                             .input = {w->s.id()},
                             .scalar = {scalar_arg(w->one)}});
         }},
        clock, 0);
}

/// An iteration that changes nothing any more, since the solve has ended, moves the same bytes as one that does.
void add_cg(Device& device, const std::string& prefix, Index n) {
    struct Solve {
        Solve(Backend& backend, CsrMatrix matrix)
            : A(std::move(matrix)),
              scale(choose_scaling(A, ScalingRule::always)),
              stored(make_format(backend, {A, scale, {}, backend.info().max_texture_size}, FormatKind::automatic)),
              jacobi(backend, A, scale),
              cg(make_cg({backend, *stored.matrix, &jacobi, A.rows, infinity_norm(A, scale), true}, 50)) {
            const std::vector<double> b = known_answer(A.rows);
            std::vector<double> x(b.size(), 0.0);
            Correction truth(A, scale, b, x, 1e-8, 0);
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
    const auto side = static_cast<Index>(std::lround(std::sqrt(n)));
    const auto solve = std::make_shared<Solve>(device.backend(), poisson2d(side));
    // DIA reads p, the diagonal and writes q; the update reads y, p, r, q, d and writes y, r, z; the direction reads z, p
    // and writes p: 14 vectors.
    add({prefix + "cg iteration, jacobi, " + std::string(name(solve->stored.choice.format)),
         14.0 * 4 * side * side, [solve] { solve->cg->encode_iterations(1); }},
        Clock{&device.backend()}, 0);
}

}  // namespace glsolve::bench
