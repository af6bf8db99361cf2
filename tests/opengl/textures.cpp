// Solves whose right-hand sides and solutions are textures, judged in double precision from what the textures hold.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <limits>
#include <thread>

#ifdef GLSOLVE_HAS_EGL
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif

#include "hostile_host.hpp"
#include "support/problems.hpp"

using namespace glsolve;
using namespace state_guard_test;

namespace {

/// After a host that sets everything has had its way.
void usual_pixel_state() {
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    for (const GLenum parameter : {GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS,
                                   GL_PACK_SKIP_PIXELS, GL_UNPACK_SWAP_BYTES, GL_UNPACK_LSB_FIRST, GL_UNPACK_ROW_LENGTH,
                                   GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS}) {
        glPixelStorei(parameter, 0);
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (gl_state_probe::has_extension("GL_MESA_pack_invert")) glPixelStorei(GL_PACK_INVERT_MESA, GL_FALSE);
}

/// A texture of the program's.
struct Picture {
    GLuint name = 0;
    int width, height, components;

    Picture(int w, int h, int c, GLenum format, const std::vector<float>& texels) : width(w), height(h), components(c) {
        constexpr GLenum layouts[] = {GL_RED, GL_RG, GL_RGB, GL_RGBA};
        usual_pixel_state();
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), w, h, 0, layouts[c - 1], GL_FLOAT, texels.data());
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    ~Picture() { glDeleteTextures(1, &name); }

    std::vector<float> texels() const {
        constexpr GLenum layouts[] = {GL_RED, GL_RG, GL_RGB, GL_RGBA};
        std::vector<float> read(static_cast<std::size_t>(width * height * components));
        usual_pixel_state();
        glBindTexture(GL_TEXTURE_2D, name);
        glGetTexImage(GL_TEXTURE_2D, 0, layouts[components - 1], GL_FLOAT, read.data());
        glBindTexture(GL_TEXTURE_2D, 0);
        return read;
    }
};

struct Kind {
    const char* name;
    GLenum b_format, x_format;
    int b_components, x_components;
    Texel texel;
    int component;
};
constexpr Kind kinds[] = {{"R32F", GL_R32F, GL_R32F, 1, 1, Texel::one, 0},
                          {"second of RG32F", GL_RG32F, GL_RG32F, 2, 2, Texel::one, 1},
                          {"alpha of RGBA32F", GL_RGBA32F, GL_RGBA32F, 4, 4, Texel::one, 3},
                          {"four of RGBA32F", GL_RGBA32F, GL_RGBA32F, 4, 4, Texel::four, 0},
                          {"halves to R32F", GL_R16F, GL_R32F, 1, 1, Texel::one, 0},
                          {"four halves to RGBA32F", GL_RGBA16F, GL_RGBA32F, 4, 4, Texel::four, 0}};

/// 12 x 10 unknowns in a texture with a frame of other things around them.
struct Example {
    static constexpr int columns = 12, rows = 10, left = 3, below = 2;
    Kind kind;
    int texels_wide = kind.texel == Texel::four ? columns / 4 : columns;
    int width = texels_wide + 5, height = rows + 4;
    std::vector<double> b, guess;
    std::vector<float> b_texels, x_texels;

