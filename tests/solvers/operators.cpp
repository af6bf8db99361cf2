// Operators that are functions in GLSL: what they are, against matrices made here; solves; what is refused.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "matrix/csr_build.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/outside_texture.hpp"
#include "support/problems.hpp"

namespace tests_of_operators {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr const char* five_points = R"(
vec4 apply(ivec2 at) {
    return 4.0 * x(at) - x(at + ivec2(1, 0)) - x(at - ivec2(1, 0)) - x(at + ivec2(0, 1)) - x(at - ivec2(0, 1));
})";

bool takes_textures() { return backend_under_test().can().textures; }
bool on_host() { return device_under_test().info().backend == BackendKind::host; }
/// Do residuals come in double precision?
bool has_doubles() { return device_under_test().info().renderer.find("softpipe") == std::string::npos; }

Options plain(PreconditionerKind preconditioner = PreconditionerKind::none) {
    return {.preconditioner = preconditioner};
}

/// -div (k grad x) + shift x by the formulas of a stencil, with couplings w for so many steps along the axes.
CsrMatrix stencil_matrix(Index width, Index height, Index depth, const std::vector<double>& w, bool closed,
                         const std::vector<float>& k, const std::vector<float>& mask, double shift) {
    const Index n = width * height * depth;
    const auto index = [&](Index x, Index y, Index z) { return x + width * (y + height * z); };
    return assemble_csr(n, n, [&](auto&& entry) {
        for (Index i = 0; i < n; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (!mask.empty() && mask[at] == 0) {
                entry(i, i, 1);
                continue;
            }
            double diagonal = shift;
            for (Index dz = -1; dz <= 1; ++dz) {
                for (Index dy = -1; dy <= 1; ++dy) {
                    for (Index dx = -1; dx <= 1; ++dx) {
                        const auto steps = static_cast<std::size_t>(std::abs(dx) + std::abs(dy) + std::abs(dz));
                        if (steps == 0 || w[steps] == 0 || (depth == 1 && dz != 0)) continue;
                        const Index x = i % width + dx, y = i / width % height + dy, z = i / width / height + dz;
                        const bool inside = x >= 0 && x < width && y >= 0 && y < height && z >= 0 && z < depth;
                        if (!inside && closed) continue;
                        const auto j = static_cast<std::size_t>(inside ? index(x, y, z) : i);
                        if (!mask.empty() && mask[j] == 0) continue;
                        double c = w[steps];
                        if (!k.empty()) {
                            const auto a = static_cast<double>(k[at]), b = static_cast<double>(k[j]);
                            c *= 2 * a * b / (a + b);
                        }
                        diagonal += c;
                        if (inside) entry(i, static_cast<Index>(j), -c);
                    }
                }
            }
            entry(i, i, diagonal);
        }
    });
}

double difference(CsrView A, CsrView B) {
    REQUIRE(A.rows == B.rows);
    const std::vector<double> x = matching_right_hand_side(A);
    std::vector<double> a(x.size()), b(x.size());
    multiply(A, x, a);
    multiply(B, x, b);
    double most = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
        size = std::max(size, std::abs(a[i]));
    }
    return most / size;
}

void check_solves(Solver& solver, const CsrMatrix& A) {
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason, report.residuals);
    CHECK(report.converged());
    CHECK(true_residual(solver.matrix(), x, b) <= 1e-8 * (1 + 1e-6));
    CHECK(true_residual(A, x, b) <= (has_doubles() ? 1e-7 : 1e-4));  // A's entries are those of the device
}

}  // namespace

TEST_CASE("a function in GLSL is the matrix that it stands for", "[solvers][operators][every_driver]") {
    if (on_host()) return;
    for (const auto& [width, height] : {std::pair(16, 12), std::pair(13, 7), std::pair(3, 5), std::pair(1, 1)}) {
        CAPTURE(width, height);
        Solver solver(device_under_test(), GlslOperator{.width = width, .height = height, .source = five_points},
                      plain());
        const CsrMatrix A = stencil_matrix(width, height, 1, {0, 1, 0, 0}, false, {}, {}, 0);
        CHECK(solver.matrix().value.size() == A.value.size());
        CHECK(difference(A, solver.matrix()) < 1e-15);
    }
}

