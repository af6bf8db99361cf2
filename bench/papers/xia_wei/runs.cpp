#include "runs.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>

#include "dense/product.hpp"
#include "device_clock.hpp"
#include "papers/methods/published.hpp"
#include "stopwatch.hpp"

namespace glsolve::bench::dense_cg {
namespace {

using Multiply = std::function<void(Vector& q, const Vector& p)>;

std::vector<float> right_hand_side(Index n) {
    std::vector<float> b(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) b[static_cast<std::size_t>(i)] = static_cast<float>(1 + i);
    return b;
}

double true_residual(Index n, const std::vector<float>& x) {
    double squares = 0, right = 0;
    for (Index i = 0; i < n; ++i) {
        double r = 1.0 + i;
        right += r * r;
        for (Index j = 0; j < n; ++j) r -= dense_entry(i, j) * static_cast<double>(x[static_cast<std::size_t>(j)]);
        squares += r * r;
    }
    return std::sqrt(squares / right);
}

/// Passes and bytes of one product.
void count_product(Backend& backend, const Multiply& multiply, Vector& y, const Vector& x, DenseRun& run) {
    backend.profile(true);
    multiply(y, x);
    backend.profile(false);
    for (const auto& [pass, time] : backend.profile()) {
        run.product_passes += time.calls;
        run.product_bytes += time.bytes;
    }
}

DenseRun run_with(Backend& backend, Index n, double tolerance, int rounds, const Multiply& multiply) {
    const std::vector<float> b = right_hand_side(n);
    double squares = 0;
    for (const float v : b) squares += static_cast<double>(v) * static_cast<double>(v);
    const auto solve = [&](int iterations) {
        return published_cg(backend, b, tolerance * tolerance * squares, iterations, multiply);
    };
    DenseRun run;
    solve(2);  // compiles and allocates
    const Counters before = backend.counters();
    const auto begin = Clock::now();
    const PublishedRun made = solve(n);
    run.seconds = seconds_since(begin);
    run.iterations = made.iterations;
    run.first_indefinite = made.first_indefinite;
    run.iteration_passes = static_cast<double>(backend.counters().passes - before.passes) / made.iterations;
    run.iteration_reads = static_cast<double>(backend.counters().reads - before.reads) / made.iterations;
    run.residual = true_residual(n, made.x);
    for (int round = 1; round < rounds; ++round) {
        const auto again = Clock::now();
        solve(n);
        run.seconds = std::min(run.seconds, seconds_since(again));
    }
    Vector x(backend, n, "x"), y(backend, n, "y");
    x.upload(b);
    count_product(backend, multiply, y, x, run);
    run.product_seconds = seconds_of(DeviceClock{.backend = &backend}, [&] { multiply(y, x); });
    return run;
}

}  // namespace

std::string_view name(Product product) {
    switch (product) {
        case Product::krueger:
            return "Krueger and Westermann, n passes";
        case Product::single_pass:
            return "Xia and Wei, single pass";
        case Product::fast:
            return "glsolve";
    }
    return "";
}

double dense_entry(Index i, Index j) { return i == j ? 1.0 + i : 0.1 * i + 0.1 * j; }

Definiteness definiteness(Index n) {
    Eigen::MatrixXd dense(n, n);
    for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) dense(i, j) = dense_entry(i, j);
    }
    const Eigen::VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense, Eigen::EigenvaluesOnly).eigenvalues();
    return {.smallest = eigenvalues[0], .negative = static_cast<int>((eigenvalues.array() < 0).count())};
}

std::array<DenseRun, all_products.size()> run_dense(Backend& backend, Index n, double tolerance, int rounds) {
    const Session session(backend);
    const auto place = [n](const ZoneMatrix::Entry& put) {
        for (Index j = 0; j < n; ++j) {
            for (Index i = 0; i < n; ++i) put(i, j, dense_entry(i, j));
        }
    };
    const auto run = [&](auto& product) {
        return run_with(backend, n, tolerance, rounds, [&](Vector& q, const Vector& p) { product.multiply(q, p); });
    };
    std::array<DenseRun, all_products.size()> runs;
    {
        KruegerProduct krueger(backend, n, dense_entry);
        runs[0] = run(krueger);
    }
    {
        ZoneMatrix textureA(backend, n, "textureA", ZoneOrder::published);
        textureA.upload(place, false);
        SinglePassProduct single(textureA);
        runs[1] = run(single);
    }
    ZoneMatrix A(backend, n, "A");
    A.upload(place, false);
    DenseProduct fast(A);
    runs[2] = run(fast);
    return runs;
}

}  // namespace glsolve::bench::dense_cg
