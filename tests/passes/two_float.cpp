// Arithmetic in two floats: exact where it says so, and found out where it is not.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <random>

#include "device/self_test.hpp"
#include "device/verbs.hpp"
#include "formats/format_table.hpp"
#include "matrix/scaling.hpp"
#include "refinement/device_residuals.hpp"
#include "refinement/refinement.hpp"
#include "refinement/true_residual.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_two_float {

using namespace glsolve;
using namespace glsolve::test;

TEST_CASE("sums and products without rounding error", "[passes][error_free]") {
    if (backend_under_test().holds_doubles()) return;  // whose low parts are zero
    const Extent extent{9, 7};
    const auto count = static_cast<std::size_t>(extent.texels()) * 4;
    std::vector<float> x = random_numbers(count, 1), y = random_numbers(count, 2);
    for (std::size_t i = 0; i < count; ++i)
        y[i] = std::ldexp(y[i], static_cast<int>(i % 41) - 20);  // what double holds exactly
    x[0] = y[1] = x[2] = y[2] = 0;
    Harness h(PassId::error_free, extent);
    h.input("x", x).input("y", y).run();
    CHECK(h.difference("s") == 0);
    CHECK(h.difference("e") == 0);
    for (std::size_t i = 0; i < count; ++i) {
        const double made = static_cast<double>(h.output("p")[i]) + static_cast<double>(h.output("f")[i]);
        const double expected = h.expected("p")[i] + h.expected("f")[i];
        const auto size = static_cast<double>(std::abs(x[i] * y[i]) + std::abs(x[i]) + std::abs(y[i]));
        REQUIRE(std::abs(made - expected) <= 0x1p-46 * size);
    }
    CHECK(error_free_fault(backend_under_test()).empty());
    CHECK(backend_under_test().info().two_float_fault.empty());
}

TEST_CASE("a vector in two floats grows by a multiple of another", "[passes][two_float_axpy]") {
    const Offset n = GENERATE(1, 5, 1023, 1025);
    Harness h(PassId::two_float_axpy, layout_of(n).extent());
    Texels low = random_vector(n, 2);
    for (float& number : low) number *= 0x1p-26f;
    h.input("y", random_vector(n, 1)).input("y_low", low).input("x", random_vector(n, 3));
    h.in_place("y", "y").in_place("y_low", "y_low").scalar("a", 0.37f, 2, 3).run();
    const Texels& hi = h.output("y");
    const Texels& lo = h.output("y_low");
    for (std::size_t i = 0; i < hi.size(); ++i) {
        const double made = static_cast<double>(hi[i]) + static_cast<double>(lo[i]),
                     expected = h.expected("y")[i] + h.expected("y_low")[i];
        // Where the quotient 2/3 is formed another way, `a` differs by an ulp.
        REQUIRE(made == Approx(expected).margin(1e-7));
        if (i >= static_cast<std::size_t>(n)) REQUIRE(made == 0);
    }
}

TEST_CASE("norms of a correction match double precision", "[passes][residual_norms]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h(PassId::residual_norms, layout_of(n).extent());
    h.input("t", random_vector(n, 1)).input("r", random_vector(n, 2)).input("w", random_vector(n, 3));
    h.integer("weights", GENERATE(0, 1)).constant("s", 0.75f).scalar("a", 0.5f, 3, 2).run();
    CHECK(h.difference("sum") < 1e-5);
}

