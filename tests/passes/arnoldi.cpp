// Arnoldi's process with delayed reorthogonalisation, pass by pass, beside double precision.
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "device/basis.hpp"
#include "device/verbs.hpp"
#include "support/basis.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_arnoldi {

using namespace glsolve;
using namespace glsolve::test;

namespace {

double number(const std::vector<float>& x, int i) { return static_cast<double>(x[static_cast<std::size_t>(i)]); }

std::vector<float> read(Backend& backend, StorageId id) {
    std::vector<float> texels(static_cast<std::size_t>(backend.extent(id).texels()) * 4);
    backend.read(id, texels);
    return texels;
}

/// Numbers below `size` in the first `count` places, zeros behind them.
std::vector<float> small_numbers(int count, int places, float size, std::uint32_t seed) {
    std::vector<float> x = random_numbers(static_cast<std::size_t>(count), seed);
    for (float& number : x) number *= size;
    x.resize(static_cast<std::size_t>(places), 0.0f);
    return x;
}

}  // namespace

TEST_CASE("inner products of two vectors with a basis and the first of them",
          "[passes][basis_dot_pair][basis_sum_pair][basis_last_pair]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Offset n = GENERATE(1, 5, 63, 1000, 4097, 40000);
    const int room = GENERATE(1, 2, 7, 33);
    if (is_slow() && n * room > 50000) return;
    const std::vector<float> w = random_numbers(static_cast<std::size_t>(n), 77),
                             u = random_numbers(static_cast<std::size_t>(n), 78);
    FilledBasis filled(backend, n, room);
    Vector w_on_device(backend, n, "w"), u_on_device(backend, n, "u");
    w_on_device.upload(w);
    u_on_device.upload(u);
    BasisCoefficients s(backend, room, "s"), t(backend, room, "t");
    for (const int count : {0, (room - 1) / 2, room - 1}) {
        CAPTURE(n, room, count);
        filled.basis.project(s, t, w_on_device, u_on_device, count);
        for (const bool first : {true, false}) {
            const std::vector<float> found = read(backend, first ? s.id() : t.id());
            const std::vector<float>& x = first ? w : u;
            for (int k = 0; k < static_cast<int>(found.size()); ++k) {
                if (k > count) {
                    CHECK(number(found, k) == 0);
                    continue;
                }
                const std::vector<float>& v = k < count ? filled.v[static_cast<std::size_t>(k)] : w;
                const double size = std::sqrt(dot(x, x) * dot(v, v));
                CHECK(number(found, k) == Approx(dot(x, v)).margin(2e-7 * size));
            }
        }
    }
}

TEST_CASE("sums of parts of two results, in three stages", "[passes][basis_sum_pair]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    if (is_slow()) return;
    const Offset n = length_in_three_stages(backend);
    if (n > 40'000'000) return;
    Basis basis(backend, layout_of(n), 2, "V");
    Vector w(backend, n, "w"), u(backend, n, "u");
    Scalar four(backend, "4");
    fill(four, 4);
    fill(w, 1);
    fill(u, 0.25f);
    basis.store(0, w, four, {});  // halves
    BasisCoefficients s(backend, 2, "s"), t(backend, 2, "t");
    basis.project(s, t, w, u, 1);
    const std::vector<float> of_w = read(backend, s.id()), of_u = read(backend, t.id());
    const double all = static_cast<double>(n);
    CHECK(number(of_w, 0) == Approx(all / 2).epsilon(1e-6));
    CHECK(number(of_w, 1) == Approx(all).epsilon(1e-6));
    CHECK(number(of_u, 0) == Approx(all / 8).epsilon(1e-6));
    CHECK(number(of_u, 1) == Approx(all / 4).epsilon(1e-6));
}

