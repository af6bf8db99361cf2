// Figure 5 of J. Xia and D. Wei (2009) anew: the time of conjugate gradients over n, with the product of Krueger and
// Westermann, the product in a single pass as published, and the fast one. The same system, the same method and the
// same stopping rule for each.
//     bench_figure5 --plot figure5.png --json figure5.json
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Eigen/Eigenvalues>
#include <chrono>
#include <fstream>
#include <functional>
#include <glsolve/error.hpp>
#include <glsolve/glsolve.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/gnuplot.hpp"
#include "dense/product.hpp"
#include "device/verbs.hpp"
#include "measure.hpp"
#include "papers/published.hpp"
#include "stage_option.hpp"

namespace {

using namespace glsolve;

/// The paper's system: a_ij = 0.1 (i + j) beside the diagonal, a_ii = 1 + i, b_i = 1 + i, counted from 0.
double entry(Index i, Index j) { return i == j ? 1.0 + i : 0.1 * i + 0.1 * j; }
std::vector<float> right_hand_side(Index n) {
    std::vector<float> b(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) b[static_cast<std::size_t>(i)] = static_cast<float>(1 + i);
    return b;
}

/// |b - A x| / |b| in double precision.
double true_residual(Index n, const std::vector<float>& x) {
    double squares = 0, right = 0;
    for (Index i = 0; i < n; ++i) {
        double r = 1.0 + i;
        right += r * r;
        for (Index j = 0; j < n; ++j) r -= entry(i, j) * static_cast<double>(x[static_cast<std::size_t>(j)]);
        squares += r * r;
    }
    return std::sqrt(squares / right);
}

/// One product, and conjugate gradients with it.
struct Measured {
    double seconds = 0;  ///< of the solve
    double product = 0;  ///< seconds of one product
    PublishedRun run;
    double residual = 0;
};

Measured measure(Backend& backend, Index n, double tolerance,
                 const std::function<void(Vector& q, const Vector& p)>& multiply) {
    const std::vector<float> b = right_hand_side(n);
    double squares = 0;
    for (const float v : b) squares += static_cast<double>(v) * static_cast<double>(v);
    const auto solve = [&](int iterations) {
        return published_cg(backend, b, tolerance * tolerance * squares, iterations, multiply);
    };
    Measured m;
    solve(2);  // compiles and allocates
    const auto begin = std::chrono::steady_clock::now();
    m.run = solve(n);
    m.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    m.residual = true_residual(n, m.run.x);
    Vector x(backend, n, "x"), y(backend, n, "y");
    x.upload(b);
    m.product = bench::seconds_of(bench::Clock{&backend}, [&] { multiply(y, x); });
    return m;
}

struct Row {
    Index n = 0;
    double smallest = 0;  ///< eigenvalue
    int negative = 0;     ///< eigenvalues below zero
    Measured krueger, single, fast;
};

Row measure(Backend& backend, Index n, double tolerance) {
    const Session session(backend);
    Row row;
    row.n = n;
    Eigen::MatrixXd dense(n, n);
    for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) dense(i, j) = entry(i, j);
    }
    const Eigen::VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense, Eigen::EigenvaluesOnly).eigenvalues();
    row.smallest = eigenvalues[0];
    row.negative = static_cast<int>((eigenvalues.array() < 0).count());
    const auto place = [n](const ZoneMatrix::Entry& put) {
        for (Index j = 0; j < n; ++j) {
            for (Index i = 0; i < n; ++i) put(i, j, entry(i, j));
        }
    };
    const auto run = [&](auto& product) {
        return measure(backend, n, tolerance, [&](Vector& q, const Vector& p) { product.multiply(q, p); });
    };
    {
        KruegerProduct krueger(backend, n, entry);
        row.krueger = run(krueger);
    }
    {
        ZoneMatrix textureA(backend, n, "textureA", ZoneOrder::published);
        textureA.upload(place, false);
        SinglePassProduct single(textureA);
        row.single = run(single);
    }
    ZoneMatrix A(backend, n, "A");
    A.upload(place, false);
    DenseProduct fast(A);
    row.fast = run(fast);
    return row;
}

