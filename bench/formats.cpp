#include <fmt/format.h>

#include <glsolve/generate.hpp>
#include <memory>

#include "core/verbs.hpp"
#include "formats/choose_format.hpp"
#include "measure.hpp"
#include "suites.hpp"

namespace glsolve::bench {

namespace {

struct Product {
    Product(Backend& backend, const FormatRow& row, const FormatInput& in)
        : x(backend, in.A.rows, "x"), y(backend, in.A.rows, "y"), matrix(row.make(backend, in)) {
        const std::vector<double> known = known_answer(in.A.rows);
        x.upload(std::vector<float>(known.begin(), known.end()));
    }
    Vector x, y;
    std::unique_ptr<Operator> matrix;
};

}  // namespace

void add_formats(Device& device, const std::string& prefix, const Matrix& matrix,
                 const std::vector<int>& slice_heights) {
    Backend& backend = device.backend();
    const Index n = matrix.A.rows;
    const auto ones = std::make_shared<std::vector<double>>(static_cast<std::size_t>(n), 1.0);
    const auto rate = copy_rate(device, n);
    const int max_size = backend.info().max_texture_size;
    for (const FormatRow& row : format_table()) {
        const bool sliced = row.kind == FormatKind::sell || row.kind == FormatKind::runs;
        for (const int height : sliced ? slice_heights : std::vector<int>{4}) {
            const Slicing slicing{.height = height};
            const FormatPrediction prediction = row.predict({matrix.A, *ones, slicing, max_size});
            // What is hopeless would only take time.
            if (!prediction.possible() || prediction.memory > 300.0 * static_cast<double>(matrix.A.nonzeros()))
                continue;
            const std::string height_text = sliced ? fmt::format("/{}", height) : "";
            add({fmt::format("{}{}{} {}", prefix, row.name, height_text, matrix.name), prediction.memory + 8.0 * n,
                 [&backend, &row, &matrix, ones, slicing, max_size]() -> Work {
                     return [p = std::make_shared<Product>(backend, row,
                                                           FormatInput{matrix.A, *ones, slicing, max_size})] {
                         p->matrix->multiply(p->y, p->x);
                     };
                 }},
                Clock{&backend}, rate);
        }
    }
}

}  // namespace glsolve::bench