TEST_CASE("what is left of a candidate has the length that Pythagoras says", "[passes][arnoldi_step]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const int k = GENERATE(0, 1, 3, 4, 5, 32);
    const float ww = GENERATE(2.5f, 1e-12f, 0.0f, -1.0f, std::numeric_limits<float>::infinity());
    CAPTURE(k, ww);
    const int places = 4 * BasisCoefficients::blocks(k + 1);
    BasisCoefficients s(backend, k + 1, "s"), t(backend, k + 1, "t");
    std::vector<float> s_numbers = small_numbers(k, places, 0.01f * std::sqrt(std::abs(ww)), 3),
                       t_numbers = small_numbers(k, places, 1, 4);
    if (!std::isfinite(ww)) s_numbers.assign(s_numbers.size(), 0.0f);
    s_numbers[static_cast<std::size_t>(k)] = ww;
    t_numbers[static_cast<std::size_t>(k)] = 0.75f;
    for (int i = k + 1; i < places; ++i) s_numbers[static_cast<std::size_t>(i)] = 1e20f;  // what must not be used
    backend.upload(s.id(), s_numbers);
    backend.upload(t.id(), t_numbers);
    Scalar step(backend, "step");
    backend.encode({.pass = PassId::arnoldi_step, .output = {step.id()}, .input = {s.id(), t.id()}, .integer = {k}});
    const std::vector<float> found = read(backend, step.id());

    if (!(ww > 0) || !std::isfinite(ww)) {
        CHECK(number(found, 1) == 0);
        CHECK(number(found, 2) == 0);
        return;
    }
    double ss = 0, st = 0;
    for (int i = 0; i < k; ++i) {
        ss += number(s_numbers, i) * number(s_numbers, i);
        st += number(s_numbers, i) * number(t_numbers, i);
    }
    const double nu = std::sqrt(static_cast<double>(ww) - ss);
    CHECK(number(found, 0) == Approx(nu * nu).epsilon(1e-5));
    CHECK(number(found, 1) == Approx(1 / nu).epsilon(1e-5));
    CHECK(number(found, 2) == Approx((0.75 - st) / nu).epsilon(1e-5));
    CHECK(number(found, 3) == Approx(nu).epsilon(1e-5));
}

TEST_CASE("columns of a Hessenberg matrix, one complete, one begun",
          "[passes][arnoldi_column][arnoldi_column_flexible]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    constexpr int m = 9;
    const bool flexible = GENERATE(false, true), stopped = GENERATE(false, true);
    const int k = GENERATE(0, 1, 3, 4, 5, 8, 9);
    CAPTURE(flexible, stopped, k);
    const int blocks = BasisCoefficients::blocks(m + 1);
    const Storage H(backend, {m, blocks}, Element::real, "H");
    BasisCoefficients s(backend, m + 1, "s"), t(backend, m + 1, "t");
    Scalar step(backend, "step"), status(backend, "status");
    const std::vector<float> before = random_numbers(static_cast<std::size_t>(4 * m * blocks), 1),
                             s_numbers = random_numbers(static_cast<std::size_t>(4 * blocks), 2),
                             t_numbers = random_numbers(static_cast<std::size_t>(4 * blocks), 3);
    constexpr std::array<float, 4> numbers{4, 0.5f, 0.3f, 2};  // nu^2, 1 / nu, tau, nu
    backend.upload(H.id(), before);
    backend.upload(s.id(), s_numbers);
    backend.upload(t.id(), t_numbers);
    backend.upload(step.id(), numbers);
    fill(status, stopped ? 1.0f : 0.0f);
    backend.encode({.pass = flexible ? PassId::arnoldi_column_flexible : PassId::arnoldi_column,
                    .output = {H.id()},
                    .input = {H.id(), s.id(), t.id(), step.id()},
                    .integer = {k},
                    .status = status.id()});
    const std::vector<float> found = read(backend, H.id());

    const auto place = [&](int i, int column) { return ((i / 4) * m + column) * 4 + i % 4; };
    const auto completed = [&](int i, int column) {
        const double h = number(before, place(i, column));
        if (column < k - 1) return h;
        return i < k ? h + number(s_numbers, i) : i == k ? 2.0 : 0.0;
    };
    for (int column = 0; column < m; ++column) {
        for (int i = 0; i < 4 * blocks; ++i) {
            double expected = number(before, place(i, column));
            if (!stopped && column == k - 1) expected = completed(i, column);
            if (!stopped && column == k) {
                expected = i < k ? number(t_numbers, i) : i == k ? static_cast<double>(numbers[2]) : 0.0;
                for (int j = 0; !flexible && j < k; ++j) expected -= number(s_numbers, j) * completed(i, j);
                expected *= 0.5;
            }
            CAPTURE(column, i);
            CHECK(number(found, place(i, column)) == Approx(expected).margin(2e-6));
        }
    }
}

