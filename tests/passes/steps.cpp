// What else can end a product of any format, against double precision: steps of iterations without inner products, and
// all inner products of pipelined conjugate gradients; and the Chebyshev iteration's test of its residual.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>

#include "device/stop.hpp"
#include "device/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/harness.hpp"

namespace tests_of_steps {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Format {
    const char* name;
    Make make;
};
constexpr Format formats_by_file[] = {{"dia", make_dia},
                                      {"ell", make_ell},
                                      {"csr", make_csr},
                                      {"hec", make_of<hec_format>},
                                      {"coo", make_of<coo_format>},
                                      {"bcsr", in_blocks<3>},
                                      {"csr in teams", in_teams<make_csr, 8>},
                                      {"runs in teams", in_teams<make_slices<16, true>, 4>},
                                      {"runs", make_slices<16, true>},
                                      {"dense", make_dense}};

/// A system, a step before it, and a diagonal, the same on any device.
struct Step {
    CsrMatrix A;
    std::vector<float> x, b, p, d;
    std::vector<double> r;  // b - A x

    explicit Step(CsrMatrix matrix) : A(std::move(matrix)) {
        const auto n = static_cast<std::size_t>(A.rows);
        x = random_numbers(n, 1), b = random_numbers(n, 2), p = random_numbers(n, 3), d = random_numbers(n, 4);
        r.resize(n);
        multiply(A, std::vector<double>(x.begin(), x.end()), r);
        for (std::size_t i = 0; i < n; ++i) r[i] = static_cast<double>(b[i]) - r[i];
    }
    double z(std::size_t i, bool with_d) const { return with_d ? static_cast<double>(d[i]) * r[i] : r[i]; }
};

/// The step on the device under test.
class OnDevice {
  public:
    OnDevice(const Step& step, Make make, bool stopped)
        : backend_(backend_under_test()),
          session_(backend_),
          ones_(static_cast<std::size_t>(step.A.rows), 1.0),
          A(make(backend_, {step.A, ones_})),
          x(backend_, step.A.rows, "x"),
          b(backend_, step.A.rows, "b"),
          p(backend_, step.A.rows, "p"),
          d(backend_, step.A.rows, "d"),
          sums(backend_, x.layout().extent()),
          status(backend_, "status") {
        x.upload(step.x);
        b.upload(step.b);
        p.upload(step.p);
        d.upload(step.d);
        fill(status, stopped ? 1.0f : 0.0f);
    }

  private:
    Backend& backend_;
    Session session_;
    std::vector<double> ones_;

  public:
    std::unique_ptr<AssembledMatrix> A;
    Vector x, b, p, d;
    PartialSums sums;
    Scalar status;
};

double worst(const Texels& mine, const std::vector<double>& exact) {
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(mine[i]) - exact[i]) / std::max(1.0, std::abs(exact[i])));
    }
    for (std::size_t i = exact.size(); i < mine.size(); ++i) {
        if (mine[i] != 0) return std::numeric_limits<double>::infinity();  // padding
    }
    return worst;
}

/// Symmetric; rows 4 k to 4 k + 3 have entries in each other's columns and nowhere else.
CsrMatrix blocks_of_four(Index rows) {
    const std::vector<float> numbers = random_numbers(static_cast<std::size_t>(rows) * 4, 5);
    CsrMatrix A{.rows = rows, .columns = rows, .offsets = {0}, .column = {}, .value = {}};
    for (Index i = 0; i < rows; ++i) {
        for (Index j = i / 4 * 4; j < std::min(i / 4 * 4 + 4, rows); ++j) {
            const auto k = static_cast<std::size_t>(4 * std::min(i, j) + std::abs(i - j));
            A.column.push_back(j);
            A.value.push_back(i == j ? 6.0 : static_cast<double>(numbers[k]));
        }
        A.offsets.push_back(std::ssize(A.column));
    }
    return A;
}

CsrMatrix matrix_of(int which) { return which == 0 ? poisson2d(7) : random_spd(61, 400); }

}  // namespace

