// The small passes of GMRES: the least-squares problem of a Hessenberg matrix, by rotations, column by column.
#include <cmath>
#include <vector>

#include "device/basis.hpp"
#include "device/stop.hpp"
#include "device/verbs.hpp"
#include "methods/least_squares_on_host.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_gmres {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// A cycle's small numbers, without the vectors.
class Cycle {
  public:
    Cycle(Backend& backend, int restart, float beta)
        : backend_(backend),
          m_(restart),
          h_(backend, m_ + 1, "h"),
          y_(backend, m_ + 1, "y"),
          state_(backend, {m_ + 4, BasisCoefficients::blocks(m_ + 1)}, Element::real, "state"),
          status_(backend, "status"),
          square_(backend, "(w,w)") {
        fill(status_, 0);
        begin_again(beta);
    }

    /// The next cycle; the status goes on counting.
    void begin_again(float beta) {
        fill(square_, beta * beta);
        backend_.encode({.pass = PassId::gmres_restart,
                         .output = {state_.id()},
                         .input = {square_.id(), status_.id()},
                         .integer = {m_}});
    }

    /// Column j, with |w| below it.
    void column(int j, const std::vector<float>& h, float below, bool raw = false, int limit = 1000, float target = 0) {
        upload(h_, h);
        fill(square_, below * below);
        backend_.encode({.pass = raw ? PassId::gmres_column_raw : PassId::gmres_column,
                         .output = {state_.id()},
                         .input = {state_.id(), h_.id(), square_.id()},
                         .integer = {m_, j, 0},
                         .status = status_.id()});
        backend_.encode({.pass = raw ? PassId::gmres_status_raw : PassId::gmres_status,
                         .output = {status_.id()},
                         .input = {status_.id(), state_.id(), square_.id()},
                         .integer = {m_, j, limit},
                         .constant = {target},
                         .status = status_.id()});
    }
    std::vector<float> solve() {
        backend_.encode(
            {.pass = PassId::gmres_solve,
             .output = {y_.id()},
             .input = {state_.id(), status_.id()},
             .integer = {m_},
             .variant = backend_.variant("BLOCKS " + std::to_string(BasisCoefficients::blocks(m_ + 1)) + "\n")});
        return read(y_.id());
    }
    std::vector<float> status() { return read(status_.id()); }
    Stop stop() { return static_cast<Stop>(static_cast<int>(status()[0])); }
    float state(int i, int column) {
        const std::vector<float> texels = read(state_.id());
        return texels[static_cast<std::size_t>(((i / 4) * (m_ + 4) + column) * 4 + i % 4)];
    }

  private:
    void upload(const BasisCoefficients& h, std::vector<float> numbers) {
        numbers.resize(static_cast<std::size_t>(BasisCoefficients::blocks(m_ + 1)) * 4, 0.0f);
        backend_.upload(h.id(), numbers);
    }
    std::vector<float> read(StorageId id) {
        std::vector<float> texels(static_cast<std::size_t>(backend_.extent(id).texels()) * 4);
        backend_.read(id, texels);
        return texels;
    }

    Backend& backend_;
    int m_;
    BasisCoefficients h_, y_;
    Storage state_;
    Scalar status_, square_;
};

}  // namespace

TEST_CASE("a Hessenberg matrix's least squares, column by column",
          "[passes][gmres_restart][gmres_column][gmres_status][gmres_solve]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const int m = GENERATE(1, 2, 3, 4, 5, 8, 31, 32);
    CAPTURE(m);
    const float beta = 1.75f;
    Cycle cycle(backend, m, beta);
    std::vector<std::vector<double>> H;
    const auto h = [&](int i, int j) { return H[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]; };
    for (int j = 0; j < m; ++j) {
        const auto seed = static_cast<std::uint32_t>(j);
        const std::vector<float> numbers = random_numbers(static_cast<std::size_t>(j) + 1, seed);
        const float below = 0.5f + static_cast<float>(j % 3);
        std::vector<double>& column = H.emplace_back();
        for (const float number : numbers) column.push_back(static_cast<double>(number));
        column.push_back(static_cast<double>(below));
        cycle.column(j, numbers, below);
        const HessenbergAnswer known = solve_hessenberg(j + 1, static_cast<double>(beta), h);
        const std::vector<float> status = cycle.status();
        CHECK(cycle.stop() == Stop::running);
        CHECK(status[1] == static_cast<float>(j + 1));
        CHECK(static_cast<double>(status[2]) == Approx(known.residuals.back()).epsilon(1e-4).margin(1e-5));
        CHECK(status[3] == status[2]);
    }
    const HessenbergAnswer known = solve_hessenberg(m, static_cast<double>(beta), h);
    const std::vector<float> y = cycle.solve();
    double size = 0;
    for (const double number : known.y) size = std::max(size, std::abs(number));
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double expected = i < known.y.size() ? known.y[i] : 0.0;
        CHECK(static_cast<double>(y[i]) == Approx(expected).margin(2e-4 * size));
    }
}

