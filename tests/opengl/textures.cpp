// Solves whose right-hand sides and solutions are textures, judged in double precision from what the textures hold.
#include <array>
#include <bit>
#include <cstdint>
#include <glsolve/error.hpp>
#include <limits>

#include "texture_support.hpp"

namespace tests_of_textures {

using namespace texture_test;

TEST_CASE("Textures of all kinds go in and come out, and only what is asked for changes", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    for (const Way stage : stages(*session)) {
        Device device = stage.adopt();
        Solver solver(device, A, {.tolerance = 1e-5});
        for (const Kind& kind : kinds) {
            for (const auto& [enqueued, mipmaps] : {std::pair{false, false}, {true, false}, {true, true}}) {
                if (mipmaps && stage == Stage::fragment) continue;  // which draws in any case
                CAPTURE(name(stage), kind.name, enqueued, mipmaps);
                const Example example(kind);
                const Picture b(example.width, example.height, kind.b_components, kind.b_format, example.b_texels),
                    x(example.width, example.height, kind.x_components, kind.x_format, example.x_texels);
                if (mipmaps) x.set_filter(GL_NEAREST_MIPMAP_LINEAR);  // good enough to be drawn into
                for (const Setting& setting : hostile_settings(*session)) setting.set();
                const auto before = session->state();
                Report report;
                if (enqueued) {
                    solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 60});
                    CHECK(differences(before, session->state()) == "");
                    report = polled(solver);
                } else {
                    report = solver.solve(example.view(b.name), example.view(x.name));
                }
                CHECK(differences(before, session->state()) == "");
                INFO(report.reason);
                CHECK(report.outcome == Outcome::met_on_device);
                CHECK(report.relative_residual <= 1e-5);
                const std::vector<double> found = example.solution(x);
                CHECK(test::true_residual(A, found, example.b) <= 1e-5 + rounding(A, found, example.b));
                CHECK(report.iterations > 5);
                CHECK(session->errors.take() == "");
            }
        }
    }
}

TEST_CASE("Components that are not written keep their bits, be they no numbers", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    for (const Way stage : stages(*session)) {
        for (const Kind& kind : {kinds[1], kinds[2]}) {
            CAPTURE(name(stage), kind.name);
            Device device = stage.adopt();
            Solver solver(device, A, {.tolerance = 1e-5});
            Example example(kind);
            const auto stride = static_cast<std::size_t>(kind.x_components);
            const std::array<std::uint32_t, 3> odd{0x7f812345u, 0x00000123u, 0x80000000u};  // NaN, denormal, -0
            for (std::size_t i = 0; i < example.x_texels.size(); ++i) {
                if (static_cast<int>(i % stride) != kind.component)
                    example.x_texels[i] = std::bit_cast<float>(odd[i % 3]);
            }
            const Picture b(example.width, example.height, kind.b_components, kind.b_format, example.b_texels),
                x(example.width, example.height, kind.x_components, kind.x_format, example.x_texels);
            CHECK(solver.solve(example.view(b.name), example.view(x.name)).outcome == Outcome::met_on_device);
            const std::vector<float> after = x.texels();
            for (std::size_t i = 0; i < after.size(); ++i) {
                if (static_cast<int>(i % stride) == kind.component) continue;
                REQUIRE(std::bit_cast<std::uint32_t>(after[i]) == std::bit_cast<std::uint32_t>(example.x_texels[i]));
            }
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("The last row of a matrix's texture may be longer than what is left for it", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();  // 120 rows
    for (const Way stage : stages(*session)) {
        CAPTURE(name(stage));
        Device device = stage.adopt();
        Solver solver(device, A, {.tolerance = 1e-5});
        constexpr int width = 13, height = 10;
        std::vector<float> numbers;
        for (int i = 0; i < width * height; ++i) numbers.push_back(static_cast<float>(i * 37 % 64 - 31) / 16);
        const Picture b(width, height, 1, GL_R32F, numbers), x(width, height, 1, GL_R32F, numbers);
        CHECK(solver.solve({.texture = b.name}, {.texture = x.name}).outcome == Outcome::met_on_device);
        const std::vector<float> after = x.texels();
        const std::vector<double> found(after.begin(), after.begin() + 120),
            right(numbers.begin(), numbers.begin() + 120);
        CHECK(test::true_residual(A, found, right) <= 1e-5 + rounding(A, found, right));
        CHECK(std::equal(after.begin() + 120, after.end(), numbers.begin() + 120));
        CHECK(session->errors.take() == "");
    }
}

TEST_CASE("Budgets end a solve on textures, and its outcome says where", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, A, {.tolerance = 1e-6});
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    CHECK_FALSE(solver.poll());
    double last = std::numeric_limits<double>::infinity();
    std::int64_t together = 0;
    for (int frame = 0; frame < 20 && last > 1e-6; ++frame) {  // each goes on from the last one's x
        solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 4});
        const Report report = polled(solver);
        CHECK(report.iterations <= 4);
        CHECK(report.relative_residual < last);
        CHECK(report.outcome == (report.relative_residual <= 1e-6 ? Outcome::met_on_device : Outcome::max_iterations));
        const std::vector<double> found = example.solution(x);
        CHECK(std::abs(test::true_residual(A, found, example.b) - report.relative_residual)
              <= rounding(A, found, example.b) + 1e-6);
        last = report.relative_residual;
        together += report.iterations;
    }
    CHECK(last <= 1e-6);
    CHECK(together > 20);
    // Milliseconds: nobody asserts a time, but the first frame is a guess and the next ones know.
    Solver timed(device, A, {.tolerance = 1e-6});
    for (int frame = 0; frame < 3; ++frame) {
        timed.enqueue(example.view(b.name), example.view(x.name), {.milliseconds = 1e-6, .zero_guess = true});
        const Report report = polled(timed);
        CHECK(report.iterations == (frame == 0 ? 4 : 1));
        CHECK(report.device_seconds > 0);
    }
    // Also where nobody wants a report.
    Solver unheard(device, A, {.tolerance = 1e-6});
    for (int frame = 0; frame < 3; ++frame) {
        unheard.enqueue(example.view(b.name), example.view(x.name),
                        {.milliseconds = 1e-6, .zero_guess = true, .report = frame == 2});
        glFinish();
        CHECK(unheard.poll().has_value() == (frame == 2));
    }
    unheard.enqueue(example.view(b.name), example.view(x.name), {.milliseconds = 1e-6, .zero_guess = true});
    CHECK(polled(unheard).iterations == 1);
    CHECK_THROWS_WITH(solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = -1}),
                      ContainsSubstring("-1 iterations"));
    CHECK(session->errors.take() == "");
}