TEST_CASE("relax makes x + w d (b - A x)",
          "[passes][dia_relax][ell_relax][csr_relax][bcsr_relax][sliced_relax][dense_reduce_relax]") {
    const Step step(matrix_of(GENERATE(0, 1)));
    const Format format = GENERATE(from_range(std::begin(formats_by_file), std::end(formats_by_file)));
    const bool with_d = GENERATE(false, true), stopped = GENERATE(false, true);
    CAPTURE(format.name, with_d, stopped);
    OnDevice device(step, format.make, stopped);
    device.A->relax(device.x, device.b, with_d ? &device.d : nullptr, 0.7f, device.status.id());
    std::vector<double> exact(step.x.begin(), step.x.end());
    for (std::size_t i = 0; i < exact.size() && !stopped; ++i) exact[i] += 0.7 * step.z(i, with_d);
    CHECK(worst(device.x.download_texels(), exact) < 4e-6);
}

TEST_CASE("relax_twice makes two steps from zero",
          "[passes][dia_relax_twice][ell_relax_twice][csr_relax_twice][bcsr_relax_twice]"
          "[sliced_relax_twice][dense_reduce_relax]") {
    const double unit = GENERATE(1.0, 1e-7);  // weights are larger where the matrix is smaller
    CsrMatrix matrix = matrix_of(GENERATE(0, 1));
    for (double& value : matrix.value) value *= unit;
    const Step step(std::move(matrix));
    const Format format = GENERATE(from_range(std::begin(formats_by_file), std::end(formats_by_file)));
    const bool with_d = GENERATE(false, true);
    CAPTURE(format.name, with_d);
    OnDevice device(step, format.make, false);
    fill(device.x, std::numeric_limits<float>::quiet_NaN());
    device.A->relax_twice(device.x, device.b, with_d ? &device.d : nullptr, static_cast<float>(0.4 / unit),
                          static_cast<float>(0.7 / unit));
    const std::size_t n = step.b.size();
    const auto d = [&](std::size_t i) { return with_d ? static_cast<double>(step.d[i]) : 1.0; };
    std::vector<double> exact(n), product(n);
    for (std::size_t i = 0; i < n; ++i) exact[i] = 0.4 / unit * d(i) * static_cast<double>(step.b[i]);
    multiply(step.A, exact, product);
    for (std::size_t i = 0; i < n; ++i) exact[i] += 0.7 / unit * d(i) * (static_cast<double>(step.b[i]) - product[i]);
    Texels found = device.x.download_texels();
    for (float& x : found) x *= static_cast<float>(unit);
    for (double& x : exact) x *= unit;
    CHECK(worst(found, exact) < 4e-6);
}

TEST_CASE("a Chebyshev step moves x by alpha p",
          "[passes][dia_chebyshev][ell_chebyshev][csr_chebyshev][bcsr_chebyshev][sliced_chebyshev]"
          "[dense_reduce_chebyshev][dia_chebyshev_norms][ell_chebyshev_norms][csr_chebyshev_norms]"
          "[bcsr_chebyshev_norms][sliced_chebyshev_norms][dense_reduce_chebyshev_norms]") {
    const Step step(matrix_of(GENERATE(0, 1)));
    const Format format = GENERATE(from_range(std::begin(formats_by_file), std::end(formats_by_file)));
    const bool with_d = GENERATE(false, true), norms = GENERATE(false, true), stopped = GENERATE(false, true);
    CAPTURE(format.name, with_d, norms, stopped);
    OnDevice device(step, format.make, stopped);
    device.A->chebyshev(device.x, device.p, device.b, with_d ? &device.d : nullptr, {0.7f, -0.3f}, device.status.id(),
                        norms ? &device.sums : nullptr);
    std::vector<double> x(step.x.begin(), step.x.end()), p(step.p.begin(), step.p.end());
    double rr = 0, xx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        rr += step.r[i] * step.r[i];
        xx += x[i] * x[i];
        if (stopped) continue;
        p[i] = step.z(i, with_d) - 0.3 * p[i];
        x[i] += 0.7 * p[i];
    }
    CHECK(worst(device.x.download_texels(), x) < 4e-6);
    CHECK(worst(device.p.download_texels(), p) < 4e-6);
    if (!norms) return;
    Scalar s(device.x.backend(), "sums");
    sum(s, device.sums, Finish::keep_components);
    Texels texel(4);
    s.backend().read(s.id(), texel);
    CHECK(static_cast<double>(texel[0]) == Approx(rr).epsilon(1e-5));
    CHECK(static_cast<double>(texel[1]) == Approx(xx).epsilon(1e-5));
}