TEST_CASE("ready-made stencils are their formulas, in the plane and in space", "[solvers][operators]") {
    if (on_host()) return;
    struct Case {
        const char* name;
        GlslOperator (*make)(const StencilOptions&);
        Index width, height, depth;
        std::vector<double> weights;
    };
    const std::vector<Case> cases{
        {"5", [](const StencilOptions& o) { return five_point(11, 9, o); }, 11, 9, 1, {0, 1, 0, 0}},
        {"9", [](const StencilOptions& o) { return nine_point(12, 5, o); }, 12, 5, 1, {0, 1.0 / 3, 1.0 / 3, 0}},
        {"7", [](const StencilOptions& o) { return seven_point(7, 5, 6, o); }, 7, 5, 6, {0, 1, 0, 0}},
        {"27",
         [](const StencilOptions& o) { return twenty_seven_point(8, 3, 4, o); },
         8,
         3,
         4,
         {0, 0, 1.0 / 6, 1.0 / 12}}};
    for (const Case& each : cases) {
        const auto n = static_cast<std::size_t>(each.width * each.height * each.depth);
        std::vector<float> k = random_numbers(n, 5), mask(n, 1.0f);
        for (float& number : k) number = 0.5f + std::abs(number);
        for (std::size_t i = 3; i < n; i += 7) mask[i] = 0;
        for (const bool closed : {false, true}) {
            for (const int extras : {0, 1, 2, 3}) {
                if (is_slow() && extras != 3) continue;
                const bool with_k = (extras & 1) != 0, with_mask = (extras & 2) != 0;
                CAPTURE(each.name, closed, with_k, with_mask);
                GlslOperator A = each.make({.border = closed ? StencilBorder::closed : StencilBorder::zero,
                                            .masked = with_mask,
                                            .coefficients = with_k,
                                            .shift = 0.25f});
                for (GlslInput& input : A.inputs) input.numbers = input.name == "k" ? k : mask;
                const CsrMatrix expected =
                    stencil_matrix(each.width, each.height, each.depth, each.weights, closed,
                                   with_k ? k : std::vector<float>(), with_mask ? mask : std::vector<float>(), 0.25);
                Solver solver(device_under_test(), A, plain(PreconditionerKind::jacobi));
                CHECK(difference(expected, solver.matrix()) < (has_doubles() ? 1e-8 : 1e-6));
            }
        }
    }
}

TEST_CASE("methods and preconditioners solve with functions as with matrices", "[solvers][operators]") {
    if (on_host()) return;
    const Index width = is_slow() ? 9 : 30, height = is_slow() ? 7 : 22;
    const CsrMatrix A = stencil_matrix(width, height, 1, {0, 1, 0, 0}, false, {}, {}, 0);
    const auto solves = [&](const Options& options) {
        CAPTURE(name(options.method), name(options.preconditioner));
        Solver solver(device_under_test(), GlslOperator{.width = width, .height = height, .source = five_points},
                      options);
        check_solves(solver, A);
    };
    for (const PreconditionerKind preconditioner :
         {PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::chebyshev, PreconditionerKind::ssor,
          PreconditionerKind::amg, PreconditionerKind::multigrid}) {
        solves({.preconditioner = preconditioner});
        if (is_slow()) break;
    }
    for (const Method method : {Method::pipelined_cg, Method::minres, Method::bicgstab, Method::gmres,
                                Method::chebyshev, Method::gauss_seidel}) {
        solves({.method = method,
                .preconditioner = method == Method::minres ? PreconditionerKind::none : PreconditionerKind::jacobi});
        if (is_slow()) break;
    }
    solves({.preconditioner = PreconditionerKind::jacobi, .precision = Precision::two_float, .tolerance = 1e-10});
}

TEST_CASE("an operator that is not symmetric, and looks two unknowns far", "[solvers][operators]") {
    if (on_host()) return;
    const GlslOperator A{.width = 10,
                         .height = 6,
                         .source = R"(
vec4 apply(ivec2 at) {
    return (3.0 + swirl) * x(at) - swirl * x(at + ivec2(2, 0)) - x(at - ivec2(0, 2)) - 0.5 * x(at + ivec2(1, 1)) * column(at) / 10.0;
})",
                         .constants = {{"swirl", 0.75f}},
                         .reach = 2};
    const CsrMatrix expected = assemble_csr(60, 60, [](auto&& entry) {
        for (Index i = 0; i < 60; ++i) {
            const Index x = i % 10, y = i / 10;
            entry(i, i, 3.75);
            if (x + 2 < 10) entry(i, i + 2, -0.75);
            if (y >= 2) entry(i, i - 20, -1);
            if (x + 1 < 10 && y + 1 < 6 && x > 0) entry(i, i + 11, -0.05 * x);
        }
    });
    Solver solver(device_under_test(), A, {.method = Method::bicgstab});
    CHECK(difference(expected, solver.matrix()) < 1e-6);
    check_solves(solver, expected);
}

