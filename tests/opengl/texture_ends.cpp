// How solves on textures end: what cannot be solved gives up, observers are heard, and what OpenGL has discarded is
// told from what it has done.
#include <glsolve/grid.hpp>

#include "methods/stopping_criterion.hpp"
#include "texture_support.hpp"

namespace tests_of_texture_ends {

using namespace texture_test;

namespace {

constexpr Wall open_end = Wall::dirichlet;

std::vector<float> wavy(std::size_t count, float size = 1) {
    std::vector<float> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = size * static_cast<float>(static_cast<int>(i * 29 % 23) - 11) / 8;
    return made;
}

bool on_softpipe() {
    return std::string_view(reinterpret_cast<const char*>(glGetString(GL_RENDERER))).starts_with("softpipe");
}

Options grid_options(double tolerance) {
    Options options = GridSolver::usual_options();
    options.precision = Precision::single;
    options.tolerance = tolerance;
    return options;
}

Report polled(GridSolver& solver) {
    glFinish();
    for (;;) {
        if (const auto report = solver.poll()) return *report;
    }
}

}  // namespace

TEST_CASE("A grid that multigrid cannot solve on textures is given up", "[opengl][textures][ends]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    if (on_softpipe()) {
        WARN("skipped: softpipe takes a quarter of an hour");
        return;
    }
    constexpr int side = 64;
    const Picture b(side, side, 1, GL_R32F, wavy(side * side)),
        x(side, side, 1, GL_R32F, std::vector<float>(side * side));
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Options options = grid_options(1e-5);
    options.precision = Precision::automatic;
    GridSolver solver(device, {.width = side, .height = side, .spacing = {1e6, 1, 1}}, options);
    const Report report = solver.solve({.texture = b.name}, {.texture = x.name});
    INFO(report.reason);
    CHECK((report.outcome == Outcome::diverged || report.outcome == Outcome::stagnated));
    CHECK(report.iterations < 10'000);  // of 419,600
    CHECK(session->errors.take() == "");
}

TEST_CASE("A system that no x solves is given up on textures", "[opengl][textures][ends]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    CsrMatrix A = grid_matrix();
    for (Index i = 0; i < A.rows; ++i) {  // rows add up to zero, and b does not
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            if (A.column[k] == i) A.value[k] = static_cast<double>(A.offsets[i + 1] - A.offsets[i] - 1);
        }
    }
    std::vector<float> texels = wavy(Example::columns * Example::rows);
    for (float& v : texels) v += 1;
    const Picture b(Example::columns, Example::rows, 1, GL_R32F, texels);
    for (const Way stage : stages(*session)) {
        for (const Precision precision : {Precision::single, Precision::two_float}) {
            CAPTURE(name(stage), name(precision));
            const Picture x(Example::columns, Example::rows, 1, GL_R32F, std::vector<float>(texels.size()));
            Device device = stage.adopt();
            Solver solver(device, A, {.precision = precision, .tolerance = 1e-5});
            const Report report = solver.solve({.texture = b.name}, {.texture = x.name});
            INFO(report.reason);
            CHECK(gave_up(report.outcome));
            CHECK(report.iterations < 5'000);  // of 22,000
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("The observer hears of a solve on textures, and can end it", "[opengl][textures][ends]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int side = 48;
    const Picture b(side, side, 1, GL_R32F, wavy(side * side)), four(side, side, 4, GL_RGBA32F, wavy(side * side * 4));
    for (const Way stage : stages(*session)) {
        for (const int columns : {1, 3}) {
            CAPTURE(name(stage), columns);
            const Picture x(side, side, 4, GL_RGBA32F, std::vector<float>(side * side * 4));
            const TextureView from{.texture = columns == 1 ? b.name : four.name, .right_hand_sides = columns},
                to{.texture = x.name, .right_hand_sides = columns};
            std::vector<Progress> heard;
            std::int64_t last = 1'000'000;
            Options options = grid_options(1e-5);
            options.preconditioner = PreconditionerKind::jacobi;
            options.observer = [&](const Progress& progress) {
                heard.push_back(progress);
                return progress.iteration < last;
            };
            Device device = stage.adopt();
            GridSolver solver(device, {.width = side, .height = side, .x_walls = {open_end, open_end}}, options);
            const Report whole = solver.solve(from, to);
            INFO(whole.reason);
            CHECK(whole.outcome == Outcome::met_on_device);
            REQUIRE(heard.size() > 2);
            // |r| itself, as the recurrence has it: what is met is not far from the tolerance.
            CHECK(heard.back().relative_residual < 3e-5);
            if (columns == 1) CHECK(heard.back().relative_residual > 1e-7);  // of several the one that runs counts
            CHECK(heard.front().relative_residual > 1e-3);

            heard.clear();
            last = 12;
            const Picture other(side, side, 4, GL_RGBA32F, std::vector<float>(side * side * 4));
            const Report part = solver.solve(from, {.texture = other.name, .right_hand_sides = columns});
            INFO(part.reason);
            CHECK(part.outcome == Outcome::cancelled);
            CHECK_FALSE(part.converged());
            CHECK(part.iterations >= 12);
            CHECK(part.iterations < whole.iterations);
            CHECK(other.texels() != std::vector<float>(side * side * 4));  // it has come nearer
            CHECK(part.relative_residual > 1e-5);
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("What a closed box takes off b is remarked on textures, too", "[opengl][textures][ends]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 21, height = 16;
    std::vector<float> sums_to_zero = wavy(width * height), ones = sums_to_zero;
    float sum = 0;
    for (const float v : sums_to_zero) sum += v;
    sums_to_zero[0] -= sum;  // numbers of few bits: the sum is exact
    for (float& v : ones) v = v / 4 + 1;
    for (const Way stage : stages(*session)) {
        CAPTURE(name(stage));
        Device device = stage.adopt();
        const Picture zero_sum(width, height, 1, GL_R32F, sums_to_zero), b(width, height, 1, GL_R32F, ones),
            x(width, height, 1, GL_R32F, std::vector<float>(width * height));
        GridSolver solver(device, {.width = width, .height = height}, grid_options(1e-4));
        std::vector<double> right(ones.begin(), ones.end()), found(right.size());
        const std::string of_vectors = solver.solve(right, found).remarks;
        REQUIRE_THAT(of_vectors, ContainsSubstring("of |b| was taken off"));
        for (const bool waits : {true, false}) {
            CAPTURE(waits);
            const auto remarks = [&](const Picture& from) {
                if (waits) return solver.solve({.texture = from.name}, {.texture = x.name}).remarks;
                solver.enqueue({.texture = from.name}, {.texture = x.name}, {.iterations = 9});
                return polled(solver).remarks;
            };
            CHECK(remarks(b) == of_vectors);
            CHECK(remarks(zero_sum) == "");
        }
        std::vector<Cell> cells(right.size(), Cell::unknown);
        cells[0] = Cell::open;
        solver.set_cells(cells);
        CHECK(solver.solve({.texture = b.name}, {.texture = x.name}).remarks == "");
        CHECK(session->errors.take() == "");
    }
}

TEST_CASE("What conditional rendering has discarded is no outcome", "[opengl][textures][ends]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 61, height = 45;
    const Picture b(width, height, 1, GL_R32F, wavy(width * height)),
        large(width, height, 1, GL_R32F, wavy(width * height, 1000));
    GLuint query = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);  // nothing is drawn, and so nothing passes
    glEndQuery(GL_SAMPLES_PASSED);
    for (const Way stage : stages(*session)) {
        if (stage.cuda) continue;
        CAPTURE(name(stage));
        if (on_softpipe() && name(stage) == "compute") {
            WARN("skipped: softpipe does what conditional rendering should discard, where it is dispatched");
            continue;
        }
        const Picture x(width, height, 1, GL_R32F, std::vector<float>(width * height));
        Device device = stage.adopt();
        GridSolver solver(
            device,
            {.width = width, .height = height, .x_walls = {open_end, open_end}, .y_walls = {open_end, open_end}},
            grid_options(1e-5));
        const TextureView from{.texture = b.name}, other{.texture = large.name}, to{.texture = x.name};
        const auto check_discarded = [&](const Report& report, const std::vector<float>& before) {
            INFO(report.reason);
            CHECK(report.outcome == Outcome::cancelled);
            CHECK_FALSE(report.converged());
            CHECK_THAT(report.reason, ContainsSubstring("conditional rendering"));
            CHECK(x.texels() == before);
        };
        const auto while_discarding = [&](const auto& call) {
            glBeginConditionalRender(query, GL_QUERY_WAIT);
            call();
            glEndConditionalRender();
        };
        std::vector<float> before = x.texels();
        while_discarding([&] { solver.enqueue(other, to, {.iterations = 8}); });  // before any frame
        check_discarded(polled(solver), before);
        solver.enqueue(from, to, {.iterations = 30});
        CHECK(polled(solver).outcome == Outcome::met_on_device);
        before = x.texels();
        while_discarding([&] { solver.enqueue(other, to, {.iterations = 30}); });
        check_discarded(polled(solver), before);
        while_discarding([&] { check_discarded(solver.solve(other, to), before); });
        // The same again in other cells: what the solver makes anew does not count from the beginning.
        solver.set_cells({}, std::vector<float>(width * height, 2.0f));
        while_discarding([&] { solver.enqueue(other, to, {.iterations = 30}); });
        check_discarded(polled(solver), before);
        solver.enqueue(other, to, {.iterations = 30});
        CHECK(polled(solver).outcome == Outcome::met_on_device);
        CHECK(session->errors.take() == "");
    }
    glDeleteQueries(1, &query);
}

TEST_CASE("A b that is too small for single precision is refused in the same words by all stages",
          "[opengl][textures][ends]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 53, height = 37;
    const std::vector<float> sizes = on_softpipe() ? std::vector<float>{1e-14f, 1e-40f}
                                                   : std::vector<float>{1e-14f, 1e-22f, 1e-30f, 1e-37f, 1e-40f, 1e-44f};
    for (const float size : sizes) {
        for (const Way stage : stages(*session)) {
            CAPTURE(name(stage), size);
            Device device = stage.adopt();
            const std::vector<float> guess = wavy(width * height, 1e-3f);
            const Picture b(width, height, 1, GL_R32F, wavy(width * height, size)), x(width, height, 1, GL_R32F, guess);
            GridSolver solver(
                device,
                {.width = width, .height = height, .x_walls = {open_end, open_end}, .y_walls = {open_end, open_end}},
                grid_options(1e-4));
            solver.enqueue({.texture = b.name}, {.texture = x.name}, {.iterations = 40, .zero_guess = true});
            const Report report = polled(solver);
            INFO(report.reason);
            if (size > 1e-15f) {
                CHECK(report.outcome == Outcome::met_on_device);
            } else {
                CHECK(report.outcome == Outcome::not_finite);
                CHECK_THAT(report.reason, ContainsSubstring("too small for single precision; x is as it was"));
                CHECK(x.texels() == guess);
            }
        }
    }
}

}  // namespace tests_of_texture_ends