TEST_CASE("A zero right-hand side makes x zero; numbers that are none make no answer", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, poisson2d(8), {.tolerance = 1e-6});
    const std::vector<float> zeros(64, 0.0f), ones(64, 1.0f);
    const Picture b(8, 8, 1, GL_R32F, zeros), x(8, 8, 1, GL_R32F, ones);
    CHECK(solver.solve({.texture = b.name}, {.texture = x.name}).outcome == Outcome::met_on_device);
    CHECK(x.texels() == zeros);
    std::vector<float> broken = ones;
    broken[17] = std::numeric_limits<float>::quiet_NaN();
    const Picture none(8, 8, 1, GL_R32F, broken);
    CHECK(solver.solve({.texture = none.name}, {.texture = x.name}).outcome == Outcome::not_finite);
    // What a bad frame has left does not spoil the next.
    const Picture good(8, 8, 1, GL_R32F, ones), fresh(8, 8, 1, GL_R32F, zeros);
    CHECK(solver.solve({.texture = good.name}, {.texture = fresh.name}).outcome == Outcome::met_on_device);
    // Large and small numbers.
    for (const float size : {1e-12f, 1e12f}) {
        const Picture sized(8, 8, 1, GL_R32F, std::vector<float>(64, size));
        CHECK(solver.solve({.texture = sized.name}, {.texture = fresh.name}).outcome == Outcome::met_on_device);
    }
}

TEST_CASE("Small and large numbers are judged as truly as others", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, A, {.tolerance = 1e-8});
    for (const float size : {1e-16f, 1e-12f, 1e12f}) {
        CAPTURE(size);
        Example example(kinds[0]);
        for (float& number : example.b_texels) number *= size;
        for (double& number : example.b) number *= static_cast<double>(size);
        const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
            x(example.width, example.height, 1, GL_R32F, example.x_texels);
        for (const int budget : {10, 60}) {
            solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = budget, .zero_guess = true});
            const Report report = polled(solver);
            INFO(report.reason);
            const std::vector<double> found = example.solution(x);
            const double residual = test::true_residual(A, found, example.b);
            CHECK(std::abs(residual - report.relative_residual) <= 0.01 * residual + rounding(A, found, example.b));
            if (budget == 10) CHECK(report.outcome == Outcome::max_iterations);
        }
    }
    // Smaller ones have no squares: that is no zero.
    Example faint(kinds[0]);
    for (float& number : faint.b_texels) number *= 1e-27f;
    const Picture b(faint.width, faint.height, 1, GL_R32F, faint.b_texels),
        x(faint.width, faint.height, 1, GL_R32F, faint.x_texels);
    CHECK(solver.solve(faint.view(b.name), faint.view(x.name)).outcome == Outcome::not_finite);
}