TEST_CASE("a status counts on through cycles, and each solves for its own steps",
          "[passes][gmres_restart][gmres_status][gmres_solve]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    Cycle cycle(backend, 5, 2);
    cycle.column(0, {3}, 1);
    cycle.column(1, {1.5f, 2}, 1);
    CHECK(cycle.status()[1] == 2);
    cycle.begin_again(1.5f);
    CHECK(cycle.state(0, 8) == 2);
    CHECK(cycle.solve() == std::vector<float>(8, 0.0f));  // no step of this cycle yet
    cycle.column(0, {2}, 0);
    CHECK(cycle.status()[1] == 3);
    CHECK(cycle.solve()[0] == Approx(0.75));
}

TEST_CASE("the host gets the Hessenberg matrix as it is", "[passes][gmres_column_raw][gmres_status_raw]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    Cycle cycle(backend, 5, 1);
    cycle.column(0, {3}, 3, true);
    cycle.column(1, {1.5f, 1}, 4, true);
    CHECK(cycle.stop() == Stop::running);
    CHECK(cycle.status()[1] == 2);
    CHECK(cycle.state(0, 5) == 1);
    CHECK(cycle.state(0, 0) == 3);
    CHECK(cycle.state(1, 0) == Approx(3));
    CHECK(cycle.state(0, 1) == 1.5f);
    CHECK(cycle.state(1, 1) == 1);
    CHECK(cycle.state(2, 1) == Approx(4));
    CHECK(cycle.state(3, 1) == 0);
}

TEST_CASE("why a cycle of GMRES ends", "[passes][gmres_status][gmres_status_raw]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const bool raw = GENERATE(false, true);
    const float infinity = std::numeric_limits<float>::infinity();
    SECTION("its steps are used up") {
        Cycle cycle(backend, 4, 1);
        cycle.column(0, {2}, 1, raw, 2);
        CHECK(cycle.stop() == Stop::running);
        cycle.column(1, {2, 1}, 1, raw, 2);
        CHECK(cycle.stop() == Stop::limit);
        cycle.column(2, {2, 1, 1}, 1, raw, 2);  // changes nothing any more
        CHECK(cycle.status()[1] == 2);
    }
    SECTION("nothing is left that is orthogonal") {
        Cycle cycle(backend, 4, 1);
        cycle.column(0, {2}, 1e-7f, raw);
        CHECK(cycle.stop() == Stop::complete);
        CHECK(cycle.status()[1] == 1);
        if (!raw) CHECK(cycle.solve()[0] == Approx(0.5f));
    }
    SECTION("a column that is no number does not count") {
        Cycle cycle(backend, 4, 1);
        cycle.column(0, {2}, 1, raw);
        cycle.column(1, {infinity, 1}, 1, raw);
        CHECK(cycle.stop() == Stop::not_finite);
        CHECK(cycle.status()[1] == 1);
        if (!raw) CHECK(std::isfinite(cycle.solve()[0]));
    }
    SECTION("w is no number") {
        Cycle cycle(backend, 4, 1);
        cycle.column(0, {2}, infinity, raw);
        CHECK(cycle.stop() == Stop::not_finite);
        CHECK(cycle.status()[1] == 0);
    }
    SECTION("the residual is small enough") {
        if (raw) return;
        Cycle cycle(backend, 4, 1);
        cycle.column(0, {2}, 1, raw, 100, 0.5f);
        CHECK(cycle.stop() == Stop::target);
    }
    SECTION("a column of zeros has no pivot") {
        if (raw) return;
        Cycle cycle(backend, 4, 1);
        cycle.column(0, {0}, 0, raw);
        CHECK(cycle.stop() == Stop::complete);
        CHECK(cycle.solve()[0] == 0);
    }
}

}  // namespace tests_of_gmres
