// What is promised beyond right answers: nothing is read inside an iteration, nothing is allocated in a second solve,
// what is encoded in vain changes nothing, the same run gives the same bits.
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <map>
#include <optional>

#include "device/verbs.hpp"
#include "opengl/opengl_backend.hpp"
#include "refinement/iteration_loop.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/problems.hpp"

namespace tests_of_promises {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Counts calls of OpenGL while it lives, by exchanging entries of the function table. The counters are global because
/// OpenGL's functions are plain ones.
struct Calls {
    static inline int reads = 0, finishes = 0, textures = 0, buffers = 0, framebuffers = 0, programs = 0, draws = 0;
    static inline opengl::Functions real{};

    explicit Calls(opengl::OpenGlBackend& backend) : table(backend.functions()) {
        real = table;
        reads = finishes = textures = buffers = framebuffers = programs = draws = 0;
        table.ReadPixels = [](GLint x, GLint y, GLsizei w, GLsizei h, GLenum f, GLenum t, void* p) {
            ++reads;
            real.ReadPixels(x, y, w, h, f, t, p);
        };
        table.Finish = [] {
            ++finishes;
            real.Finish();
        };
        table.TexImage2D = [](GLenum a, GLint b, GLint c, GLsizei d, GLsizei e, GLint f, GLenum g, GLenum h,
                              const void* p) {
            ++textures;
            real.TexImage2D(a, b, c, d, e, f, g, h, p);
        };
        table.GenBuffers = [](GLsizei n, GLuint* names) {
            ++buffers;
            real.GenBuffers(n, names);
        };
        table.GenFramebuffers = [](GLsizei n, GLuint* names) {
            ++framebuffers;
            real.GenFramebuffers(n, names);
        };
        table.CreateProgram = [] {
            ++programs;
            return real.CreateProgram();
        };
        table.DrawArrays = [](GLenum mode, GLint first, GLsizei count) {
            ++draws;
            real.DrawArrays(mode, first, count);
        };
        table.ClearBufferfv = [](GLenum buffer, GLint which, const GLfloat* value) {
            ++draws;  // a pass that fills with zeros
            real.ClearBufferfv(buffer, which, value);
        };
    }
    ~Calls() { table = real; }

    opengl::Functions& table;
};

opengl::OpenGlBackend* opengl_backend() { return dynamic_cast<opengl::OpenGlBackend*>(&backend_under_test()); }

}  // namespace

