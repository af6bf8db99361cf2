// What the ways of Method::automatic took is remembered: for other values, and in a folder for other solvers.
#include "solver/known_ways.hpp"

#include <cmath>
#include <filesystem>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <limits>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/problems.hpp"

namespace tests_of_known_ways {

using namespace glsolve;
using namespace glsolve::test;
namespace fs = std::filesystem;

Options free_options(const std::string& folder = "") {
    return {.method = Method::automatic, .preconditioner = PreconditionerKind::automatic, .choice_cache = folder};
}

MethodChoice solved(Solver& solver) {
    const CsrView A = solver.matrix();
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solver.solve(b, x);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
    return solver.method();
}

TEST_CASE("a choice is remembered in a folder, if asked for", "[solvers][known_ways][choice]") {
    const Folder folder;
    const CsrMatrix A = convection_diffusion(24);
    Solver first(device_under_test(), A, free_options(folder.path.string()));
    CHECK_THAT(first.method().reason, !ContainsSubstring("known from before"));
    const MethodChoice answered = solved(first);

    Solver again(device_under_test(), A, free_options(folder.path.string()));
    CHECK_THAT(again.method().reason, ContainsSubstring("known from before"));
    const auto seconds_of = [&](const MethodChoice& way, bool measured) {
        for (const MethodPrediction& one : again.method().predictions) {
            if (one.method == way.method && one.preconditioner == way.preconditioner && one.measured == measured)
                return one.seconds;
        }
        return std::numeric_limits<double>::infinity();
    };
    // The same again, or what promises half of what it took: how long that was is nobody's to say here.
    const bool is_same =
        again.method().method == answered.method && again.method().preconditioner == answered.preconditioner;
    CHECK(std::isfinite(seconds_of(answered, true)));
    CHECK((is_same || seconds_of(again.method(), false) < 0.5 * seconds_of(answered, true)));
    solved(again);

    const auto reason = [&](const CsrMatrix& matrix, const Options& options) {
        return Solver(device_under_test(), matrix, options).method().reason;
    };
    CHECK_THAT(reason(A, free_options()), !ContainsSubstring("known from before"));
    CHECK_THAT(reason(convection_diffusion(25), free_options(folder.path.string())),
               !ContainsSubstring("known from before"));
    Options precise = free_options(folder.path.string());
    precise.tolerance = 1e-10;
    CHECK_THAT(reason(A, precise), !ContainsSubstring("known from before"));
    // What is damaged is forgotten.
    for (const auto& file : fs::directory_iterator(folder.path)) fs::resize_file(file.path(), 20);
    CHECK_THAT(reason(A, free_options(folder.path.string())), !ContainsSubstring("known from before"));
}

TEST_CASE("new values keep the choice while it is known to work", "[solvers][known_ways][choice]") {
    const CsrMatrix A = jumping_coefficients(24, 100);
    Solver solver(device_under_test(), A, free_options());
    const MethodChoice before = solved(solver);
    std::vector<double> values = A.value;
    for (double& value : values) value *= 3;
    solver.update_values(values);
    CHECK(solver.method().method == before.method);
    CHECK(solver.method().preconditioner == before.preconditioner);
    CHECK_THAT(solver.method().reason, ContainsSubstring("known from before"));
    solved(solver);

    values[1] *= 1.5;  // symmetric no more
    solver.update_values(values);
    CHECK_THAT(solver.method().reason, ContainsSubstring("chosen anew"));
    solved(solver);
}

TEST_CASE("a way that new values do not allow is chosen anew", "[solvers][known_ways][choice]") {
    const CsrMatrix A = poisson2d(is_slow() ? 8 : 60);
    const Folder folder;
    Options options = free_options(folder.path.string());
    options.memory = 1e-6;  // no factors
    Solver solver(device_under_test(), A, options);
    solved(solver);
    // Signs: it stays symmetric positive definite, and is no grid any more for those who look for one.
    std::vector<double> values = A.value;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            if ((i % 7 == 0) != (A.column[k] % 7 == 0)) values[static_cast<std::size_t>(k)] *= -1;
        }
    }
    solver.update_values(values);
    solved(solver);
    Solver other(device_under_test(), solver.matrix(), options);  // with what the folder has
    solved(other);
}

TEST_CASE("of known ways the quickest is taken, or one that promises half of that", "[solvers][known_ways]") {
    KnownWays ways("", "key");
    CHECK_FALSE(ways.best());
    const MethodChoice cg{Method::cg, "", PreconditionerKind::jacobi}, amg{Method::cg, "", PreconditionerKind::amg};
    ways.predict(std::vector<MethodPrediction>{{Method::cg, PreconditionerKind::jacobi, 1},
                                               {Method::cg, PreconditionerKind::amg, 2}});
    CHECK_FALSE(ways.best());  // nothing had an answer
    ways.solved(cg, 3, 500);
    CHECK(ways.best()->preconditioner == PreconditionerKind::jacobi);  // 2 is not clearly less
    ways.solved(cg, 3.5, 600);                                         // the last time counts
    CHECK(ways.best()->seconds == 3.5);
    ways.solved(cg, 3, 500);
    ways.predict(std::vector<MethodPrediction>{{Method::cg, PreconditionerKind::amg, 1}});
    CHECK(ways.best()->preconditioner == PreconditionerKind::amg);
    CHECK(ways.best()->iterations == 0);
    CHECK(ways.to_begin_with()->preconditioner == PreconditionerKind::jacobi);  // it has just had an answer
    ways.solved(amg, 4, 12);                                                    // it had promised too much
    CHECK(ways.best()->preconditioner == PreconditionerKind::jacobi);
    CHECK(ways.to_begin_with()->preconditioner == PreconditionerKind::amg);
    ways.failed(amg);
    CHECK(ways.to_begin_with()->preconditioner == PreconditionerKind::jacobi);
    ways.solved(amg, 4, 12);
    ways.failed(cg);
    CHECK(ways.best()->preconditioner == PreconditionerKind::amg);
    ways.failed(amg);
    CHECK_FALSE(ways.best());
    CHECK(ways.told().empty());
}

}  // namespace tests_of_known_ways
