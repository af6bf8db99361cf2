// DeviceOptions::threads: any number of threads gives the same solution, to the last bit.
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_threads {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Solved {
    std::vector<double> x;
    Report report;
};

Solved solved_by(int threads, const CsrMatrix& A, const Options& options) {
    Device device = Device::open({.backend = BackendKind::host, .threads = threads});
    const auto b = matching_right_hand_side(A);
    Solved made{std::vector<double>(static_cast<std::size_t>(A.rows), 0.0), {}};
    made.report = solve(device, A, b, made.x, options);
    return made;
}

}  // namespace

TEST_CASE("one thread, two and sixteen give the same bits", "[solvers][threads]") {
    if (device_under_test().info().backend != BackendKind::host) return;
    // Large enough for several threads: passes of 20,000 texels, and sums of several parts.
    const CsrMatrix A = GENERATE(poisson2d(280), convection_diffusion(280));
    const Precision precision = GENERATE(Precision::single, Precision::doubles);
    const auto [method, M] = GENERATE(table<Method, PreconditionerKind>({{Method::bicgstab, PreconditionerKind::jacobi},
                                                                         {Method::bicgstab, PreconditionerKind::ssor},
                                                                         {Method::gmres, PreconditionerKind::amg},
                                                                         {Method::idr, PreconditionerKind::none}}));
    const Options options{.method = method, .preconditioner = M, .precision = precision, .max_iterations = 40};
    CAPTURE(name(method), name(M), name(precision));
    const Solved one = solved_by(1, A, options);
    CHECK(one.report.iterations > 0);
    for (const int threads : {2, 16}) {
        const Solved many = solved_by(threads, A, options);
        CAPTURE(threads);
        CHECK(many.report.iterations == one.report.iterations);
        CHECK((many.x == one.x));
    }
}

TEST_CASE("a number of threads that cannot be is refused", "[solvers][threads]") {
    for (const int threads : {-1, 65}) {
        CHECK_THROWS_WITH(Device::open({.backend = BackendKind::host, .threads = threads}),
                          ContainsSubstring("threads") && ContainsSubstring("0 to 64"));
    }
}

}  // namespace tests_of_threads