    explicit Example(const Kind& k) : kind(k) {
        b_texels = numbers(kind.b_components, 1);
        x_texels = numbers(kind.x_components, 2);
        each([&](std::size_t texel, int lane) {
            b.push_back(static_cast<double>(b_texels[texel * stride_b() + place(lane)]));
        });
        each([&](std::size_t texel, int lane) {
            guess.push_back(static_cast<double>(x_texels[texel * stride_x() + place(lane)]));
        });
    }
    std::size_t stride_b() const { return static_cast<std::size_t>(kind.b_components); }
    std::size_t stride_x() const { return static_cast<std::size_t>(kind.x_components); }
    std::size_t place(int lane) const { return static_cast<std::size_t>(kind.component + lane); }
    /// Numbers that halves hold exactly.
    std::vector<float> numbers(int components, int seed) const {
        std::vector<float> made(static_cast<std::size_t>(width * height * components));
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = static_cast<float>(static_cast<int>(i * 37 + static_cast<std::size_t>(seed) * 11) % 64 - 31) / 16;
        }
        return made;
    }
    template <class Function>
    void each(const Function& f) const {
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column) {
                const int shift = kind.texel == Texel::four ? 2 : 0;
                const int texel = (below + row) * width + left + (column >> shift);
                f(static_cast<std::size_t>(texel), column & ((1 << shift) - 1));
            }
        }
    }
    TextureView view(GLuint name) const {
        return {.texture = name,
                .x = left,
                .y = below,
                .width = texels_wide,
                .height = rows,
                .texel = kind.texel,
                .component = kind.component};
    }
    /// What x holds now, and what is beside it must be what it was.
    std::vector<double> solution(const Picture& x) const {
        std::vector<float> now = x.texels();
        std::vector<double> found;
        each([&](std::size_t texel, int lane) {
            float& number = now[texel * stride_x() + place(lane)];
            found.push_back(static_cast<double>(number));
            number = x_texels[texel * stride_x() + place(lane)];
        });
        CHECK(now == x_texels);
        return found;
    }
};

/// 5-point, and not square, so that rows are told from columns.
CsrMatrix grid_matrix() {
    std::vector<Triplet> entries;
    constexpr Index columns = Example::columns, count = columns * Example::rows;
    for (Index i = 0; i < count; ++i) {
        entries.push_back({i, i, 4});
        if (i % columns > 0) entries.push_back({i, i - 1, -1});
        if (i % columns < columns - 1) entries.push_back({i, i + 1, -1});
        if (i >= columns) entries.push_back({i, i - columns, -1});
        if (i + columns < count) entries.push_back({i, i + columns, -1});
    }
    return csr_from_triplets(count, count, entries);
}

/// Rounding x to single precision makes residuals of this size.
double rounding(const CsrMatrix& A, const std::vector<double>& x, const std::vector<double>& b) {
    double largest = 0, norm_b = 0;
    for (const double v : x) largest = std::max(largest, std::abs(v));
    for (const double v : b) norm_b += v * v;
    return 8 * largest * std::ldexp(1.0, -24) * std::sqrt(static_cast<double>(A.rows)) / std::sqrt(norm_b);
}

std::vector<Stage> stages(const CoreSession& session) {
    return session.features.compute ? std::vector{Stage::fragment, Stage::compute} : std::vector{Stage::fragment};
}

Report polled(Solver& solver) {
    for (;;) {
        if (const auto report = solver.poll()) return *report;
    }
}

}  // namespace

TEST_CASE("Textures of all kinds go in and come out, and only what is asked for changes", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    for (const Stage stage : stages(*session)) {
        Device device = Device::adopt_current_opengl(stage);
        Solver solver(device, A, {.tolerance = 1e-5});
        for (const Kind& kind : kinds) {
            for (const bool enqueued : {false, true}) {
                CAPTURE(name(stage), kind.name, enqueued);
                const Example example(kind);
                const Picture b(example.width, example.height, kind.b_components, kind.b_format, example.b_texels),
                    x(example.width, example.height, kind.x_components, kind.x_format, example.x_texels);
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
                CHECK(report.status == Status::met_on_device);
                CHECK(report.relative_residual <= 1e-5);
                const std::vector<double> found = example.solution(x);
                CHECK(test::true_residual(A, found, example.b) <= 1e-5 + rounding(A, found, example.b));
                CHECK(report.iterations > 5);
                CHECK(session->errors.take() == "");
            }
        }
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
        CHECK(report.status == (report.relative_residual <= 1e-6 ? Status::met_on_device : Status::max_iterations));
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
                      Catch::Contains("-1 iterations"));
    CHECK(session->errors.take() == "");
}