TEST_CASE("a vector of a basis, and the candidate for the next", "[passes][arnoldi_update][arnoldi_update_jacobi]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const bool jacobi = GENERATE(false, true), stopped = GENERATE(false, true);
    const Offset n = GENERATE(1, 63, 1000, 4097);
    const int count = GENERATE(0, 1, 4, 6, 32);
    if (is_slow() && n * count > 50000) return;
    CAPTURE(jacobi, stopped, n, count);
    const auto size = static_cast<std::size_t>(n);
    const FilledBasis filled(backend, n, count + 1);
    const Basis& V = filled.basis;
    const std::vector<float> w = random_numbers(size, 11), u = random_numbers(size, 12), d = random_numbers(size, 13);
    std::vector<float> s = small_numbers(count, count, 1, 14), t = small_numbers(count, count, 1, 15);
    s.resize(static_cast<std::size_t>(4 * BasisCoefficients::blocks(count + 1)), 1e30f);  // what must not be used
    t.resize(s.size(), 1e30f);
    constexpr std::array<float, 4> numbers{4, 0.5f, 0.3f, 2};  // nu^2, 1 / nu, tau, nu
    BasisCoefficients s_on_device(backend, count + 1, "s"), t_on_device(backend, count + 1, "t");
    Scalar step(backend, "step"), status(backend, "status");
    backend.upload(s_on_device.id(), s);
    backend.upload(t_on_device.id(), t);
    backend.upload(step.id(), numbers);
    fill(status, stopped ? 1.0f : 0.0f);
    Vector w_on_device(backend, n, "w"), u_on_device(backend, n, "u"), d_on_device(backend, n, "d"),
        z_on_device(backend, n, "z");
    w_on_device.upload(w);
    u_on_device.upload(u);
    d_on_device.upload(d);
    PassCall call{.pass = jacobi ? PassId::arnoldi_update_jacobi : PassId::arnoldi_update,
                  .output = {u_on_device.id(), w_on_device.id()},
                  .input = {V.id(), s_on_device.id(), t_on_device.id(), step.id(), w_on_device.id(), u_on_device.id()},
                  .integer = {V.layout().log2_width, V.grid().log2_columns, V.layout().height, count},
                  .status = status.id(),
                  .variant = V.variant()};
    if (jacobi) {
        call.output[2] = z_on_device.id();
        call.input[6] = d_on_device.id();
    }
    backend.encode(call);

    const std::vector<float> v_found = u_on_device.download_texels(), w_found = w_on_device.download_texels(),
                             z_found = jacobi ? z_on_device.download_texels() : std::vector<float>(4 * size);
    double error = 0;
    for (std::size_t i = 0; i < size; ++i) {
        double v_expected = static_cast<double>(w[i]), w_expected = static_cast<double>(u[i]);
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
            v_expected -= static_cast<double>(s[k]) * static_cast<double>(filled.v[k][i]);
            w_expected -= static_cast<double>(t[k]) * static_cast<double>(filled.v[k][i]);
        }
        v_expected = stopped ? 0 : 0.5 * v_expected;
        w_expected = stopped ? 0 : 0.5 * (w_expected - static_cast<double>(numbers[2]) * v_expected);
        const double z_expected = jacobi ? static_cast<double>(d[i]) * w_expected : 0;
        for (const double difference :
             {static_cast<double>(v_found[i]) - v_expected, static_cast<double>(w_found[i]) - w_expected,
              static_cast<double>(z_found[i]) - z_expected}) {
            error = std::isfinite(difference) ? std::max(error, std::abs(difference))
                                              : std::numeric_limits<double>::infinity();
        }
    }
    CHECK(error <= 1e-6 * (count + 1));
}

}  // namespace tests_of_arnoldi