TEST_CASE("a product ends in inner products",
          "[passes][dia_multiply_dots][ell_multiply_dots][csr_multiply_dots][bcsr_multiply_dots]"
          "[sliced_multiply_dots][dense_reduce_multiply_dots]") {
    const Step step(matrix_of(GENERATE(0, 1)));
    const Format format = GENERATE(from_range(std::begin(formats_by_file), std::end(formats_by_file)));
    const bool with_d = GENERATE(false, true);
    CAPTURE(format.name, with_d);
    OnDevice device(step, format.make, false);
    // r stands in b, and p takes the product.
    device.A->multiply_dots(device.p, device.x, device.b, with_d ? &device.d : nullptr, device.sums);
    std::vector<double> product(step.x.size());
    multiply(step.A, std::vector<double>(step.x.begin(), step.x.end()), product);
    CHECK(worst(device.p.download_texels(), product) < 4e-6);
    std::array<double, 4> exact{}, size{};
    for (std::size_t i = 0; i < product.size(); ++i) {
        const double r = static_cast<double>(step.b[i]), d = with_d ? static_cast<double>(step.d[i]) : 1.0;
        const std::array terms{r * d * r, static_cast<double>(step.x[i]) * product[i], d * product[i] * product[i],
                               d * r * product[i]};
        for (std::size_t k = 0; k < 4; ++k) exact[k] += terms[k], size[k] += std::abs(terms[k]);
    }
    Scalar s(device.x.backend(), "sums");
    sum(s, device.sums, Finish::keep_components);
    Texels texel(4);
    s.backend().read(s.id(), texel);
    for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(static_cast<double>(texel[k]) - exact[k]) < 1e-5 * size[k]);
}

TEST_CASE("steps that do not wait are Chebyshev steps where no tile needs another; other formats make them in turn",
          "[passes][dia_chebyshev_steps][ell_chebyshev_steps]") {
    // Four rows of a texel depend on each other alone, so that nothing is stale; with one step nothing can be.
    const bool apart = GENERATE(true, false);
    Step step(apart ? blocks_of_four(is_slow() ? 60 : 500) : matrix_of(1));
    for (float& d : step.d) d = std::abs(d);  // so that many steps do not magnify rounding errors
    const Format format = GENERATE(from_range(std::begin(formats_by_file), std::end(formats_by_file)));
    const bool with_d = GENERATE(false, true), stopped = GENERATE(false, true);
    CAPTURE(apart, format.name, with_d, stopped);
    OnDevice device(step, format.make, stopped);
    const std::string_view name = format.name;
    const bool like_ell = name == "hec" || name == "coo";  // where no row has a rest
    if (!like_ell) {
        const bool has_them = (name == "dia" || name == "ell") && backend_under_test().can().asynchronous;
        CHECK(device.A->has_asynchronous_steps() == has_them);
    }
    const Vector* d = with_d ? &device.d : nullptr;
    std::vector<double> x(step.x.begin(), step.x.end()), p(step.p.begin(), step.p.end());
    const auto expect = [&](AssembledMatrix::Step s) {
        std::vector<double> r(x.size());
        multiply(step.A, x, r);
        for (std::size_t i = 0; i < x.size() && !stopped; ++i) {
            r[i] = static_cast<double>(step.b[i]) - r[i];
            p[i] = (with_d ? static_cast<double>(step.d[i]) : 1.0) * r[i] + static_cast<double>(s.beta) * p[i];
            x[i] += static_cast<double>(s.alpha) * p[i];
        }
    };
    const AssembledMatrix::Step first{0.1f, -0.3f};
    device.A->chebyshev(device.x, device.p, device.b, d, first, device.status.id(), nullptr);
    expect(first);
    for (const int count : {1, 2, 3, most_steps_a_pass}) {
        std::vector<AssembledMatrix::Step> steps;
        for (int k = 0; k < (apart ? count : 1); ++k) {
            steps.push_back({0.05f + 0.01f * static_cast<float>(k), 0.3f - 0.02f * static_cast<float>(k)});
        }
        device.A->chebyshev_steps(device.x, device.p, device.b, d, steps, device.status.id());
        for (const AssembledMatrix::Step& s : steps) expect(s);
        CAPTURE(count);
        CHECK(worst(device.x.download_texels(), x) < 2e-5);
        CHECK(worst(device.p.download_texels(), p) < 2e-5);
    }
}

