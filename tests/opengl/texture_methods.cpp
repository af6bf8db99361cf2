// Methods, preconditioners and several right-hand sides on textures; solves of vectors in between.
#include <algorithm>
#include <glsolve/error.hpp>
#include <limits>

#include "device/backend.hpp"
#include "texture_support.hpp"

namespace tests_of_texture_methods {

using namespace texture_test;

TEST_CASE("Iterations without inner products work on textures, frame after frame", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    for (const Way stage : stages(*session)) {
        Device device = stage.adopt();
        for (const Method method : {Method::jacobi, Method::gauss_seidel, Method::richardson, Method::chebyshev}) {
            CAPTURE(name(stage), name(method));
            Solver solver(device, A, {.method = method, .tolerance = 1e-5});
            const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
                x(example.width, example.height, 1, GL_R32F, example.x_texels);
            solver.warm_up(example.view(b.name), example.view(x.name));
            double last = std::numeric_limits<double>::infinity();
            Report report;
            for (int frame = 0; frame < 100 && !report.converged(); ++frame) {
                solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 24});
                report = polled(solver);
                CHECK(report.iterations <= 24);
                if (method != Method::chebyshev) CHECK(report.relative_residual <= last);
                last = report.relative_residual;
            }
            CAPTURE(report.reason);
            CHECK(report.outcome == Outcome::met_on_device);
            const std::vector<double> found = example.solution(x);
            CHECK(test::true_residual(A, found, example.b) <= 1e-5 + rounding(A, found, example.b));
            // One call, which iterates until it is met; and vectors are solved for as before.
            const Picture again(example.width, example.height, 1, GL_R32F, example.x_texels);
            CHECK(solver.solve(example.view(b.name), example.view(again.name)).outcome == Outcome::met_on_device);
            std::vector<double> of_vectors(example.b.size(), 0.0);
            CHECK(solver.solve(example.b, of_vectors).converged());
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("Preconditioners are applied to textures as to vectors, and read nothing", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    CsrMatrix A = grid_matrix();
    for (Index i = 0; i < A.rows; ++i) {  // symmetric, with scales that differ
        for (auto [j, a] : A.row(i)) a *= std::ldexp(1.0, i % 7 + j % 7);
    }
    for (const Way stage : stages(*session)) {
        Device device = stage.adopt();
        for (const auto kind : {PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::amg}) {
            CAPTURE(name(stage), name(kind));
            const Example example(kinds[1]);
            Solver solver(device, A, {.preconditioner = kind});
            const Picture b(example.width, example.height, 2, GL_RG32F, example.b_texels),
                x(example.width, example.height, 2, GL_RG32F, example.x_texels);
            solver.precondition(example.view(b.name), example.view(x.name));
            const std::uint64_t reads = device.backend().counters().reads;
            solver.precondition(example.view(b.name), example.view(x.name));
            CHECK(device.backend().counters().reads == reads);
            const std::vector<double> found = example.solution(x);
            std::vector<double> expected(example.b.size());
            solver.precondition(example.b, expected);
            double error = 0, size = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                error += std::pow(found[i] - expected[i], 2);
                size += std::pow(expected[i], 2);
            }
            CHECK(error <= 1e-11 * size);
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("With Options::profile frames tell what each kind of pass has taken", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const Example example(kinds[0]);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, grid_matrix(), {.tolerance = 1e-6, .profile = true});
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    for (int frame = 0; frame < 3; ++frame) {
        solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 3});
        glFinish();
        const Report report = polled(solver);
        std::uint64_t calls = 0;
        double seconds = 0;
        for (const PassReport& pass : report.profile) {
            calls += pass.calls;
            seconds += pass.seconds;
            CHECK(pass.seconds >= 0);
        }
        CHECK(calls == report.passes);
        CHECK(seconds > 0);
        CHECK(seconds <= report.device_seconds * 1.001);
        const auto update = std::ranges::find(report.profile, "cg_update_jacobi", &PassReport::name);
        const auto plain = std::ranges::find(report.profile, "cg_update", &PassReport::name);
        CHECK((update != report.profile.end() ? update->calls : plain->calls) == 3);
    }
    CHECK(session->errors.take() == "");
}

TEST_CASE("With Budget::history frames tell how the residual has fallen, and nobody waits for it",
          "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const Example example(kinds[0]);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    for (const Method method : {Method::cg, Method::minres, Method::bicgstab}) {
        CAPTURE(name(method));
        Solver solver(device, grid_matrix(), {.method = method, .tolerance = 1e-6});
        const TextureView from = example.view(b.name), to = example.view(x.name);
        solver.warm_up(from, to);
        const auto report_of = [&](std::int64_t iterations, bool history) {
            solver.enqueue(from, to, {.iterations = iterations, .zero_guess = true, .history = history});
            glFinish();
            return polled(solver);
        };
        CHECK(report_of(4, false).history.empty());
        const Report report = report_of(8, true);
        REQUIRE(std::ssize(report.history) == report.iterations);
        CHECK(report.history.back().relative_residual == report.relative_residual);
        // What is said of each iteration is what a frame ends with that has no more of them.
        for (const std::int64_t fewer : {2, 5}) {
            const HistoryEntry& entry = report.history[static_cast<std::size_t>(fewer - 1)];
            CHECK(entry.iteration == fewer);
            CHECK(entry.relative_residual == Approx(report_of(fewer, false).relative_residual).epsilon(1e-3));
        }
        // After the stop there are no more entries than iterations.
        const Report all = report_of(400, true);
        CHECK(all.iterations < 400);
        if (all.converged()) {
            CHECK(std::ssize(all.history) == all.iterations);
        } else {  // where a method breaks down, its last residual may be none
            CHECK(std::ssize(all.history) <= all.iterations);
        }
    }
    CHECK(session->errors.take() == "");
}

