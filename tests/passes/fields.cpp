// The passes over MultiVectors, which hold four right-hand sides: each component goes its own way, and stops by itself.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "device/multi_vector_sums.hpp"
#include "device/stop.hpp"
#include "device/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_fields {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

using Four = std::array<float, 4>;

/// A MultiVector of random numbers.
class Numbers : public MultiVector {
  public:
    Numbers(Backend& backend, Index n, std::uint32_t seed)
        : MultiVector(backend, n, "test"),
          numbers(pack(layout(), random_numbers(static_cast<std::size_t>(n) * 4, seed))) {
        backend.upload(id(), numbers);
    }
    Texels numbers;
};

/// A vector of random numbers, and the MultiVector that holds each of them four times.
class Factors : public Vector {
  public:
    Factors(Backend& backend, Index n, std::uint32_t seed) : Vector(backend, n, "test") {
        const Texels texels = random_vector(n, seed);
        backend.upload(id(), texels);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) four_times.insert(four_times.end(), 4, texels[i]);
        four_times.resize(static_cast<std::size_t>(layout_of(Offset{4} * n).extent().texels()) * 4);
    }
    Texels four_times;
};

Texels product(const Texels& a, const Texels& b) {
    Texels made(a);
    for (std::size_t i = 0; i < made.size(); ++i) made[i] *= b[i];
    return made;
}

/// Is it the sum of a * b, side by side?
void check_sum(const Scalar& s, const Texels& a, const Texels& b) {
    Texels made(4);
    s.backend().read(s.id(), made);
    for (std::size_t side = 0; side < 4; ++side) {
        double exact = 0, size = 0;
        for (std::size_t i = side; i < a.size(); i += 4) {
            const double term = static_cast<double>(a[i]) * static_cast<double>(b[i]);
            exact += term, size += std::abs(term);
        }
        CHECK(std::abs(static_cast<double>(made[side]) - exact) <= 3e-6 * size);
    }
}

/// A texel of four different numbers.
class Components : public Scalar {
  public:
    Components(Backend& backend, Four values) : Scalar(backend, "test") { backend.upload(id(), values); }
};

std::vector<Index> lengths() {
    std::vector<Index> lengths{1, 3, 4, 5, 64, 65, 255, 257, 1025};
    if (!is_slow()) lengths.push_back(70'001);
    return lengths;
}

}  // namespace

TEST_CASE("fields: vectors go in and come out", "[passes][fields][field_put][field_take]") {
    const Index n = GENERATE(from_range(lengths()));
    const int component = GENERATE(0, 1, 2, 3);
    Backend& backend = backend_under_test();
    const Session session(backend);
    Numbers y(backend, n, 1);
    Vector x(backend, n, "x"), back(backend, n, "back");
    const Texels numbers = random_vector(n, 2);
    backend.upload(x.id(), numbers);
    put(y, x, component);
    const Texels made = y.download_texels();
    for (std::size_t i = 0; i < made.size(); ++i) {
        const bool replaced = static_cast<int>(i % 4) == component && i / 4 < static_cast<std::size_t>(n);
        REQUIRE(made[i] == (replaced ? numbers[i / 4] : y.numbers[i]));
    }
    backend.upload(back.id(), Texels(numbers.size(), -7.25e11f));
    take(back, y, component);
    CHECK(back.download_texels() == numbers);
}

TEST_CASE("fields: sums of four right-hand sides",
          "[passes][fields][field_sums][field_sums_scaled][field_sums_stage][field_sums_last]") {
    const Index n = GENERATE(from_range(lengths()));
    const bool scaled = GENERATE(false, true);
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Numbers r(backend, n, 1), z(backend, n, 2), y(backend, n, 3);
    const Factors m(backend, n, 4);
    MultiVectorSums sums(backend, n, false);
    for (const Scalar* s : {&sums.rz, &sums.rr, &sums.yy})
        backend.upload(s->id(), Four{-7e11f, -7e11f, -7e11f, -7e11f});
    if (scaled) {
        sums(r, m, y);
    } else {
        sums(r, z, y);
    }
    check_sum(sums.rz, r.numbers, scaled ? product(m.four_times, r.numbers) : z.numbers);
    check_sum(sums.rr, r.numbers, r.numbers);
    check_sum(sums.yy, y.numbers, y.numbers);
}