TEST_CASE("Iterations without inner products work on textures, frame after frame", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    for (const Stage stage : stages(*session)) {
        Device device = Device::adopt_current_opengl(stage);
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
            CHECK(report.status == Status::met_on_device);
            const std::vector<double> found = example.solution(x);
            CHECK(test::true_residual(A, found, example.b) <= 1e-5 + rounding(A, found, example.b));
            // One call, which iterates until it is met; and vectors are solved for as before.
            const Picture again(example.width, example.height, 1, GL_R32F, example.x_texels);
            CHECK(solver.solve(example.view(b.name), example.view(again.name)).status == Status::met_on_device);
            std::vector<double> of_vectors(example.b.size(), 0.0);
            CHECK(solver.solve(example.b, of_vectors).converged());
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

TEST_CASE("A zero right-hand side makes x zero; numbers that are none make no answer", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, poisson2d(8), {.tolerance = 1e-6});
    const std::vector<float> zeros(64, 0.0f), ones(64, 1.0f);
    const Picture b(8, 8, 1, GL_R32F, zeros), x(8, 8, 1, GL_R32F, ones);
    CHECK(solver.solve({.texture = b.name}, {.texture = x.name}).status == Status::met_on_device);
    CHECK(x.texels() == zeros);
    std::vector<float> broken = ones;
    broken[17] = std::numeric_limits<float>::quiet_NaN();
    const Picture none(8, 8, 1, GL_R32F, broken);
    CHECK(solver.solve({.texture = none.name}, {.texture = x.name}).status == Status::not_finite);
    // What a bad frame has left does not spoil the next.
    const Picture good(8, 8, 1, GL_R32F, ones), fresh(8, 8, 1, GL_R32F, zeros);
    CHECK(solver.solve({.texture = good.name}, {.texture = fresh.name}).status == Status::met_on_device);
    // Large and small numbers.
    for (const float size : {1e-12f, 1e12f}) {
        const Picture sized(8, 8, 1, GL_R32F, std::vector<float>(64, size));
        CHECK(solver.solve({.texture = sized.name}, {.texture = fresh.name}).status == Status::met_on_device);
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
            if (budget == 10) CHECK(report.status == Status::max_iterations);
        }
    }
    // Smaller ones have no squares: that is no zero.
    Example faint(kinds[0]);
    for (float& number : faint.b_texels) number *= 1e-27f;
    const Picture b(faint.width, faint.height, 1, GL_R32F, faint.b_texels),
        x(faint.width, faint.height, 1, GL_R32F, faint.x_texels);
    CHECK(solver.solve(faint.view(b.name), faint.view(x.name)).status == Status::not_finite);
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
    CHECK(first.status == Status::met_on_device);
    CHECK(first.iterations < 40);
    const std::vector<float> met = x.texels();
    solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 10});
    const Report second = polled(solver);
    CHECK(second.status == Status::met_on_device);
    CHECK(second.iterations == 0);
    CHECK(x.texels() == met);

    std::vector<float> broken = example.b_texels;
    for (float& number : broken) number = std::numeric_limits<float>::infinity();
    const Picture bad(example.width, example.height, 1, GL_R32F, broken);
    solver.enqueue(example.view(bad.name), example.view(x.name), {.iterations = 10});
    CHECK(polled(solver).status == Status::not_finite);
    CHECK(x.texels() == met);
    std::vector<float> spoiled = met;
    for (std::size_t i = 0; i < spoiled.size(); i += 5) spoiled[i] = std::numeric_limits<float>::quiet_NaN();
    const Picture guess(example.width, example.height, 1, GL_R32F, spoiled);
    CHECK(solver.solve(example.view(b.name), example.view(guess.name)).status == Status::met_on_device);
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
         {Method::cg, Method::pipelined_cg, Method::minres, Method::bicgstab, Method::bicgstab2}) {
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

TEST_CASE("Up to four right-hand sides share a texture, and a product where they can", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const auto preconditioner = GENERATE(PreconditionerKind::jacobi, PreconditionerKind::none, PreconditionerKind::amg);
    const int count = GENERATE(2, 3, 4);
    for (const Stage stage : stages(*session)) {
        for (const bool enqueued : {false, true}) {
            CAPTURE(name(stage), name(preconditioner), count, enqueued);
            Device device = Device::adopt_current_opengl(stage);
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
                solver.enqueue(from, to, {.iterations = 60});
                report = polled(solver);
            } else {
                report = solver.solve(from, to);
            }
            INFO(report.reason);
            CHECK(report.status == Status::met_on_device);
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
            CHECK_THROWS_WITH(solver.enqueue(from, to), Catch::Contains("right-hand sides, and x has room"));
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
        CHECK(solver.solve(large, answer).status == Status::converged);
        CHECK(test::true_residual(A, answer, large) <= 1e-5);
        const Report report = polled(solver);  // of what came before
        CHECK(report.status == Status::met_on_device);
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

TEST_CASE("What does not fit is refused with the reason, before anything is drawn", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, grid_matrix(), {});
    const std::vector<float> numbers(4 * 144, 1.0f);
    const Picture fits(12, 10, 1, GL_R32F, numbers), four(3, 10, 4, GL_RGBA32F, numbers),
        half(12, 10, 1, GL_R16F, numbers), bytes(12, 10, 1, GL_R8, numbers), square(12, 12, 1, GL_R32F, numbers),
        swizzled(12, 10, 1, GL_R32F, numbers), levels(12, 10, 1, GL_R32F, numbers);
    glBindTexture(GL_TEXTURE_2D, swizzled.name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_ZERO);
    glBindTexture(GL_TEXTURE_2D, levels.name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    glBindTexture(GL_TEXTURE_2D, 0);
    const TextureView good{.texture = fits.name};
    const auto refused = [&](const TextureView& b, const TextureView& x, const std::string& why) {
        CAPTURE(why);
        CHECK_THROWS_WITH(solver.enqueue(b, x), Catch::Contains(why));
        CHECK_THROWS_AS(solver.solve(b, x), InvalidInput);
    };
    refused({.texture = 0}, good, "none of this context");
    refused({.texture = 12345}, good, "b: texture 12345");
    refused({.texture = session->host.layers}, good, "no GL_TEXTURE_2D");
    refused({.texture = bytes.name}, good, "read from");
    refused(good, {.texture = half.name}, "R16F; a solution takes");
    refused({.texture = swizzled.name}, good, "GL_TEXTURE_SWIZZLE_R");
    refused(good, {.texture = levels.name}, "x: texture");
    refused({.texture = square.name}, good, "the 120 unknowns take 120 texels");
    refused({.texture = square.name, .width = 13, .height = 10}, good, "is not inside");
    refused({.texture = fits.name, .x = -1}, good, "is not inside");
    refused({.texture = fits.name, .component = 1}, good, "1 components");
    refused({.texture = fits.name, .right_hand_sides = 2}, good, "2 from component 0 on");
    refused({.texture = fits.name, .texel = Texel::four}, good, "take all of four");
    CHECK_NOTHROW(solver.enqueue(good, {.texture = four.name, .texel = Texel::four}, {.iterations = 1}));
    Solver direct(device, poisson2d(5), {.method = Method::direct, .preconditioner = PreconditionerKind::none});
    CHECK_THROWS_WITH(direct.enqueue(good, good), Catch::Contains("solve on textures"));
    CHECK(fits.texels() == std::vector<float>(120, 1.0f));
    Device host = Device::host();
    Solver on_host(host, poisson2d(5), {});
    CHECK_THROWS_AS(on_host.enqueue(good, good), InvalidInput);
}

TEST_CASE("Grids are made of textures, and solved on them", "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 22, height = 17;
    std::vector<float> cells(width * height, 1.0f), b(width * height), zeros(width * height, 0.0f);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int i = y * width + x;
            if (std::hypot(x - 9, y - 8) < 4) cells[static_cast<std::size_t>(i)] = 0;  // solid
            if (y == height - 1) cells[static_cast<std::size_t>(i)] = -1;              // open
            b[static_cast<std::size_t>(i)] = static_cast<float>((i * 29) % 23 - 11) / 8;
        }
    }
    for (const Stage stage : stages(*session)) {
        for (const auto preconditioner : {PreconditionerKind::multigrid, PreconditionerKind::jacobi}) {
            for (const bool from_texture : {true, false}) {
                CAPTURE(name(stage), name(preconditioner), from_texture);
                Device device = Device::adopt_current_opengl(stage);
                Options options = GridSolver::usual_options();
                options.preconditioner = preconditioner;
                options.tolerance = 1e-6;
                GridSolver solver(device, {.width = width, .height = height}, options);
                const Picture kinds(width, height, 1, GL_R32F, cells), right(width, height, 1, GL_R32F, b),
                    x(width, height, 1, GL_R32F, zeros);
                if (from_texture) {
                    solver.set_cells_from({.texture = kinds.name});
                } else {
                    std::vector<Cell> on_host;
                    for (const float c : cells)
                        on_host.push_back(c > 0 ? Cell::unknown : c < 0 ? Cell::open : Cell::solid);
                    solver.set_cells(on_host);
                }
                const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
                INFO(report.reason);
                CHECK(report.status == Status::met_on_device);
                const CsrMatrix A = solver.matrix();
                std::vector<double> masked(b.begin(), b.end());
                for (std::size_t i = 0; i < masked.size(); ++i) masked[i] = cells[i] > 0 ? masked[i] : 0;
                const std::vector<float> found = x.texels();
                const std::vector<double> answer(found.begin(), found.end());
                CHECK(test::true_residual(A, answer, masked) <= 1e-6 + rounding(A, answer, masked));
                CHECK(session->errors.take() == "");
            }
        }
    }
}

TEST_CASE("Of closed grids what no pressure makes is taken off", "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 19, height = 14;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Options options = GridSolver::usual_options();
    options.tolerance = 1e-5;
    GridSolver solver(device, {.width = width, .height = height}, options);
    std::vector<Cell> kinds(width * height, Cell::unknown);
    for (int y = 4; y < 9; ++y) kinds[static_cast<std::size_t>(y * width + 6)] = Cell::solid;
    solver.set_cells(kinds);
    std::vector<float> b(width * height);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 29 % 23) / 8;  // does not add up to zero
    const Picture right(width, height, 1, GL_R32F, b), x(width, height, 1, GL_R32F, b);
    const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
    INFO(report.reason);
    CHECK(report.status == Status::met_on_device);
    std::vector<double> projected(b.begin(), b.end());
    double mean = 0, count = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (kinds[i] == Cell::unknown) mean += projected[i], count += 1;
    }
    for (std::size_t i = 0; i < b.size(); ++i)
        projected[i] = kinds[i] == Cell::unknown ? projected[i] - mean / count : 0;
    const std::vector<float> found = x.texels();
    const std::vector<double> answer(found.begin(), found.end());
    CHECK(test::true_residual(solver.matrix(), answer, projected) <= 2e-5);
}