TEST_CASE("Rows that are scaled, other methods and new values work on textures", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    CsrMatrix A = grid_matrix();
    for (Index i = 0; i < A.rows; ++i) {  // D A D, with sizes that scaling brings together
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            A.value[e] *= std::ldexp(1.0, 5 * (i % 3) + 5 * (A.column[e] % 3));
        }
    }
    const Example example(kinds[0]);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels);
    for (const Method method :
         {Method::cg, Method::pipelined_cg, Method::minres, Method::bicgstab, Method::bicgstab2, Method::idr}) {
        CAPTURE(name(method));
        Solver solver(device, A, {.method = method, .tolerance = 1e-4});
        for (const double times : {1.0, 4.0}) {
            std::vector<double> values = A.value;
            for (double& v : values) v *= times;
            solver.update_values(values);
            const Picture x(example.width, example.height, 1, GL_R32F, example.x_texels);
            const Report report = solver.solve(example.view(b.name), example.view(x.name));
            INFO(report.reason);
            CHECK(report.converged());
            const std::vector<double> found = example.solution(x);
            CHECK(test::true_residual(solver.matrix(), found, example.b) <= 2e-4);
        }
    }
    // Frame by frame the residual falls, though rows of very different sizes weigh differently in the recurrence.
    Solver solver(device, A, {.precision = Precision::two_float, .tolerance = 1e-4});
    const Picture x(example.width, example.height, 1, GL_R32F, example.x_texels);
    std::int64_t most = 0;
    Report report;
    for (int frame = 0; frame < 20 && !report.converged(); ++frame) {
        solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 30});
        report = polled(solver);
        if (frame > 0) most = std::max(most, report.iterations);
    }
    INFO(report.reason);
    CHECK(report.converged());
    CHECK(session->errors.take() == "");
}

TEST_CASE("Factors that the host applies are refused on textures, whatever chose the method", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    for (const Method method : {Method::gmres, Method::automatic}) {
        CAPTURE(name(method));
        Options options{.method = method, .preconditioner = PreconditionerKind::lu};
        options.preconditioning.apply = FactorApplication::host;
        Solver solver(device, A, options);
        CHECK_THROWS_WITH(solver.enqueue(example.view(b.name), example.view(x.name)),
                          ContainsSubstring("apply levels"));
    }
}