TEST_CASE("a solve holds its matrix and about ten vectors, and as many as corrections need", "[solvers][promises]") {
    const CsrMatrix A = random_spd(4000, 20'000);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    // Devices may share a process with other tests: what this one takes is the difference.
    Backend& backend = backend_under_test();
    backend.trim();
    const std::int64_t before = backend.counters().bytes;
    Solver solver(device_under_test(), A, {.max_iterations = 1000});
    const Report report = solver.solve(b, x);
    CHECK(report.vector_bytes == 16384);
    CHECK(report.matrix_bytes > 16'000);
    // Ten vectors; partial sums, which are as long in the fragment stage; spares for the three outputs of an update;
    // the history of a thousand iterations. Where the device corrects, b and x in two floats, spares for x, what scales
    // residuals back, and their low part.
    const std::int64_t for_corrections = report.corrections_on_device > 0 ? 8 : 0;
    CHECK(report.device_bytes - before
          <= report.matrix_bytes + (10 + 1 + 3 + 1 + for_corrections) * report.vector_bytes);
}

TEST_CASE("solvers of many sizes leave nothing behind that a trim does not free", "[solvers][promises]") {
    const CsrMatrix A = poisson2d(8);
    const std::vector<double> b = matching_right_hand_side(A);
    const auto solve = [&](int max_iterations) {
        std::vector<double> x(b.size(), 0.0);
        REQUIRE(Solver(device_under_test(), A, {.max_iterations = max_iterations}).solve(b, x).converged());
    };
    Backend& backend = backend_under_test();
    solve(100);  // what a device keeps for good is there now
    backend.trim();
    const std::int64_t before = backend.counters().bytes;
    for (int i = 2; i < 24; ++i) solve(100 * i);  // with as many lengths of histories
    backend.trim();
    CHECK(backend.counters().bytes <= before);
}

TEST_CASE("a second solve allocates nothing", "[solvers][promises]") {
    const CsrMatrix A = poisson2d(16);
    const Method method = GENERATE(Method::cg, Method::pipelined_cg);
    CAPTURE(name(method));
    Solver solver(device_under_test(), A, {.method = method});
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    REQUIRE(solver.solve(b, x).converged());
    const Counters before = backend_under_test().counters();
    std::optional<Calls> calls;
    if (opengl_backend() != nullptr) calls.emplace(*opengl_backend());
    std::fill(x.begin(), x.end(), 0.0);
    REQUIRE(solver.solve(b, x).converged());
    CHECK(backend_under_test().counters().allocations == before.allocations);
    CHECK(backend_under_test().counters().bytes == before.bytes);
    if (calls) {
        CHECK(Calls::textures == 0);
        CHECK(Calls::buffers == 0);
        CHECK(Calls::framebuffers == 0);
        CHECK(Calls::programs == 0);
    }
}

TEST_CASE("new numbers in the same places compile nothing", "[solvers][promises][update]") {
    const CsrMatrix A = random_spd(300, 2000);
    CsrMatrix other = A;
    for (double& a : other.value) a *= 0.3;
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::jacobi, PreconditionerKind::amg);
    CAPTURE(name(preconditioner));
    Solver solver(device_under_test(), A, {.preconditioner = preconditioner, .amg = {.coarsest = 40}});
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    REQUIRE(solver.solve(b, x).converged());
    std::optional<Calls> calls;
    if (opengl_backend() != nullptr) calls.emplace(*opengl_backend());
    solver.update_values(other.value);
    REQUIRE(solver.solve(b, x).converged());
    if (calls) CHECK(Calls::programs == 0);
}

TEST_CASE("what was rehearsed is ready: nothing but zeros was written, and nothing is made any more", "[promises]") {
    Backend& backend = backend_under_test();
    const Session open(backend);
    constexpr Index n = 4096;  // without padding
    const std::vector<float> ones(n, 1.0f);
    Vector x(backend, n, "x"), y(backend, n, "y");
    {
        const Rehearsal only(backend);
        for (int twice = 0; twice < 2; ++twice) axpy(y, scalar_arg(2), x);
    }
    CHECK(y.download_texels() == std::vector<float>(n, 0.0f));
    const std::uint64_t allocations = backend.counters().allocations;
    std::optional<Calls> calls;
    if (opengl_backend() != nullptr) calls.emplace(*opengl_backend());
    x.upload(ones);
    for (int twice = 0; twice < 2; ++twice) axpy(y, scalar_arg(2), x);  // all of it
    CHECK(y.download_texels() == std::vector<float>(n, 4.0f));
    CHECK(backend.counters().allocations == allocations);
    if (calls) {
        CHECK(Calls::textures == 0);
        CHECK(Calls::programs == 0);
    }
}

TEST_CASE("storage is given back, and used again", "[solvers][promises]") {
    const CsrMatrix A = poisson2d(16);
    const auto cycle = [&] {
        Solver solver(device_under_test(), A);
        return backend_under_test().counters().bytes;
    };
    cycle();
    const std::int64_t held = cycle(),
                       allocations = static_cast<std::int64_t>(backend_under_test().counters().allocations);
    for (int i = 0; i < 5; ++i) CHECK(cycle() <= held);
    if (opengl_backend() != nullptr) {
        // The pool has what a solver of the same size needs.
        CHECK(static_cast<std::int64_t>(backend_under_test().counters().allocations) <= allocations + 5);
    }
}

TEST_CASE("an observer that throws harms nobody but its own solve", "[solvers][promises]") {
    const CsrMatrix A = poisson2d(12);
    const std::vector<double> b(144, 1.0);
    std::vector<double> x(144, 0.0);
    bool angry = true;
    Options options{.profile = true, .observer = [&](const Progress&) {
                        if (angry) throw std::runtime_error("enough");
                        return true;
                    }};
    Solver solver(device_under_test(), A, options);
    for (int k = 0; k < 3; ++k) CHECK_THROWS_WITH(solver.solve(b, x), "enough");
    angry = false;
    const auto before = backend_under_test().counters().allocations;
    CHECK(solver.solve(b, x).converged());
    CHECK(backend_under_test().counters().allocations == before);
}

TEST_CASE("reads are looks at the status and corrections, and all of them are counted", "[solvers][promises]") {
    const CsrMatrix A = poisson2d(24);
    int looks = 0;
    Options options;
    options.observer = [&](const Progress&) {
        ++looks;
        return true;
    };
    Solver solver(device_under_test(), A, options);
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    std::optional<Calls> calls;
    if (opengl_backend() != nullptr) calls.emplace(*opengl_backend());
    const Report report = solver.solve(b, x);
    REQUIRE(report.converged());
    // A few numbers at each correction (y and r where the host computes them), the status at each look and once more
    // for the chunk under way at the stop, the history once; y of the last correction is the solution.
    const auto at_corrections = report.corrections_on_device > 0 ? report.corrections : 2 * report.corrections;
    const auto least = static_cast<std::uint64_t>(at_corrections + looks);
    CHECK(report.reads >= least);
    CHECK(report.reads <= least + static_cast<std::uint64_t>(report.corrections) + 2);  // x has two parts
    if (calls) {
        CHECK(Calls::reads == static_cast<int>(report.reads) + 1);
        CHECK(Calls::finishes == 0);
    }
}

TEST_CASE("every product, sum and update of an iteration is a counted pass on the device", "[solvers][promises]") {
    CsrMatrix A = poisson2d(24);
    A.value[0] = 5;  // a constant diagonal would need no preconditioner
    Options options{.format = FormatKind::dia, .max_iterations = 5, .profile = true};
    Solver solver(device_under_test(), A, options);
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    std::optional<Calls> calls;
    if (opengl_backend() != nullptr && device_under_test().info().stage == Stage::fragment)
        calls.emplace(*opengl_backend());
    const Report report = solver.solve(b, x);
    std::map<std::string, std::uint64_t> times;
    std::uint64_t total = 0;
    for (const PassReport& pass : report.profile) {
        times[pass.name] = pass.calls;
        total += pass.calls;
    }
    const std::uint64_t done = times["dia_multiply_dot"];  // some may have been encoded in vain
    CHECK(done >= 5);
    CHECK(times["cg_update_jacobi"] == done);
    CHECK(times["cg_control"] == done);
    // And twice in each correction.
    CHECK(times["record"] == done + 2 * static_cast<std::uint64_t>(report.corrections_on_device));
    CHECK(times["sum"] >= 2 * done);
    CHECK(times["axpby"] >= done);
    CHECK(total == report.passes);
    if (calls) CHECK(Calls::draws == static_cast<int>(report.passes));
}

TEST_CASE("what is encoded after the stop changes nothing that is read later", "[solvers][promises][every_driver]") {
    // The observer is asked after each chunk; on a quick device chunks grow long, and most of the last one is in vain.
    // Here the passes themselves are run on, by hand.
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Offset n = 333;
    Vector y(backend, n, "y"), r(backend, n, "r"), z(backend, n, "z"), p(backend, n, "p"), q(backend, n, "q"),
        d(backend, n, "d");
    std::uint32_t seed = 1;
    for (Vector* v : {&y, &r, &z, &p, &q, &d}) v->upload(random_numbers(static_cast<std::size_t>(n), seed++));
    PartialSums partial(backend, y.layout().extent());
    Scalar pi(backend, "pi"), sums(backend, "sums"), rho(backend, "rho"), beta(backend, "beta"),
        state(backend, "state"), status(backend, "status");
    for (Scalar* s : {&pi, &sums, &rho, &beta, &state}) fill(*s, 0.5f);
    fill(status, static_cast<float>(Stop::reduced));
    const auto snapshot = [&] {
        std::vector<Texels> all;
        for (const Vector* v : {&y, &r, &p}) all.push_back(v->download_texels());
        for (const Scalar* s : {&rho, &beta, &state, &status}) {
            Texels texel(4);
            backend.read(s->id(), texel);
            all.push_back(texel);
        }
        return all;
    };
    const auto before = snapshot();
    for (int i = 0; i < 50; ++i) {
        backend.encode({.pass = PassId::cg_update_jacobi,
                        .output = {y.id(), r.id(), z.id(), partial.id()},
                        .input = {y.id(), p.id(), r.id(), q.id(), d.id()},
                        .scalar = {scalar_arg(rho, pi)},
                        .status = status.id()});
        sum(sums, partial, Finish::keep_components);
        backend.encode({.pass = PassId::cg_control,
                        .output = {state.id(), rho.id(), beta.id(), status.id()},
                        .input = {state.id(), rho.id(), beta.id(), status.id(), sums.id(), pi.id()},
                        .integer = {1000},
                        .constant = {1e-3f, 2},
                        .status = status.id()});
        xpay(p, z, scalar_arg(beta), status.id());
    }
    CHECK(snapshot() == before);
}

TEST_CASE("repeated runs are bit-identical, however late the host looks", "[solvers][promises]") {
    const CsrMatrix A = anisotropic(20, 0.05);
    const auto b = matching_right_hand_side(A);
    const Options options{.method = GENERATE(Method::cg, Method::pipelined_cg)};
    Solver solver(device_under_test(), A, options);
    std::vector<double> first(b.size(), 0.0);
    const Report one = solver.solve(b, first);
    for (int i = 0; i < 3; ++i) {
        std::vector<double> again(b.size(), 0.0);
        const Report two = solver.solve(b, again);
        CHECK(again == first);
        CHECK(two.iterations == one.iterations);
        REQUIRE(two.history.size() == one.history.size());
        for (std::size_t k = 0; k < one.history.size(); ++k) {
            CHECK(two.history[k].relative_residual == one.history[k].relative_residual);
        }
    }
    Solver other(device_under_test(), A, options);
    std::vector<double> anew(b.size(), 0.0);
    other.solve(b, anew);
    CHECK(anew == first);
}

}  // namespace tests_of_promises