TEST_CASE("steps that do not wait and cannot be made are refused", "[passes][dia_chebyshev_steps]") {
    if (!backend_under_test().can().asynchronous) return;  // each is a pass there
    const Step step(matrix_of(0));
    OnDevice device(step, make_dia, false);
    const auto take = [&](std::size_t count) {
        const std::vector<AssembledMatrix::Step> steps(count, AssembledMatrix::Step{0.1f, 0.0f});
        device.A->chebyshev_steps(device.x, device.p, device.b, nullptr, steps, device.status.id());
    };
    CHECK_THROWS_AS(take(1), Error);  // what x was before is not known
    device.A->chebyshev(device.x, device.p, device.b, nullptr, {}, device.status.id(), nullptr);
    CHECK_NOTHROW(take(1));
    CHECK_THROWS_AS(take(0), Error);
    CHECK_THROWS_AS(take(most_steps_a_pass + 1), Error);
    device.x.upload(step.x);
    CHECK_THROWS_AS(take(1), Error);
}

TEST_CASE("step_control stops for one reason at a time", "[passes][step_control]") {
    if (backend_under_test().holds_doubles()) return;  // whose drift is another
    Harness h(PassId::step_control, {1, 1});
    // |r| was 2 when the run began, and is 0.5; |y| is 3.
    Texels sums{0.25f, 9, 0, 0}, state{0.6f, 2, 0, 0.6f};
    float target = 1e-3f, norm = 2, tolerated = 0.1f;
    int limit = 1000;
    float done = 16;  // iterations, so far
    Stop expected = Stop::running;
    SECTION("none") {}
    SECTION("first test") { state = Texels(4, 0.0f), done = 0; }
    SECTION("first test, far above what the run began with") { state = Texels(4, 1e-3f), done = 0; }
    SECTION("the target is reached") { target = 0.5f, expected = Stop::target; }
    SECTION("no number") { sums[0] = std::numeric_limits<float>::quiet_NaN(), expected = Stop::not_finite; }
    SECTION("infinite") { sums[1] = std::numeric_limits<float>::infinity(), expected = Stop::not_finite; }
    SECTION("a hundred times what it was") { state[0] = 0.004f, expected = Stop::diverged; }
    SECTION("rounding errors are as large") { norm = 4e5f, expected = Stop::drifted; }
    SECTION("a correction pays") { state[1] = 6000, expected = Stop::reduced; }
    SECTION("a correction would pay, but none comes") { state[1] = 6000, tolerated = 10; }
    SECTION("rounding errors are as large, and may be") { norm = 4e5f, tolerated = 10; }
    SECTION("rounding errors are all there is") { norm = 4e7f, tolerated = 10, expected = Stop::drifted; }
    SECTION("enough") { limit = 32, expected = Stop::limit; }
    SECTION("the target counts more than all others") {
        target = 0.5f, limit = 1, norm = 4e5f, state[0] = 0.004f, expected = Stop::target;
    }
    h.input("state", state)
        .input("status", {0, done, 1, 0})
        .input("sums", sums)
        .in_place("state", "state")
        .in_place("status", "status");
    h.integer("steps", 16)
        .integer("limit", limit)
        .constant("target", target)
        .constant("norm", norm)
        .constant("tolerated", tolerated)
        .stopped(false)
        .run();
    CHECK(static_cast<Stop>(static_cast<int>(h.output("status")[0])) == expected);
    CHECK(h.output("status")[1] == done + 16);
    if (std::isfinite(sums[0])) CHECK(h.output("status")[2] == Approx(0.5));
    if (expected == Stop::not_finite) return;
    for (const char* name : {"state", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
}

}  // namespace tests_of_steps