TEST_CASE("Up to four right-hand sides share a texture, and a product where they can", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const auto preconditioner = GENERATE(PreconditionerKind::jacobi, PreconditionerKind::none, PreconditionerKind::amg);
    const int count = GENERATE(2, 3, 4);
    for (const Way stage : stages(*session)) {
        for (const bool enqueued : {false, true}) {
            CAPTURE(name(stage), name(preconditioner), count, enqueued);
            Device device = stage.adopt();
            Solver solver(device, A, {.preconditioner = preconditioner, .tolerance = 1e-5});
            Example example({"several", GL_RGBA32F, GL_RGBA32F, 4, 4, Texel::one, 4 - count});
            example.b_texels[example.stride_b() * 40 + 3] *= 1000;  // one is larger than the others
            const Picture b(example.width, example.height, 4, GL_RGBA32F, example.b_texels),
                x(example.width, example.height, 4, GL_RGBA32F, example.x_texels);
            TextureView from = example.view(b.name), to = example.view(x.name);
            from.right_hand_sides = to.right_hand_sides = count;
            Report report;
            if (enqueued) {
                solver.warm_up(from, to);
                CHECK(x.texels() == example.x_texels);
                solver.enqueue(from, to, {.iterations = 60, .history = true});
                report = polled(solver);
                CHECK_FALSE(report.history.empty());  // of the first one
            } else {
                report = solver.solve(from, to);
            }
            INFO(report.reason);
            CHECK(report.outcome == Outcome::met_on_device);
            const std::vector<float> found = x.texels();
            for (int k = 0; k < 4; ++k) {
                std::vector<double> right, answer;
                bool same = true;
                example.each([&](std::size_t texel, int) {
                    const std::size_t at = 4 * texel + static_cast<std::size_t>(k);
                    right.push_back(static_cast<double>(example.b_texels[at]));
                    answer.push_back(static_cast<double>(found[at]));
                    same = same && found[at] == example.x_texels[at];
                });
                CAPTURE(k);
                CHECK(same == (k < 4 - count));
                if (k >= 4 - count) {
                    CHECK(test::true_residual(A, answer, right) <= 1e-5 + rounding(A, answer, right));
                }
            }
            to.right_hand_sides = 1;
            CHECK_THROWS_WITH(solver.enqueue(from, to), ContainsSubstring("right-hand sides, and x has room"));
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("Solves on textures and of vectors take turns", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, A, {.tolerance = 1e-5});
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    std::vector<double> large(example.b);
    for (double& v : large) v *= 1e6;
    for (int turn = 0; turn < 3; ++turn) {
        solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 60, .zero_guess = true});
        std::vector<double> answer(large.size(), 0.0);
        CHECK(solver.solve(large, answer).outcome == Outcome::converged);
        CHECK(test::true_residual(A, answer, large) <= 1e-5);
        const Report report = polled(solver);  // of what came before
        CHECK(report.outcome == Outcome::met_on_device);
        const std::vector<double> found = example.solution(x);
        CHECK(std::abs(test::true_residual(A, found, example.b) - report.relative_residual)
              <= rounding(A, found, example.b));
    }
    // Outcomes that nobody polls make room for later ones, also those of a solver that is no more.
    for (int frame = 0; frame < 30; ++frame) solver.enqueue(example.view(b.name), example.view(x.name));
    glFinish();
    int told = 0;
    for (int look = 0; look < 100; ++look) told += solver.poll() ? 1 : 0;
    CHECK(told == 8);
    for (int frame = 0; frame < 30; ++frame) {
        Solver brief(device, A, {.tolerance = 1e-5});
        brief.enqueue(example.view(b.name), example.view(x.name), {.iterations = 2});
    }
    CHECK(session->errors.take() == "");
}

TEST_CASE("A solve that is taken up after one on textures begins anew", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, A, {.tolerance = 1e-8, .max_iterations = 8});
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    std::vector<double> answer(example.b.size(), 0.0);
    solver.solve(example.b, answer);
    solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 3});
    Report report;
    for (int times = 0; times < 12 && !report.converged(); ++times) report = solver.resume(example.b, answer);
    CHECK(report.converged());
    CHECK(test::true_residual(A, answer, example.b) <= 1e-8);
}

}  // namespace tests_of_texture_methods
