// Every method with every preconditioner on textures, of a matrix, of a function in GLSL and of a grid: it solves,
// tells how far it has come, or is refused in words. It is never silent.
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>
#include <optional>

#include "texture_support.hpp"

namespace tests_of_texture_combinations {

using namespace texture_test;

namespace {

constexpr double tolerance = 1e-4;

GlslOperator function() {
    return {.width = Example::columns, .height = Example::rows, .source = R"(
vec4 apply(ivec2 at) {
    return 4.0 * x(at) - x(at + ivec2(1, 0)) - x(at - ivec2(1, 0)) - x(at + ivec2(0, 1)) - x(at - ivec2(0, 1));
}
vec4 diagonal(ivec2 at) { return vec4(4.0); })"};
}

/// What has become of a combination: refused in words, or an outcome.
struct Tried {
    std::string refused;
    Report report;
    std::vector<double> x;
};

template <class Make>
Tried try_on_textures(const Example& example, const Make& make, bool blocking) {
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    Tried tried;
    try {
        auto solver = make();
        if (blocking) {
            tried.report = solver.solve(example.view(b.name), example.view(x.name));
        } else {
            solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 40});
            glFinish();
            const std::optional<Report> report = solver.poll();
            REQUIRE(report);
            tried.report = *report;
        }
    } catch (const InvalidInput& error) {
        tried.refused = error.what();
        CHECK_FALSE(tried.refused.empty());
    }
    tried.x = example.solution(x);
    return tried;
}

void check(const CsrMatrix& A, const Example& example, const Tried& tried) {
    if (!tried.refused.empty()) {
        CHECK(tried.x == example.guess);
        return;
    }
    INFO(name(tried.report.outcome) << ": " << tried.report.reason);
    CHECK_FALSE(tried.report.reason.empty());
    const double truth = test::true_residual(A, tried.x, example.b), fuzz = rounding(A, tried.x, example.b);
    if (tried.report.converged()) CHECK(truth <= tolerance + fuzz);
    const bool moved = tried.x != example.guess;
    const bool failed = tried.report.outcome == Outcome::diverged || tried.report.outcome == Outcome::breakdown
                        || tried.report.outcome == Outcome::not_finite;
    CHECK((moved || failed));
    if (moved) CHECK(tried.report.relative_residual == Approx(truth).margin(fuzz + 1e-3 * truth));
}

}  // namespace

TEST_CASE("No method with any preconditioner is silent on textures", "[opengl][textures][combinations]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    const Stage stage = GENERATE(Stage::fragment, Stage::compute);
    if (stage == Stage::compute && !session->features.compute) return;
    CAPTURE(name(stage));
    Device device = Device::adopt_current_opengl(stage);
    // What is refused depends on neither driver nor stage: the slower ones try a few preconditioners.
    const bool is_slow = device.info().renderer.find("softpipe") != std::string::npos, all = stage == Stage::fragment;
    if (is_slow && !all) return;
    const std::vector<PreconditionerKind> preconditioners =
        is_slow ? std::vector{PreconditionerKind::jacobi}
        : all   ? all_preconditioners()
                : std::vector{PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::amg};
    int solved = 0;
    for (const Method method : all_methods()) {
        for (const PreconditionerKind preconditioner : preconditioners) {
            const Options options{.method = method, .preconditioner = preconditioner, .tolerance = tolerance};
            CAPTURE(name(method), name(preconditioner));
            const Tried matrix = try_on_textures(
                example, [&] { return Solver(device, A, options); }, false);
            check(A, example, matrix);
            const Tried at_once = try_on_textures(
                example, [&] { return Solver(device, A, options); }, true);
            check(A, example, at_once);
            CHECK(matrix.refused.empty() == at_once.refused.empty());
            solved += at_once.report.converged() ? 1 : 0;
            check(A, example,
                  try_on_textures(
                      example, [&] { return Solver(device, function(), options); }, false));
            const Grid grid{.width = Example::columns,
                            .height = Example::rows,
                            .points = GridPoints::vertices,
                            .x_walls = {Wall::dirichlet, Wall::dirichlet},
                            .y_walls = {Wall::dirichlet, Wall::dirichlet}};
            check(A, example,
                  try_on_textures(
                      example, [&] { return GridSolver(device, grid, options); }, false));
            CHECK(session->errors.take() == "");
        }
    }
    CHECK(solved > (is_slow ? 10 : all ? 60 : 30));
}