TEST_CASE("fields: p <- z + beta p, each component with its own beta, or not at all",
          "[passes][fields][axpby_field][axpby_field_scaled]") {
    const Index n = GENERATE(1, 3, 5, 257);
    const bool scaled = GENERATE(false, true);
    Backend& backend = backend_under_test();
    const Session session(backend);
    Numbers p(backend, n, 1);
    const Numbers x(backend, n, 2);
    const Factors m(backend, n, 3);
    const Texels z = scaled ? product(m.four_times, x.numbers) : x.numbers;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) p.numbers[4 * i + 1] = not_a_number;
    backend.upload(p.id(), p.numbers);
    const Four beta{0.75f, 0, -1.5f, 0.5f};  // where it is zero, p is z whatever it was
    const Components a(backend, beta), stops(backend, {0, 0, 0, 2});
    if (scaled) {
        xpay(p, x, m, scalar_arg(a), stops.id());
    } else {
        xpay(p, x, scalar_arg(a), stops.id());
    }
    const Texels made = p.download_texels();
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (i % 4 == 3) {
            REQUIRE(made[i] == p.numbers[i]);
        } else if (i % 4 == 1) {
            REQUIRE(made[i] == z[i]);
        } else {
            REQUIRE(made[i] == Approx(z[i] + beta[i % 4] * p.numbers[i]).margin(1e-6));
        }
    }
}