namespace {

struct TwoFloatProduct {
    std::vector<double> product, residual;
    double curvature = 0, squares = 0, size = 0;  // (x, Ax), (r,r), |(|A| |x| + |b|)|^2
};

TwoFloatProduct two_float_product(Backend& backend, const FormatRow& format, const FormatInput& in,
                                  const std::vector<double>& x, const std::vector<double>& b) {
    const Session session(backend);
    const auto matrix = format.make(backend, in);
    const Index n = in.A.rows;
    TwoFloatVector on_x(backend, n, "x"), on_b(backend, n, "b"), y(backend, n, "y");
    on_x.upload(x);
    on_b.upload(b);
    PartialSums partial(backend, y.hi.layout().extent());
    Scalar s(backend, "s");
    TwoFloatProduct result;
    std::vector<float> texel(4);
    const Texels garbage(static_cast<std::size_t>(y.hi.layout().extent().texels()) * 4, -7e11f);
    const auto spoil = [&] {
        backend.upload(y.hi.id(), garbage);
        backend.upload(y.lo.id(), garbage);
    };
    spoil();
    matrix->residual_two_float(y.hi, y.lo, on_b, on_x, partial);
    sum(s, partial, Finish::keep_components);
    backend.read(s.id(), texel);
    result.squares = static_cast<double>(texel[0]);
    result.size = static_cast<double>(texel[1]);
    result.residual = y.download();
    spoil();
    matrix->multiply_two_float(y.hi, y.lo, on_x.hi, partial);
    sum(s, partial, Finish::add_components);
    backend.read(s.id(), texel);
    result.curvature = static_cast<double>(texel[0]);
    result.product = y.download();
    for (const Vector* part : {&y.hi, &y.lo}) {
        const Texels texels = part->download_texels();
        for (auto i = static_cast<std::size_t>(n); i < texels.size(); ++i) REQUIRE(texels[i] == 0);
    }
    return result;
}

std::vector<double> random_doubles(Index n, std::uint32_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> numbers(static_cast<std::size_t>(n));
    for (double& number : numbers) number = std::uniform_real_distribution<double>(-1.5, 1.5)(random);
    return numbers;
}

/// As the device holds it: in two floats.
double in_two_floats(double v) {
    const auto hi = static_cast<float>(v);
    return static_cast<double>(hi) + static_cast<double>(static_cast<float>(v - static_cast<double>(hi)));
}

/// Every row of product and residual, in every format there is, within 4 * 2^-48 (|A| |x| + |b|).
void check_two_floats(const CsrMatrix& A) {
    const auto n = static_cast<std::size_t>(A.rows);
    const std::vector<double> scale = choose_scaling(A, ScalingRule::always);
    std::vector<double> x = random_doubles(A.rows, 1), b = random_doubles(A.rows, 2);
    for (auto* v : {&x, &b}) {
        for (double& number : *v) number = in_two_floats(number);
    }
    std::vector<long double> exact(n), exact_hi(n), size(n);
    double squares = 0, size_squares = 0, curvature = 0;
    for (std::size_t i = 0; i < n; ++i) {
        exact[i] = static_cast<long double>(b[i]);
        size[i] = std::abs(exact[i]);
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto j = static_cast<std::size_t>(A.column[e]);
            const auto a = static_cast<long double>(scale[i] * A.value[e] * scale[j]);
            exact[i] -= a * static_cast<long double>(x[j]);
            exact_hi[i] += a * static_cast<long double>(static_cast<float>(x[j]));
            size[i] += std::abs(a * static_cast<long double>(x[j]));
        }
        squares += static_cast<double>(exact[i] * exact[i]);
        size_squares += static_cast<double>(size[i] * size[i]);
        curvature += static_cast<double>(exact_hi[i]) * static_cast<double>(static_cast<float>(x[i]));
    }
    if (!(size_squares < 1e30)) {
        WARN("single precision cannot hold the sums of squares of this matrix: skipped");
        return;
    }
    Backend& backend = backend_under_test();
    for (const FormatRow* format : format_table) {
        for (const int team : {0, 8}) {
            if (team > 0 && !backend.can().groups) continue;
            FormatInput in{A, scale, {}, backend.info().max_texture_size};
            in.team = team;
            in.short_columns = team > 0;
            const FormatPrediction prediction = format->predict(in);
            if (!prediction.possible() || prediction.memory > 500.0 * static_cast<double>(A.nonzeros() + A.rows))
                continue;
            INFO(format->name << ", team " << team);
            const TwoFloatProduct mine = two_float_product(backend, *format, in, x, b);
            double worst = 0;
            for (std::size_t i = 0; i < n; ++i) {
                const auto difference = [&](const std::vector<double>& v, const std::vector<long double>& of) {
                    return static_cast<double>(std::abs(static_cast<long double>(v[i]) - of[i]) / size[i]);
                };
                worst = std::max({worst, difference(mine.residual, exact), difference(mine.product, exact_hi)});
            }
            CHECK(worst * 0x1p48 <= 4);
            CHECK(mine.squares == Approx(squares).epsilon(1e-5));
            CHECK(mine.size >= 0.99 * size_squares);
            CHECK(mine.size <= 30 * size_squares);  // |x_j - x_i| is taken as |x_j| + |x_i|
            CHECK(mine.curvature == Approx(curvature).margin(1e-5 * std::sqrt(size_squares * static_cast<double>(n))));
        }
    }
}

}  // namespace