TEST_CASE("Two solvers work in two contexts at once, in a thread each", "[opengl][textures]") {
    const auto solved = [](std::string& outcome) {
        try {
            const HeadlessContext context;
            Device device = Device::adopt_current_opengl(Stage::fragment);
            Solver solver(device, grid_matrix(), {.tolerance = 1e-5});
            const Example example(kinds[0]);
            const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
                x(example.width, example.height, 1, GL_R32F, example.x_texels);
            for (int frame = 0; frame < 20; ++frame) {
                solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 10});
                outcome = name(polled(solver).status);
            }
        } catch (const Error& error) {
            outcome = error.what();
        }
    };
    if (open_session<CoreSession>() == nullptr) return;
    std::string first, second;
    std::thread other([&] { solved(second); });
    solved(first);
    other.join();
    CHECK(first == "met_on_device");
    CHECK(second == "met_on_device");
}

#ifdef GLSOLVE_HAS_EGL
TEST_CASE("A texture of a shared context is solved on where it is wanted", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    EGLDisplay display = eglGetCurrentDisplay();
    EGLContext drawing = eglGetCurrentContext();
    if (display == EGL_NO_DISPLAY) return;  // a window's
    const Example example(kinds[0]);
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    glFinish();  // what one context has done is seen by others from then on
    EGLint id = 0, count = 0;
    eglQueryContext(display, drawing, EGL_CONFIG_ID, &id);
    const EGLint wanted[] = {EGL_CONFIG_ID, id, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (id != 0) eglChooseConfig(display, wanted, &config, 1, &count);
    // Those who share have to agree on how losses are told.
    const EGLint plain[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    const EGLint tells[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR,
                            EGL_LOSE_CONTEXT_ON_RESET_KHR,
                            EGL_NONE};
    eglBindAPI(EGL_OPENGL_API);
    EGLContext solving = eglCreateContext(display, config, drawing, plain);
    if (solving == EGL_NO_CONTEXT) solving = eglCreateContext(display, config, drawing, tells);
    REQUIRE(solving != EGL_NO_CONTEXT);
    REQUIRE(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, solving) == EGL_TRUE);
    {
        Device device = Device::adopt_current_opengl(Stage::fragment);
        Solver solver(device, grid_matrix(), {.tolerance = 1e-5});
        CHECK(solver.solve(example.view(b.name), example.view(x.name)).status == Status::met_on_device);
        glFinish();
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, drawing);
        CHECK_THROWS_WITH(solver.enqueue(example.view(b.name), example.view(x.name)), Catch::Contains("not current"));
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, solving);
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, drawing);
    eglDestroyContext(display, solving);
    const std::vector<double> found = example.solution(x);
    const CsrMatrix A = grid_matrix();
    CHECK(test::true_residual(A, found, example.b) <= 1e-5 + rounding(A, found, example.b));
}
#endif