void print(const std::vector<Row>& rows) {
    fmt::print(
        "| n | smallest eigenvalue | negative | first (p,Ap) <= 0 | iterations | true residual | Krueger | single pass "
        "| "
        "fast | Krueger / single | Krueger / fast | products: Krueger / single | Krueger / fast |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const Row& r : rows) {
        fmt::print(
            "| {} | {:.3g} | {} | {} | {} | {:.1e} | {:.2f} ms | {:.2f} ms | {:.2f} ms | {:.1f} | {:.1f} | {:.1f} | "
            "{:.1f} "
            "|\n",
            r.n, r.smallest, r.negative,
            r.single.run.first_indefinite == 0 ? "-" : std::to_string(r.single.run.first_indefinite),
            r.single.run.iterations, r.single.residual, 1e3 * r.krueger.seconds, 1e3 * r.single.seconds,
            1e3 * r.fast.seconds, r.krueger.seconds / r.single.seconds, r.krueger.seconds / r.fast.seconds,
            r.krueger.product / r.single.product, r.krueger.product / r.fast.product);
    }
}

nlohmann::json to_json(const Measured& m) {
    return {{"seconds", m.seconds},
            {"product_seconds", m.product},
            {"iterations", m.run.iterations},
            {"indefinite_iterations", m.run.indefinite},
            {"true_residual", m.residual}};
}

void write_json(const std::string& file, const DeviceInfo& device, const std::vector<Row>& rows) {
    nlohmann::json table = nlohmann::json::array();
    for (const Row& r : rows) {
        table.push_back({{"n", r.n},
                         {"smallest_eigenvalue", r.smallest},
                         {"negative_eigenvalues", r.negative},
                         {"krueger", to_json(r.krueger)},
                         {"single_pass", to_json(r.single)},
                         {"fast", to_json(r.fast)}});
    }
    std::ofstream stream(file);
    stream << nlohmann::json{{"renderer", device.renderer}, {"stage", name(device.stage)}, {"rows", table}}.dump(2)
           << '\n';
    if (!stream) throw Error(file + ": cannot be written");
}

void plot(const std::string& file, const DeviceInfo& device, const std::vector<Row>& rows) {
    std::string data = "$time << EOD\n";
    for (const Row& r : rows) {
        data += fmt::format("{} {:.6g} {:.6g} {:.6g}\n", r.n, 1e3 * r.krueger.seconds, 1e3 * r.single.seconds,
                            1e3 * r.fast.seconds);
    }
    cli::draw(file, 860, 560,
              data
                  + fmt::format(
                      "EOD\nset title {} noenhanced\nset xlabel 'n'\nset ylabel 'conjugate gradients, ms'\n"
                      "set logscale xy 2\nset logscale y 10\nset key left top\nset grid\n"
                      "plot $time using 1:2 with linespoints lw 2 pt 5 title 'Krueger and Westermann 2003, n passes',"
                      " $time using 1:3 with linespoints lw 2 pt 7 title 'Xia and Wei 2009, single pass',"
                      " $time using 1:4 with linespoints lw 2 pt 9 title 'glsolve, fast product'\n",
                      cli::gnuplot_string(fmt::format("{}, {} stage", device.renderer, name(device.stage)))));
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("Figure 5 of Xia and Wei (2009): conjugate gradients with three dense products");
    std::vector<Index> sizes{20, 21, 32, 64, 128, 256, 512, 768, 1024};
    double tolerance = 1e-5;
    std::string picture, json;
    Stage stage = Stage::automatic;
    app.add_option("--sizes", sizes, "orders n")->delimiter(',')->capture_default_str();
    app.add_option("--tolerance", tolerance, "of |r| / |b|, as the recurrence has it; at most n iterations")
        ->capture_default_str();
    bench::add_stage_option(app, stage);
    app.add_option("--plot", picture, "draws the curves: FILE.svg or FILE.png (needs gnuplot)");
    app.add_option("--json", json, "writes all figures");
    CLI11_PARSE(app, argc, argv);
    if (!picture.empty()) cli::require_gnuplot();

    Device device = Device::open({.backend = BackendKind::opengl, .stage = stage});
    fmt::print("{}, {}, {} stage; at most n iterations, until |r| <= {:g} |b| (recurrence)\n\n", device.info().renderer,
               device.info().version, name(device.info().stage), tolerance);
    std::vector<Row> rows;
    rows.reserve(sizes.size());
    for (const Index n : sizes) rows.push_back(measure(device.backend(), n, tolerance));
    print(rows);
    if (!json.empty()) write_json(json, device.info(), rows);
    if (!picture.empty()) plot(picture, device.info(), rows);
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_figure5: {}\n", error.what());
    return 2;
}