TEST_CASE("fields: an update goes component by component",
          "[passes][fields][cg_update_field][cg_update_field_sums][cg_update_field_sums_jacobi]") {
    const PassId pass =
        GENERATE(PassId::cg_update_field, PassId::cg_update_field_sums, PassId::cg_update_field_sums_jacobi);
    const Index n = GENERATE(1, 3, 5, 257, 40'001);
    if (is_slow() && n > 1000) return;
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Numbers y(backend, n, 1), p(backend, n, 2), r(backend, n, 3), q(backend, n, 4);
    const Factors d(backend, n, 5);
    MultiVectorSums sums(backend, n, true);
    for (const StorageId terms : sums.terms()) {
        backend.upload(terms, Texels(static_cast<std::size_t>(backend.extent(terms).texels()) * 4, -7.25e11f));
    }
    // The first moves by 0.75; the others have stopped, have a (p,Ap) that is not positive, or overflow.
    const Components rho(backend, {1.5f, 1, 1, 3e38f});
    const float pi = GENERATE(-1.0f, 0.0f);
    const Components pis(backend, {2, 1, pi, 1e-10f}), stops(backend, {0, 3, 0, 0});
    PassCall call{.pass = pass,
                  .output = {y.id(), r.id()},
                  .input = {y.id(), p.id(), r.id(), q.id()},
                  .scalar = {scalar_arg(rho, pis)},
                  .status = stops.id()};
    if (pass != PassId::cg_update_field) std::ranges::copy(sums.terms(), call.output.begin() + 2);
    if (pass == PassId::cg_update_field_sums_jacobi) {
        call.input[4] = d.id();
        call.integer = {y.layout().log2_width, d.layout().log2_width};
    }
    backend.encode(call);
    const Texels new_y = y.download_texels(), new_r = r.download_texels();
    for (std::size_t i = 0; i < new_y.size(); ++i) {
        if (i % 4 == 0) {
            REQUIRE(new_y[i] == Approx(y.numbers[i] + 0.75f * p.numbers[i]).margin(1e-6));
            REQUIRE(new_r[i] == Approx(r.numbers[i] - 0.75f * q.numbers[i]).margin(1e-6));
        } else {
            REQUIRE(new_y[i] == y.numbers[i]);
            REQUIRE(new_r[i] == r.numbers[i]);
        }
    }
    if (pass == PassId::cg_update_field) return;
    sums();
    check_sum(sums.rz, new_r, pass == PassId::cg_update_field_sums ? new_r : product(d.four_times, new_r));
    check_sum(sums.rr, new_r, new_r);
    check_sum(sums.yy, new_y, new_y);
}

namespace {

/// Four iterations that end well, after seven: |r| = 0.5, (r,z) = 0.5, rho = 2.
struct Endings {
    Texels state = of_each({1, 1e-7f, 6e-8f, 1e-3f}), rho = of_each({2, 2, 2, 2}), beta = of_each({3, 3, 3, 3}),
           status = of_each({0, 6, 1, 0});
    Texels rz{0.5f, 0.5f, 0.5f, 0.5f}, rr{0.25f, 0.25f, 0.25f, 0.25f}, yy{4, 4, 4, 4}, pi{1.5f, 1.5f, 1.5f, 1.5f};
    int limit = 1000;
    float tolerated = 0.1f;

    static Texels of_each(Four texel) {
        Texels texels(16);
        for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = texel[i % 4];
        return texels;
    }
    Harness run() const {
        Harness h(PassId::cg_control_field, {4, 1});
        h.input("state", state).input("rho", rho).input("beta", beta).input("status", status);
        h.input("rz", {1, 1}, rz).input("rr", {1, 1}, rr).input("yy", {1, 1}, yy).input("pi", {1, 1}, pi);
        for (const char* name : {"state", "rho", "beta", "status"}) h.in_place(name, name);
        h.constant("norm", 2).constant("tolerated", tolerated).integer("limit", limit);
        h.run();
        for (const char* name : {"state", "rho", "beta", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
        return h;
    }
};

std::array<Stop, 4> stops_of(const Harness& h) {
    std::array<Stop, 4> stops{};
    for (std::size_t k = 0; k < 4; ++k) stops[k] = static_cast<Stop>(static_cast<int>(h.output("status")[4 * k]));
    return stops;
}

using Stops = std::array<Stop, 4>;

}  // namespace

TEST_CASE("fields: each right-hand side stops for its own reason", "[passes][fields][cg_control_field]") {
    if (backend_under_test().holds_doubles()) return;  // whose drift is another
    Endings e;
    SECTION("none") { CHECK(stops_of(e.run()) == Stops{}); }
    SECTION("four reasons") {
        e.state[3] = 0.6f;   // the target of the first
        e.state[4] = 5.1f;   // the largest residual of the second
        e.state[9] = 0.06f;  // the drift of the third
        e.pi[3] = -1;
        const Harness h = e.run();
        CHECK(stops_of(h) == Stops{Stop::target, Stop::reduced, Stop::drifted, Stop::indefinite});
        CHECK(h.output("rho") == e.rho);  // belongs to the direction, which stays
        CHECK(h.output("status")[1] == 7);
        CHECK(h.output("status")[13] == 6);  // nothing has changed
    }
    SECTION("what is not finite is so for one alone") {
        const float bad = GENERATE(as<float>{}, infinity, -infinity, not_a_number);
        const auto spoiled = GENERATE(&Endings::rz, &Endings::rr, &Endings::yy, &Endings::pi);
        (e.*spoiled)[2] = bad;
        const Harness h = e.run();
        CHECK(stops_of(h) == Stops{Stop::running, Stop::running, Stop::not_finite, Stop::running});
        for (const std::size_t k : {0u, 1u, 3u}) {
            CHECK(h.output("rho")[4 * k] == 0.5f);
            CHECK(h.output("beta")[4 * k] == Approx(0.25f));
        }
    }
    SECTION("without corrections on the way") {
        e.tolerated = 10;
        e.state[3] = 0.6f;  // the target of the first
        e.state[4] = 5.1f;  // what would be a reason for the second
        e.state[9] = 6.0f;  // the drift of the third
        CHECK(stops_of(e.run()) == Stops{Stop::target, Stop::running, Stop::drifted, Stop::running});
        e.status[4] = static_cast<float>(Stop::target);  // nobody is hurried
        e.status[5] = 1;
        e.state[3] = 0;
        CHECK(stops_of(e.run()) == Stops{Stop::running, Stop::target, Stop::drifted, Stop::running});
    }
    SECTION("the iterations are used up") {
        e.limit = 7;
        CHECK(stops_of(e.run()) == Stops{Stop::limit, Stop::limit, Stop::limit, Stop::limit});
    }
}

TEST_CASE("fields: one that has stopped is left alone, and waited for as long as it ran",
          "[passes][fields][cg_control_field]") {
    Endings e;
    const float ran = GENERATE(3.0f, 4.0f);
    const std::array<float, 4> stopped{static_cast<float>(Stop::reduced), ran, 0.9f, 0};
    std::copy(stopped.begin(), stopped.end(), e.status.begin() + 4);
    e.status[12] = static_cast<float>(Stop::absent);  // who is not there is not waited for
    e.status[13] = 0;
    e.rr[1] = 1e-20f;
    const Harness h = e.run();
    const Stop others = 7 > 2 * ran ? Stop::limit : Stop::running;
    CHECK(stops_of(h) == Stops{others, Stop::reduced, others, Stop::absent});
    for (const char* name : {"state", "rho", "beta", "status"}) {
        const Texels& before = name == std::string("state")  ? e.state
                               : name == std::string("rho")  ? e.rho
                               : name == std::string("beta") ? e.beta
                                                             : e.status;
        for (const std::size_t k : {1u, 3u}) {
            for (std::size_t i = 4 * k; i < 4 * k + 4; ++i) CHECK(h.output(name)[i] == before[i]);
        }
    }
}

TEST_CASE("fields: each right-hand side begins anew by its own plan", "[passes][fields][cg_restart_field]") {
    Harness h(PassId::cg_restart_field, {4, 1});
    const auto absent = static_cast<float>(Stop::absent);
    h.input("rho", Endings::of_each({2, 2, 2, 2}))
        .input("rz", {1, 1}, Texels{3, 3, infinity, 3})
        .input("rr", {1, 1}, Texels{0.25f, 4, 1, 0})
        .input("plan", {4, 1}, Texels{0.5f, 1, 1e-3f, 0, 1, 0, 2e-3f, 0, 1, 1, 3e-3f, 0, 1, 0, 0, absent});
    h.run();
    for (const char* name : {"state", "rho", "beta", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
    CHECK(h.output("beta")[0] == 3);  // 3 / (2 * 0.5)
    CHECK(h.output("beta")[4] == 0);  // a new direction
    CHECK(h.output("beta")[8] == 0);  // not finite
    CHECK(h.output("state")[0] == 0.5f);
    CHECK(h.output("state")[7] == 2e-3f);  // its target
    CHECK(h.output("status")[0] == 0);
    CHECK(h.output("status")[6] == 2);
    CHECK(h.output("status")[12] == absent);
}

TEST_CASE("fields: numbers of four right-hand sides side by side", "[passes][fields][cg_gather]") {
    const auto reduced = static_cast<float>(Stop::reduced), absent = static_cast<float>(Stop::absent);
    Harness h(PassId::cg_gather, {1, 1});
    h.input("rhos", {4, 1}, Texels{1, 9, 9, 9, 2, 9, 9, 9, not_a_number, 9, 9, 9, 4, 9, 9, 9});
    h.input("betas", {4, 1}, Texels{5, 9, 9, 9, 6, 9, 9, 9, 7, 9, 9, 9, infinity, 9, 9, 9});
    const bool ended = GENERATE(false, true);
    h.input(
        "statuses", {4, 1},
        Texels{reduced, 5, 0.7f, 0, ended ? reduced : 0, 8, 0.4f, 0, absent, 0, not_a_number, 0, reduced, 3, 0.9f, 0});
    h.run();
    for (const char* name : {"rho", "beta", "stops", "status"}) CHECK(h.difference(name) == 0);
    CHECK(h.output("beta") == Texels{5, 6, 7, infinity});
    CHECK(h.output("stops") == Texels{reduced, ended ? reduced : 0, absent, reduced});
    CHECK((h.output("status")[0] != 0) == ended);
    CHECK(h.output("status")[1] == 8);
    CHECK(h.output("status")[2] == (ended ? 0 : 0.4f));
    CHECK(h.output("status")[3] == 0.7f);
}

}  // namespace tests_of_fields
