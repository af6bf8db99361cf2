// How accurate sums, residuals and direct solves are on a device, against long double precision.
//     bench_accuracy --stage fragment
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <glsolve/glsolve.hpp>
#include <random>

#include "device/reductions.hpp"
#include "device/verbs.hpp"
#include "formats/format_table.hpp"
#include "papers/methods/published.hpp"
#include "stage_option.hpp"

namespace {

using namespace glsolve;

std::vector<double> random_numbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    std::vector<double> numbers(count);
    for (double& v : numbers) v = uniform(random);
    return numbers;
}

double in_two_floats(double v) {
    const auto hi = static_cast<float>(v);
    return static_cast<double>(hi) + static_cast<double>(static_cast<float>(v - static_cast<double>(hi)));
}

/// A sum and its condition, sum |x_i| / |sum x_i|.
void sums(Backend& backend, std::string_view title, const std::vector<float>& numbers) {
    const Session session(backend);
    const auto n = static_cast<Offset>(numbers.size());
    long double exact = 0, size = 0;
    for (const float v : numbers) {
        exact += static_cast<long double>(v);
        size += std::abs(static_cast<long double>(v));
    }
    Vector x(backend, n, "x");
    x.upload(numbers);
    Scalar s(backend, "s");
    Reductions reductions(backend, n);
    const auto error = [&](double sum) {
        return static_cast<double>(std::abs(static_cast<long double>(sum) - exact) / std::abs(exact));
    };
    sumTexel(s, x);
    const double published = error(static_cast<double>(sumTexture(s)));
    const double tree = error(static_cast<double>(reductions.read_measures(x).sum));
    const double compensated = error(reductions.read_compensated_sum(x));
    fmt::print("| {} | {:.0e} | {:.1e} | {:.1e} | {:.1e} |\n", title, static_cast<double>(size / std::abs(exact)),
               published, tree, compensated);
}

/// The largest |r - (b - A x)| / (|A| |x| + |b|) of a row, in units of 2^-48, by format.
void residuals(Backend& backend, std::string_view title, CsrView A) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> x = random_numbers(n, 1), b = random_numbers(n, 2);
    for (auto* v : {&x, &b}) {
        for (double& number : *v) number = in_two_floats(number);
    }
    const std::vector<double> scale(n, 1.0);
    fmt::print("| {} |", title);
    for (const FormatRow* format : format_table) {
        const FormatInput in{A, scale, {}, backend.info().max_texture_size};
        const FormatPrediction p = format->predict(in);
        if (!p.possible() || p.memory > 2e8) {
            fmt::print(" - |");
            continue;
        }
        const Session session(backend);
        const auto matrix = format->make(backend, in);
        TwoFloatVector on_x(backend, A.rows, "x"), on_b(backend, A.rows, "b"), r(backend, A.rows, "r");
        on_x.upload(x);
        on_b.upload(b);
        PartialSums partial(backend, r.hi.layout().extent());
        matrix->residual_two_float(r.hi, r.lo, on_b, on_x, partial);
        const std::vector<double> mine = r.download();
        long double worst = 0;
        for (std::size_t i = 0; i < n; ++i) {
            long double exact = static_cast<long double>(b[i]), size = std::abs(exact);
            for (auto k = static_cast<std::size_t>(A.offsets[i]); k < static_cast<std::size_t>(A.offsets[i + 1]); ++k) {
                const auto term = static_cast<long double>(A.value[k])
                                  * static_cast<long double>(x[static_cast<std::size_t>(A.column[k])]);
                exact -= term;
                size += std::abs(term);
            }
            worst = std::max(worst, std::abs(static_cast<long double>(mine[i]) - exact) / size);
        }
        fmt::print(" {:.2f} |", static_cast<double>(worst * 0x1p48L));
    }
    fmt::print("\n");
}

/// True relative residuals of a direct solve, correction by correction.
void direct(Device& device, std::string_view title, const DenseMatrix& A) {
    const std::vector<double> known = random_numbers(static_cast<std::size_t>(A.rows), 3);
    std::vector<double> b(known.size(), 0.0), x(known.size(), 0.0);
    for (Index j = 0; j < A.columns; ++j) {
        for (Index i = 0; i < A.rows; ++i)
            b[static_cast<std::size_t>(i)] += A(i, j) * known[static_cast<std::size_t>(j)];
    }
    const Report report = solve(device, A, b, x, {.method = Method::direct, .tolerance = 1e-12});
    fmt::print("| {} | {} |", title, name(report.outcome));
    for (const HistoryEntry& entry : report.history) fmt::print(" {:.0e}", entry.relative_residual);
    fmt::print(" |\n");
}

DenseMatrix random_dense(Index n) {
    DenseMatrix A(n, n);
    A.values = random_numbers(A.values.size(), 4);
    return A;
}

DenseMatrix hilbert(Index n) {
    DenseMatrix A(n, n);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) A(i, j) = 1.0 / (i + j + 1);
    }
    return A;
}

void report(Device& device) {
    Backend& backend = device.backend();
    const DeviceInfo& info = device.info();
    fmt::print("{}, {}, {} stage; arithmetic in two floats: {}\n", info.renderer, info.version, name(info.stage),
               info.two_float_fault.empty() ? "trusted" : info.two_float_fault);
    fmt::print("\n| sum of 10^6 numbers: relative error | condition | sumTexel, as published | tree | compensated |\n");
    fmt::print("|---|---:|---:|---:|---:|\n");
    std::vector<float> numbers(1'000'000, 0.001f);
    sums(backend, "0.001 each", numbers);
    for (const float cancelled : {1e-2f, 1e-4f, 1e-6f}) {
        const std::vector<double> random = random_numbers(numbers.size(), 7);
        const std::size_t half = numbers.size() / 2;
        for (std::size_t i = 0; i < half; ++i) {
            numbers[i] = static_cast<float>(random[i]);
            numbers[i + half] = -numbers[i] + cancelled * static_cast<float>(std::abs(random[i]));
        }
        sums(backend, fmt::format("halves that cancel but for {:.0e}", cancelled), numbers);
    }
    fmt::print("\n| residual in two floats: worst row, in 2^-48 (\\|A\\|\\|x\\| + \\|b\\|) |");
    for (const FormatRow* format : format_table) fmt::print(" {} |", format->name);
    fmt::print("\n|---|");
    for (std::size_t i = 0; i < format_table.size(); ++i) fmt::print("---:|");
    fmt::print("\n");
    residuals(backend, "poisson2d 48", poisson2d(48));
    residuals(backend, "anisotropic 48, 1/3", anisotropic(48, 1.0 / 3.0));
    residuals(backend, "random-spd 1000", random_spd(1000, 20'000));
    residuals(backend, "elasticity 6 x 4 x 4", elasticity(6, 4, 4).A);
    fmt::print("\n| direct solve | status | true relative residual, correction by correction |\n|---|---|---|\n");
    direct(device, "random, n = 100", random_dense(100));
    direct(device, "random, n = 500", random_dense(500));
    direct(device, "Hilbert, n = 5", hilbert(5));
    direct(device, "Hilbert, n = 12", hilbert(12));
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("The accuracy of sums, residuals and direct solves on a device");
    Stage stage = Stage::automatic;
    bench::add_stage_option(app, stage);
    CLI11_PARSE(app, argc, argv);
    Device device = Device::open({.backend = BackendKind::opengl, .stage = stage});
    report(device);
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_accuracy: {}\n", error.what());
    return 2;
}