TEST_CASE("GMRES works on textures, frame after frame, through several cycles", "[opengl][textures][gmres]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    CsrMatrix A = grid_matrix();
    for (Offset k = 0; k < A.nonzeros(); ++k) {  // not symmetric
        if (A.value[static_cast<std::size_t>(k)] < 0 && k % 3 == 0) A.value[static_cast<std::size_t>(k)] = -0.4;
    }
    const Example example(kinds[3]);
    for (const Way stage : stages(*session)) {
        Device device = stage.adopt();
        for (const Method method : {Method::gmres, Method::fgmres, Method::automatic}) {
            for (const Orthogonalisation process : {Orthogonalisation::classical_twice, Orthogonalisation::modified}) {
                const bool is_slow = device.info().renderer.find("softpipe") != std::string::npos;
                if (is_slow && (method != Method::gmres || process == Orthogonalisation::modified)) continue;
                CAPTURE(name(stage), name(method), name(process));
                Solver solver(device, A,
                              {.method = method,
                               .preconditioner = PreconditionerKind::ssor,  // so that `automatic` takes gmres
                               .gmres = {.restart = 6, .orthogonalisation = process},
                               .tolerance = 1e-6});
                const Picture b(example.width, example.height, 4, GL_RGBA32F, example.b_texels),
                    x(example.width, example.height, 4, GL_RGBA32F, example.x_texels);
                solver.warm_up(example.view(b.name), example.view(x.name));
                Report report;
                std::int64_t iterations = 0;
                for (int frame = 0; frame < 100 && !report.converged(); ++frame) {
                    solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 15, .history = true});
                    report = polled(solver);
                    CHECK(report.iterations <= 15);
                    CHECK(report.history.size() == static_cast<std::size_t>(report.iterations));
                    iterations += report.iterations;
                }
                INFO(report.reason);
                CHECK(report.outcome == Outcome::met_on_device);
                CHECK(iterations > 6);
                const std::vector<double> found = example.solution(x);
                CHECK(test::true_residual(A, found, example.b) <= 1e-6 + rounding(A, found, example.b));
                // What is there stays as it is, bit by bit.
                const std::vector<float> before = x.texels();
                solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 15});
                CHECK(polled(solver).converged());
                CHECK(x.texels() == before);
                const Picture again(example.width, example.height, 4, GL_RGBA32F, example.x_texels);
                CHECK(solver.solve(example.view(b.name), example.view(again.name)).outcome == Outcome::met_on_device);
                std::vector<double> of_vectors(example.b.size(), 0.0);
                CHECK(solver.solve(example.b, of_vectors).converged());
                CHECK(session->errors.take() == "");
            }
        }
        CHECK_THROWS_WITH(Solver(device, A, {.method = Method::gmres, .gmres = {.least_squares = LeastSquares::host}})
                              .enqueue(example.view(1), example.view(1)),
                          ContainsSubstring("textures") && ContainsSubstring("gmres"));
    }
}

TEST_CASE("Where automatic takes what reads numbers back, gmres stands in for it on textures",
          "[opengl][textures][gmres]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    CsrMatrix upwind = grid_matrix();  // not symmetric, and small: direct
    for (Offset k = 0; k < upwind.nonzeros(); ++k) {
        double& value = upwind.value[static_cast<std::size_t>(k)];
        if (value < 0 && k % 3 == 0) value = -0.4;
    }
    CsrMatrix with_gap = upwind;  // one column is empty: cgnr
    constexpr Index gap = 50;
    for (std::size_t e = 0; e < with_gap.value.size(); ++e) {
        if (with_gap.column[e] == gap) with_gap.value[e] = 0;
    }
    struct Kind {
        const CsrMatrix& A;
        Method chosen;
    };
    for (const Way stage : stages(*session)) {
        for (const Kind& kind : {Kind{upwind, Method::direct}, Kind{with_gap, Method::cgnr}}) {
            CAPTURE(name(stage), name(kind.chosen));
            Example example(kinds[0]);
            if (kind.chosen == Method::cgnr) {  // b is in the range of A
                std::vector<double> in_range(example.b.size());
                multiply(kind.A, example.b, in_range);
                std::size_t at = 0;
                example.each([&](std::size_t texel, int) {
                    example.b_texels[texel] = static_cast<float>(in_range[at]);
                    example.b[at++] = static_cast<double>(example.b_texels[texel]);
                });
            }
            Device device = stage.adopt();
            Solver solver(device, kind.A, {.method = Method::automatic, .tolerance = 1e-5});
            CHECK(solver.method().method == kind.chosen);
            const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
                x(example.width, example.height, 1, GL_R32F, example.x_texels);
            solver.warm_up(example.view(b.name), example.view(x.name));
            Report report;
            for (int frame = 0; frame < 50 && !report.converged(); ++frame) {
                solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 20});
                report = polled(solver);
            }
            INFO(report.reason);
            CHECK(report.converged());
            CHECK(report.remarks.find("gmres") != std::string::npos);
            if (kind.chosen == Method::cgnr) CHECK(report.remarks.find("cgnr") != std::string::npos);
            const std::vector<double> found = example.solution(x);
            CHECK(test::true_residual(kind.A, found, example.b) <= 1e-5 + rounding(kind.A, found, example.b));
            // Vectors are solved for as before.
            std::vector<double> of_vectors(example.b.size(), 0.0);
            CHECK(solver.solve(example.b, of_vectors).converged());
            CHECK(solver.method().method == kind.chosen);
            CHECK(session->errors.take() == "");
        }
    }
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver wide(device, csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1.0}, {1, 2, 2.0}}),
                {.method = Method::automatic});
    CHECK_THROWS_WITH(wide.enqueue({.texture = 1}, {.texture = 1}),
                      ContainsSubstring("automatic") && ContainsSubstring("square"));
}

}  // namespace tests_of_texture_combinations