TEST_CASE(
    "products and residuals in two floats",
    "[passes][accuracy][dia_multiply_two_float][dia_residual_two_float][ell_multiply_two_float][ell_residual_two_float]"
    "[csr_multiply_two_float][csr_residual_two_float][csr_rest_two_float][csr_rest_two_float_residual_x_low]"
    "[bcsr_multiply_two_float][bcsr_residual_two_float][sliced_multiply_two_float][sliced_residual_two_float]"
    "[dense_partial_two_float][dense_partial_two_float_residual_x_low]"
    "[dense_reduce_two_float][dense_reduce_residual_two_float]") {
    if (backend_under_test().holds_doubles()) return;  // whose low parts are zero
    SECTION("a grid of whole numbers") { check_two_floats(poisson2d(17)); }
    SECTION("factors that single precision cannot hold") { check_two_floats(anisotropic(12, 1.0 / 3.0)); }
    SECTION("random") { check_two_floats(random_spd(130, 1200)); }
    SECTION("long rows") { check_two_floats(random_spd(150, 12'000)); }
    SECTION("a few long rows among short ones") {
        std::vector<Triplet> entries;
        for (Index i = 0; i < 701; ++i)
            entries.insert(entries.end(), {{i, i, 2.0 / 3}, {i, 700 - i, -0.1}, {77, i, 0.3 + 1e-9 * i}, {78, i, 1.0}});
        check_two_floats(csr_from_triplets(701, 701, entries));
    }
    SECTION("a row of many pieces") {
        if (is_slow()) return;
        const Index n = 20'000;
        std::vector<Triplet> entries;
        for (Index i = 0; i < n; ++i) entries.insert(entries.end(), {{i, i, 2.0 / 3}, {777, i, 0.3 + 1e-9 * i}});
        check_two_floats(csr_from_triplets(n, n, entries));
    }
    SECTION("varying coefficients") { check_two_floats(jumping_coefficients(9, 1.1e6)); }
}

TEST_CASE("residuals of real matrices in two floats", "[matrices]") {
    const char* folder = std::getenv("GLSOLVE_MATRICES");
    if (folder == nullptr) {
        WARN("GLSOLVE_MATRICES names no folder of matrices: skipped");
        return;
    }
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().string().find(".mtx") == std::string::npos) continue;
        CsrMatrix A;
        try {
            A = read_matrix_market(file.path());
        } catch (const InvalidInput&) {
            continue;  // complex numbers
        }
        if (A.rows != A.columns || (is_slow() && A.rows > 1000)) continue;
        INFO(file.path().filename().string());
        check_two_floats(A);
    }
}

TEST_CASE("a device that is wrong about a residual does not get into the report", "[passes]") {
    // The device holds another matrix than the truth knows: it believes that x = b solves the system.
    const Index n = 40;
    std::vector<Triplet> ones, twos;
    for (Index i = 0; i < n; ++i) {
        ones.push_back({i, i, 1});
        twos.push_back({i, i, 2});
    }
    const CsrMatrix device_matrix = csr_from_triplets(n, n, ones), A = csr_from_triplets(n, n, twos);
    const std::vector<double> scale(static_cast<std::size_t>(n), 1.0), b(static_cast<std::size_t>(n), 0.5);
    std::vector<double> x(static_cast<std::size_t>(n), 0.0);
    Backend& backend = backend_under_test();
    const Session session(backend);
    const auto matrix = format_row(FormatKind::ell).make(backend, {device_matrix, scale});
    Vector work(backend, n, "work"), y(backend, n, "y"), r(backend, n, "r");
    PartialSums partial(backend, work.layout().extent());
    DeviceResiduals device(*matrix, scale, work, partial);
    TrueResidual truth(A, RowFactors(scale), b, x, 1e-8, 0);
    truth.recompute();
    Refinement refinement(truth, &device, "");
    y.upload(std::vector<float>(static_cast<std::size_t>(n), 0.5f));
    fill(r, 0);
    refinement.correct(y, nullptr, r, 1);
    CHECK_FALSE(truth.met());
    CHECK(truth.relative() == Approx(1));
    CHECK(truth.best_norm() == Approx(truth.norm_b()));
    Report report;
    refinement.report(report);
    CHECK_THAT(report.residuals, ContainsSubstring("does not confirm"));
}

TEST_CASE("two floats hold what they were given, whatever they held before", "[passes]") {
    if (backend_under_test().holds_doubles()) return;  // whose low parts are zero
    constexpr std::size_t n = 1003;
    Backend& backend = backend_under_test();
    const Session session(backend);
    TwoFloatVector v(backend, n, "v");
    const std::vector<double> doubles = random_doubles(n, 1);
    std::vector<double> singles = random_doubles(n, 2);
    for (double& number : singles) number = static_cast<double>(static_cast<float>(number));
    std::vector<double> one_double = singles;
    one_double[n - 1] = 1 + 0x1p-40;
    for (const std::vector<double>& given : {doubles, singles, one_double, singles}) {
        v.upload(given);
        const std::vector<double> held = v.download();
        for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(held[i] - given[i]) <= 0x1p-47 * std::abs(given[i]));
        const std::vector<float> low = v.lo.download_texels();
        CHECK(std::ranges::any_of(low, [](float number) { return number != 0; }) == (given != singles));
    }
}