TEST_CASE("inputs and constants change between solves", "[solvers][operators]") {
    if (!takes_textures()) return;
    constexpr Index width = 9, height = 8;
    constexpr auto n = static_cast<std::size_t>(width * height);
    Solver solver(device_under_test(), five_point(width, height, {.coefficients = true, .shift = 1}),
                  plain(PreconditionerKind::jacobi));
    std::vector<float> k(n);
    for (std::size_t i = 0; i < n; ++i) k[i] = i % 3 == 0 ? 8.0f : 1.0f;
    solver.set_input("k", k);
    solver.set_constant("shift", 0.5f);
    check_solves(solver, stencil_matrix(width, height, 1, {0, 1, 0, 0}, false, k, {}, 0.5));
    solver.set_constant("shift", 0.75f);  // of another A nothing is resumed
    std::vector<double> anew(n, 0.0);
    const std::vector<double> ones(n, 1.0);
    CHECK(solver.resume(ones, anew).converged());
    CHECK(true_residual(stencil_matrix(width, height, 1, {0, 1, 0, 0}, false, k, {}, 0.75), anew, ones) < 1e-5);
    solver.set_constant("shift", 0.5f);
    CHECK_THROWS_WITH(solver.set_input("q", k), ContainsSubstring("no input 'q'"));
    CHECK_THROWS_WITH(solver.set_constant("q", 1), ContainsSubstring("no constant 'q'"));
    CHECK_THROWS_WITH(solver.set_input("k", std::vector<float>(3)), ContainsSubstring("72"));

    // From a texture, solved on textures, judged by the matrix of these coefficients.
    Backend& backend = backend_under_test();
    std::vector<float> k_texels(4 * n), b_texels(4 * n), zeros(4 * n, 0.0f);
    const std::vector<float> b = random_numbers(n, 3);
    for (std::size_t i = 0; i < n; ++i) {
        k[i] = 1.0f + static_cast<float>(i % 5);
        k_texels[4 * i] = k[i];
        b_texels[4 * i] = b[i];
    }
    const Session session(backend);
    const OutsideTexture k_texture(backend, {width, height}, 1, k_texels),
        b_texture(backend, {width, height}, 1, b_texels), x_texture(backend, {width, height}, 1, zeros);
    solver.set_input("k", TextureView{.texture = k_texture.name()});
    const Report report = solver.solve({.texture = b_texture.name()}, {.texture = x_texture.name()});
    CAPTURE(report.reason);
    CHECK((report.outcome == Outcome::met_on_device || !has_doubles()));
    const std::vector<float> solved = x_texture.download();
    std::vector<double> x(n), right(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = static_cast<double>(solved[4 * i]);
        right[i] = static_cast<double>(b[i]);
    }
    CHECK(true_residual(stencil_matrix(width, height, 1, {0, 1, 0, 0}, false, k, {}, 0.5), x, right) < 1e-5);
}

TEST_CASE("what is made of a function's entries follows its inputs on textures, too", "[solvers][operators]") {
    if (!takes_textures()) return;
    constexpr Index width = 8, height = 6;
    constexpr auto n = static_cast<std::size_t>(width * height);
    Backend& backend = backend_under_test();
    const Session session(backend);
    Solver solver(device_under_test(), five_point(width, height, {.coefficients = true, .shift = 1}),
                  {.method = Method::jacobi, .precision = Precision::single, .tolerance = 1e-4});
    const std::vector<float> k(n, 50.0f), b = random_numbers(n, 3);
    std::vector<float> b_texels(4 * n), zeros(4 * n, 0.0f);
    for (std::size_t i = 0; i < n; ++i) b_texels[4 * i] = b[i];
    const OutsideTexture b_texture(backend, {width, height}, 1, b_texels),
        x_texture(backend, {width, height}, 1, zeros);
    solver.set_input("k", k);  // with the diagonal of the old ones Jacobi diverges
    const Report report = solver.solve({.texture = b_texture.name()}, {.texture = x_texture.name()});
    CAPTURE(report.reason);
    const std::vector<float> solved = x_texture.download();
    std::vector<double> x(n), right(b.begin(), b.end());
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(solved[4 * i]);
    CHECK(true_residual(stencil_matrix(width, height, 1, {0, 1, 0, 0}, false, k, {}, 1), x, right) < 1e-3);
    CHECK_THROWS_WITH(solver.set_input("k", TextureView{.texture = b_texture.name()}),
                      ContainsSubstring("jacobi with preconditioner"));
}