TEST_CASE("What has met its tolerance stays as it is, and a bad frame spoils no later one", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    const bool absolutely = GENERATE(false, true);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, A, {.tolerance = absolutely ? 0.0 : 1e-3, .absolute_tolerance = absolutely ? 0.05 : 0.0});
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    const Report first = solver.solve(example.view(b.name), example.view(x.name));
    INFO(first.reason);
    CHECK(first.outcome == Outcome::met_on_device);
    CHECK(first.iterations < 40);
    const std::vector<float> met = x.texels();
    solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 10});
    const Report second = polled(solver);
    CHECK(second.outcome == Outcome::met_on_device);
    CHECK(second.iterations == 0);
    CHECK(x.texels() == met);

    std::vector<float> broken = example.b_texels;
    for (float& number : broken) number = std::numeric_limits<float>::infinity();
    const Picture bad(example.width, example.height, 1, GL_R32F, broken);
    solver.enqueue(example.view(bad.name), example.view(x.name), {.iterations = 10});
    CHECK(polled(solver).outcome == Outcome::not_finite);
    CHECK(x.texels() == met);
    std::vector<float> spoiled = met;
    for (std::size_t i = 0; i < spoiled.size(); i += 5) spoiled[i] = std::numeric_limits<float>::quiet_NaN();
    const Picture guess(example.width, example.height, 1, GL_R32F, spoiled);
    CHECK(solver.solve(example.view(b.name), example.view(guess.name)).outcome == Outcome::met_on_device);
    CHECK(session->errors.take() == "");
}

TEST_CASE("What does not fit is refused with the reason, before anything is drawn", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, grid_matrix(), {});
    const std::vector<float> numbers(4 * 144, 1.0f);
    const Picture fits(12, 10, 1, GL_R32F, numbers), four(3, 10, 4, GL_RGBA32F, numbers),
        three(12, 10, 3, GL_RGB32F, numbers), bytes(12, 10, 1, GL_R8, numbers), square(12, 12, 1, GL_R32F, numbers),
        swizzled(12, 10, 1, GL_R32F, numbers), levels(12, 10, 1, GL_R32F, numbers);
    glBindTexture(GL_TEXTURE_2D, swizzled.name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_ZERO);
    glBindTexture(GL_TEXTURE_2D, levels.name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    glBindTexture(GL_TEXTURE_2D, 0);
    const TextureView good{.texture = fits.name};
    const auto refused = [&](const TextureView& b, const TextureView& x, const std::string& why) {
        CAPTURE(why);
        CHECK_THROWS_WITH(solver.enqueue(b, x), ContainsSubstring(why));
        CHECK_THROWS_AS(solver.solve(b, x), InvalidInput);
    };
    refused({.texture = 0}, good, "none of this context");
    refused({.texture = 12345}, good, "b: texture 12345");
    refused({.texture = session->host.layers}, good, "TextureView::layer says which");
    refused({.texture = session->host.rectangle}, good, "no GL_TEXTURE_2D");
    refused({.texture = bytes.name}, good, "read from");
    refused(good, {.texture = three.name}, "RGB32F; a solution takes");
    refused({.texture = swizzled.name}, good, "GL_TEXTURE_SWIZZLE_R");
    refused(good, {.texture = levels.name}, "x: texture");
    refused({.texture = square.name}, good, "the 120 unknowns take 120 texels, 10 rows of these");
    refused({.texture = square.name, .width = 13, .height = 10}, good, "is not inside");
    refused({.texture = fits.name, .x = -1}, good, "is not inside");
    refused({.texture = fits.name, .component = 1}, good, "1 components");
    refused({.texture = fits.name, .right_hand_sides = 2}, good, "2 from component 0 on");
    refused({.texture = fits.name, .texel = Texel::four}, good, "take all of four");
    CHECK_NOTHROW(solver.enqueue(good, {.texture = four.name, .texel = Texel::four}, {.iterations = 1}));
    Solver direct(device, poisson2d(5), {.method = Method::direct, .preconditioner = PreconditionerKind::none});
    CHECK_THROWS_WITH(direct.enqueue(good, good), ContainsSubstring("bicgstab-chebyshev"));
    CHECK(fits.texels() == std::vector<float>(120, 1.0f));
    Device host = Device::host();
    Solver on_host(host, poisson2d(5), {});
    CHECK_THROWS_AS(on_host.enqueue(good, good), InvalidInput);
}

}  // namespace tests_of_textures
