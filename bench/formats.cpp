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

void add_formats(Device& device, const std::string& prefix, const Matrix& matrix) {
    Backend& backend = device.backend();
    const Index n = matrix.A.rows;
    const auto ones = std::make_shared<std::vector<double>>(static_cast<std::size_t>(n), 1.0);
    const auto rate = copy_rate(device, n);
    for (const FormatRow& row : format_table()) {
        const FormatInput in{matrix.A, *ones, {}, backend.info().max_texture_size};
        const FormatPrediction prediction = row.predict(in);
        if (!prediction.possible() || prediction.memory > 40 * 8.0 * static_cast<double>(matrix.A.nonzeros())) continue;
        add({prefix + std::string(row.name) + " " + matrix.name, prediction.memory + 8.0 * n,
             [&backend, &row, &matrix, ones]() -> Work {
                 const FormatInput input{matrix.A, *ones, {}, backend.info().max_texture_size};
                 return [p = std::make_shared<Product>(backend, row, input)] { p->matrix->multiply(p->y, p->x); };
             }},
            Clock{&backend}, rate);
    }
}

}  // namespace glsolve::bench