TEST_CASE("residuals on the device: norms, and the x that was best", "[passes]") {
    const CsrMatrix A = jumping_coefficients(12, 1.1e6);
    const auto n = static_cast<std::size_t>(A.rows);
    const std::vector<double> scale = choose_scaling(A, ScalingRule::always);
    const std::vector<double> x = random_doubles(A.rows, 1);
    std::vector<double> b = random_doubles(A.rows, 2);
    for (double& number : b) number *= 1e3;
    Backend& backend = backend_under_test();
    const Session session(backend);
    const auto matrix = format_row(FormatKind::ell).make(backend, {A, scale});
    Vector work(backend, A.rows, "work"), y(backend, A.rows, "y"), r(backend, A.rows, "r");
    PartialSums partial(backend, work.layout().extent());
    DeviceResiduals device(*matrix, scale, work, partial);
    REQUIRE(device.begin(b, x));

    const double s = 0x1p-9;
    const std::vector<float> step = random_numbers(n, 3);
    y.upload(step);
    std::vector<double> moved(x);
    for (std::size_t i = 0; i < n; ++i) moved[i] += scale[i] * static_cast<double>(step[i]) / s;
    TrueResidual truth(A, RowFactors(scale), b, moved, 1e-8, 0);
    truth.recompute();
    std::vector<float> scaled(n);
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] = static_cast<float>(truth.scaled_residual(s, i));
    r.upload(scaled);

    device.add(y, s);
    const DeviceResiduals::Norms norms = device.compute(r, s);
    CHECK(norms.residual == Approx(truth.norm()).epsilon(1e-5));
    CHECK(norms.scaled == Approx(truth.scaled_norm()).epsilon(1e-5));
    CHECK(norms.drift < 1e-6);
    CHECK(std::ldexp(norms.size, -53) > 0.01 * truth.floor());
    device.keep_without(y, s);
    std::vector<double> back(n);
    device.download(back);
    for (std::size_t i = 0; i < n; ++i) CHECK(back[i] == Approx(moved[i]).epsilon(1e-12));
    device.download_kept(back);
    for (std::size_t i = 0; i < n; ++i) CHECK(back[i] == Approx(x[i]).margin(1e-13 * std::abs(moved[i] - x[i])));
    r.upload(std::vector<float>(n, 0.0f));
    device.restart(r, nullptr, s);
    const Texels restarted = r.download_texels();
    for (std::size_t i = 0; i < n; ++i) CHECK(restarted[i] == Approx(scaled[i]).epsilon(1e-6));
    CHECK_FALSE(device.begin(b, std::vector<double>(n, 1e200)));  // there is no room
}

}  // namespace tests_of_two_float
