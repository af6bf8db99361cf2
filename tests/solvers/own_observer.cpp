// An observer is called while its solver works: it must not call that solver, but may call another one.
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <memory>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/problems.hpp"

namespace tests_of_own_observer {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Calls of an observer's, each of which must be refused in words.
class Intruder {
  public:
    using Call = std::function<void()>;

    void add(Call call) { calls_.push_back(std::move(call)); }
    /// For Options::observer. Makes all calls once.
    bool operator()() {
        while (made_ < calls_.size()) {
            CAPTURE(made_);
            const Call& call = calls_[made_++];
            CHECK_THROWS_AS(call(), InvalidInput);
            CHECK_THROWS_WITH(call(), ContainsSubstring("at work in another call"));
        }
        return true;
    }
    bool made_all() const { return made_ > 0 && made_ == calls_.size(); }
    void begin_again() { made_ = 0; }

  private:
    std::vector<Call> calls_;
    std::size_t made_ = 0;
};

}  // namespace

TEST_CASE("an observer's calls into its own solver are refused", "[solvers][observer]") {
    const CsrMatrix A = poisson2d(24);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0), other(b.size(), 0.0);
    Intruder intruder;
    Solver solver(device_under_test(), A, {.observer = [&](const Progress&) { return intruder(); }});
    intruder.add([&] { solver.solve(b, other); });
    intruder.add([&] { solver.solve_several(b, other, 1); });
    intruder.add([&] { solver.resume(b, other); });
    intruder.add([&] { solver.update_values(A.value); });
    intruder.add([&] { solver.enqueue({}, {}); });
    intruder.add([&] { solver.poll(); });
    intruder.add([&] { solver.solve(TextureView{}, TextureView{}); });
    intruder.add([&] { solver.warm_up({}, {}); });
    intruder.add([&] { static_cast<void>(solver.spectrum()); });
    for (int times = 0; times < 2; ++times) {
        std::ranges::fill(x, 0.0);
        intruder.begin_again();
        CHECK(solver.solve(b, x).converged());
        CHECK(intruder.made_all());
        CHECK(true_residual(A, x, b) <= 1e-8);
        CHECK(other == std::vector<double>(b.size(), 0.0));
        solver.update_values(A.value);  // another solver stands behind it from here on
    }
}

TEST_CASE("an observer that lets a refusal through ends the call, and the solver works on", "[solvers][observer]") {
    const CsrMatrix A = poisson2d(16);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    bool intrudes = true;
    Solver solver(device_under_test(), A, {.observer = [&](const Progress&) {
                      if (intrudes) solver.solve(b, x);
                      return true;
                  }});
    CHECK_THROWS_AS(solver.solve(b, x), InvalidInput);
    intrudes = false;
    std::ranges::fill(x, 0.0);
    CHECK(solver.solve(b, x).converged());
    CHECK(true_residual(A, x, b) <= 1e-8);
}

TEST_CASE("an observer may use another solver", "[solvers][observer]") {
    const CsrMatrix A = poisson2d(16);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0), other_x(b.size(), 0.0);
    Solver other(device_under_test(), A);
    int times = 0;
    Solver solver(device_under_test(), A, {.observer = [&](const Progress&) {
                      if (times++ > 0) return true;
                      CHECK(other.solve(b, other_x).converged());
                      return true;
                  }});
    CHECK(solver.solve(b, x).converged());
    CHECK(times > 0);
    CHECK(true_residual(A, x, b) <= 1e-8);
    CHECK(true_residual(A, other_x, b) <= 1e-8);
}

TEST_CASE("the same holds where a solve begins with other constants of a function", "[solvers][observer][operators]") {
    if (!backend_under_test().can().glsl) return;
    constexpr Index side = 12;
    Intruder intruder;
    const std::vector<double> b(side * side, 1.0);
    std::vector<double> x(b.size(), 0.0), other(b.size(), 0.0);
    Solver solver(
        device_under_test(), five_point(side, side, {.coefficients = true, .shift = 1}),
        {.preconditioner = PreconditionerKind::none, .observer = [&](const Progress&) { return intruder(); }});
    const std::vector<float> k(b.size(), 2.0f);
    intruder.add([&] { solver.solve(b, other); });
    intruder.add([&] { solver.set_constant("shift", 3); });
    intruder.add([&] { solver.set_input("k", k); });
    intruder.add([&] { solver.set_input("k", TextureView{}); });
    solver.set_input("k", k);
    for (const float shift : {0.5f, 0.25f}) {
        solver.set_constant("shift", shift);  // the next solve probes the function and makes all anew
        intruder.begin_again();
        std::ranges::fill(x, 0.0);
        CHECK(solver.solve(b, x).converged());
        CHECK(intruder.made_all());
        CHECK(true_residual(solver.matrix(), x, b) <= 1e-8);
    }
}

TEST_CASE("an observer's calls into its own grid solver are refused", "[solvers][observer][grid]") {
    constexpr Index side = 20;
    const std::vector<float> numbers = random_numbers(side * side, 3);
    const std::vector<double> b(numbers.begin(), numbers.end());
    std::vector<double> x(b.size(), 0.0), other(b.size(), 0.0);
    Intruder intruder;
    Options options = GridSolver::usual_options();
    options.observer = [&](const Progress&) { return intruder(); };
    GridSolver solver(device_under_test(), {.width = side, .height = side, .shift = 1}, options);
    intruder.add([&] { solver.solve(b, other); });
    intruder.add([&] { solver.set_cells({}); });
    intruder.add([&] { solver.set_cells_from({}); });
    intruder.add([&] { solver.enqueue({}, {}); });
    intruder.add([&] { solver.poll(); });
    intruder.add([&] { solver.solve(TextureView{}, TextureView{}); });
    intruder.add([&] { solver.warm_up({}, {}); });
    intruder.add([&] { static_cast<void>(solver.matrix()); });
    CHECK(solver.solve(b, x).converged());
    CHECK(intruder.made_all());
    CHECK(true_residual(solver.matrix(), x, b) <= 1e-8);
}

}  // namespace tests_of_own_observer