TEST_CASE("Closed grids with cells by themselves, and with coefficients later, lose only their mean",
          "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 64, height = 20;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Options options = GridSolver::usual_options();
    options.tolerance = 1e-5;
    GridSolver solver(device, {.width = width, .height = height}, options);
    std::vector<Cell> kinds(width * height, Cell::unknown);
    const int alone = 7 * width + 9;  // an unknown between four solids
    for (const int beside : {-1, 1, -width, width}) kinds[static_cast<std::size_t>(alone + beside)] = Cell::solid;
    std::vector<float> b(width * height);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 29 % 23) / 8;
    const Picture right(width, height, 1, GL_R32F, b), x(width, height, 1, GL_R32F, b);
    for (const bool coefficients : {false, true}) {
        CAPTURE(coefficients);
        std::vector<float> k(kinds.size());
        for (std::size_t i = 0; i < k.size(); ++i) k[i] = 1 + static_cast<float>(i % 3);
        coefficients ? solver.set_cells(kinds, k) : solver.set_cells(kinds);
        solver.warm_up({.texture = right.name}, {.texture = x.name});
        CHECK(x.texels()[5] != 0);
        const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
        INFO(report.reason);
        CHECK(report.status == Status::met_on_device);
        std::vector<double> projected(b.begin(), b.end());
        double sum = 0, count = 0;
        const auto counts = [&](std::size_t i) {
            return kinds[i] == Cell::unknown && i != static_cast<std::size_t>(alone);
        };
        for (std::size_t i = 0; i < b.size(); ++i) {
            if (counts(i)) sum += projected[i], count += 1;
        }
        for (std::size_t i = 0; i < b.size(); ++i) projected[i] = counts(i) ? projected[i] - sum / count : 0;
        const std::vector<float> found = x.texels();
        std::vector<double> answer(found.begin(), found.end());
        answer[static_cast<std::size_t>(alone)] = 0;
        CHECK(test::true_residual(solver.matrix(), answer, projected) <= 3e-5);
    }
    CHECK(session->errors.take() == "");
}