TEST_CASE("several right-hand sides of a function at once", "[solvers][operators]") {
    if (on_host()) return;
    const CsrMatrix A = stencil_matrix(11, 6, 1, {0, 1, 0, 0}, true, {}, {}, 0.125);
    const auto n = static_cast<std::size_t>(A.rows);
    Solver solver(device_under_test(), five_point(11, 6, {.border = StencilBorder::closed, .shift = 0.125f}),
                  {.preconditioner = PreconditionerKind::jacobi, .tolerance = 1e-6});
    std::vector<double> b(3 * n), x(3 * n, 0.0);
    const std::vector<float> numbers = random_numbers(b.size(), 11);
    std::copy(numbers.begin(), numbers.end(), b.begin());
    for (const Report& report : solver.solve_several(b, x, 3)) CHECK(report.converged());
    for (std::size_t k = 0; k < 3; ++k) {
        const auto part = [&](const std::vector<double>& all) {
            return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(k * n),
                                       all.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
        };
        CHECK(true_residual(A, part(x), part(b)) < 2e-6);
    }
}

TEST_CASE("what is wrong with a function is said with its lines", "[solvers][operators]") {
    const auto refused = [&](const GlslOperator& A, const std::string& why, const Options& options = plain()) {
        CHECK_THROWS_WITH(Solver(device_under_test(), A, options), ContainsSubstring(why));
    };
    GlslOperator good{.width = 8, .height = 8, .source = five_points};
    if (on_host()) {
        refused(good, "run on OpenGL");
        return;
    }
    GlslOperator A = good;
    A.source = "vec4 apply(ivec2 at) {\n    vec4 y = 2.0 * x(at);\n    return y + wrong(at);\n}\n";
    refused(A, "line 3");
    CHECK_THROWS_AS(Solver(device_under_test(), A, plain()), InvalidInput);
    for (const char* name : {"number", "kernel", "arg_k", "2k", "a b"}) {
        GlslOperator named = good;
        named.constants = {{name, 1}};
        refused(named, name);
    }
    A.source = "vec4 other(ivec2 at) { return x(at); }";
    refused(A, "no function 'vec4 apply(ivec2 at)'");
    A.source = "vec4 apply(ivec2 at) { return x(at) * x(at); }";
    refused(A, "not linear");
    A.source = "vec4 apply(ivec2 at) { return x(at) + vec4(1.0); }";
    refused(A, "not linear");
    A.source = "vec4 apply(ivec2 at) { return 3.0 * x(at) - x(at + ivec2(3, 0)); }";
    refused(A, "farther than its reach");
    A = good;
    A.inputs = {{"gl_k", {}}};
    refused(A, "gl_k");
    A.inputs = {{"x", {}}};
    refused(A, "'x'");
    A.inputs = {{"k", std::vector<float>(5)}};
    refused(A, "5 numbers");
    A.inputs = {{"a1", {}}, {"a2", {}}, {"a3", {}}, {"a4", {}}, {"a5", {}}};
    refused(A, "5 inputs");
    A = good;
    A.width = 0;
    refused(A, "0 x 8");
    A = good;
    A.reach = 3;
    refused(A, "reach");
    refused(good, "cgnr", {.method = Method::cgnr});
    refused(good, "sort_window", {.slicing = {.sort_window = 64}});
    refused(good, "format", {.format = FormatKind::ell});
    A.reach = 1;
    Solver solver(device_under_test(), A, plain(PreconditionerKind::amg));
    CHECK_THROWS_WITH(solver.update_values(solver.matrix().value), ContainsSubstring("set_input"));
    CHECK_THROWS_WITH(solver.set_input("k", TextureView{}), ContainsSubstring("amg"));
    Solver stored(device_under_test(), poisson2d(4), plain());
    CHECK_THROWS_WITH(stored.set_constant("k", 1), ContainsSubstring("update_values"));
}

}  // namespace tests_of_operators
