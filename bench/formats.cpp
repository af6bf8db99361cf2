#include <fmt/format.h>

#include <array>
#include <glsolve/generate.hpp>
#include <memory>

#include "device/verbs.hpp"
#include "formats/choose_format.hpp"
#include "measure.hpp"
#include "suites.hpp"

namespace glsolve::bench {

namespace {

struct Product {
    Product(Backend& backend, const FormatRow& row, const FormatInput& in)
        : x(backend, in.A.rows, "x"),
          y(backend, in.A.rows, "y"),
          b(backend, in.A.rows, "b"),
          matrix(row.make(backend, in)) {
        const std::vector<double> known = known_answer(in.A.rows);
        x.upload(known);
        b.upload(known_answer(in.A.rows, 8));
    }
    TwoFloatVector x, y, b;
    std::unique_ptr<Operator> matrix;
};

/// What is measured of a format, and how many vectors it reads and writes beside the matrix.
struct Measured {
    std::string_view name;
    double vectors;
    void (*run)(Product&, PartialSums&);
};
const std::array<Measured, 3> products{{
    {"", 2, [](Product& p, PartialSums&) { p.matrix->multiply(p.y.hi, p.x.hi); }},
    {", residual", 3, [](Product& p, PartialSums&) { p.matrix->residual(p.y.hi, p.b.hi, p.x.hi); }},
    {", residual in two floats", 6,
     [](Product& p, PartialSums& sum) { p.matrix->residual_two_float(p.y.hi, p.y.lo, p.b, p.x, sum); }},
}};

}  // namespace

void add_formats(Device& device, const std::string& prefix, const Matrix& matrix,
                 const std::vector<int>& slice_heights) {
    Backend& backend = device.backend();
    const Index n = matrix.A.rows;
    const auto ones = std::make_shared<std::vector<double>>(static_cast<std::size_t>(n), 1.0);
    const auto rate = copy_rate(device, n);
    const int max_size = backend.info().max_texture_size;
    for (const FormatRow* format : format_table) {
        const FormatRow& row = *format;
        const bool sliced = row.kind == FormatKind::sell || row.kind == FormatKind::runs;
        for (const int height : sliced ? slice_heights : std::vector<int>{4}) {
            const Slicing slicing{.height = height};
            const FormatPrediction prediction = row.predict({matrix.A, *ones, slicing, max_size});
            // What is hopeless would only take time.
            if (!prediction.possible() || prediction.memory > 300.0 * static_cast<double>(matrix.A.nonzeros()))
                continue;
            const std::string height_text = sliced ? fmt::format("/{}", height) : "";
            for (const Measured& measured : products) {
                add({fmt::format("{}{}{} {}{}", prefix, row.name, height_text, matrix.name, measured.name),
                     prediction.memory + 4.0 * measured.vectors * n,
                     [&backend, &row, &matrix, ones, slicing, max_size, run = measured.run]() -> Work {
                         auto p =
                             std::make_shared<Product>(backend, row, FormatInput{matrix.A, *ones, slicing, max_size});
                         auto sum = std::make_shared<PartialSums>(backend, p->x.hi.layout().extent());
                         return [p, sum, run] { run(*p, *sum); };
                     }},
                    Clock{&backend}, rate);
            }
        }
    }
}

void add_host_residual(Device& device, const std::string& prefix, const Matrix& matrix, int threads) {
    Backend& backend = device.backend();
    const Index n = matrix.A.rows;
    add({fmt::format("{}{}, residual by way of the host, {} threads", prefix, matrix.name, threads), 0,
         [&backend, &matrix, n, threads]() -> Work {
             auto x = std::make_shared<Vector>(backend, n, "x");
             auto r = std::make_shared<Vector>(backend, n, "r");
             x->upload(std::vector<float>(static_cast<std::size_t>(n), 0.7f));
             return [x, r, residual = eigen_residual(matrix.A, threads),
                     numbers = std::vector<float>(static_cast<std::size_t>(n))]() mutable {
                 residual(x->download_texels(), numbers);
                 r->upload(numbers);
             };
         }},
        Clock{&backend});
}

}  // namespace glsolve::bench
