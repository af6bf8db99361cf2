#include <glsolve/generate.hpp>
#include <memory>

#include "core/verbs.hpp"
#include "formats/choose_format.hpp"
#include "measure.hpp"
#include "suites.hpp"

namespace glsolve::bench {

void add_formats(Device& device, const std::string& prefix, const Matrix& matrix) {
    Backend& backend = device.backend();
    const Index n = matrix.A.rows;
    const std::vector<double> scale(static_cast<std::size_t>(n), 1.0);
    const FormatInput in{matrix.A, scale, {}, backend.info().max_texture_size};
    const double rate = copy_rate(device, n);
    struct Product {
        Product(Backend& backend, Index n) : x(backend, n, "x"), y(backend, n, "y") {
            const std::vector<double> known = known_answer(n);
            x.upload(std::vector<float>(known.begin(), known.end()));
        }
        Vector x, y;
        std::unique_ptr<Operator> matrix;
    };
    for (const FormatRow& row : format_table()) {
        const FormatPrediction prediction = row.predict(in);
        if (!prediction.possible() || prediction.memory > 40 * 8.0 * static_cast<double>(matrix.A.nonzeros())) continue;
        const auto product = std::make_shared<Product>(backend, n);
        product->matrix = row.make(backend, in);
        add({prefix + std::string(row.name) + " " + matrix.name, prediction.memory + 8.0 * n,
             [product] { product->matrix->multiply(product->y, product->x); }},
            Clock{&backend}, rate);
    }
}

}  // namespace glsolve::bench
