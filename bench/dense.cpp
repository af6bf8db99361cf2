#include <fmt/format.h>

#include <memory>
#include <random>

#include "dense/product.hpp"
#include "device/verbs.hpp"
#include "measure.hpp"
#include "papers/methods/published.hpp"
#include "suites.hpp"

namespace glsolve::bench {
namespace {

/// A matrix of some numbers, and vectors.
struct Dense {
    Dense(Backend& backend, Index n, ZoneOrder order)
        : A(backend, n, "A", order), x(backend, n, "x"), y(backend, n, "y"), X(backend, n, "X"), Y(backend, n, "Y") {
        A.upload(
            [&](const ZoneMatrix::Entry& entry) {
                for (Index j = 0; j < n; ++j) {
                    for (Index i = 0; i < n; ++i) entry(i, j, at(i, j));
                }
            },
            false);
        std::vector<float> numbers(static_cast<std::size_t>(n), 0.7f);
        x.upload(numbers);
        numbers.resize(4 * numbers.size(), 0.6f);
        X.upload(numbers);
    }
    static double at(Index i, Index j) { return static_cast<double>((i * 31 + j * 17) % 1013) / 1013 + 0.1; }

    ZoneMatrix A;
    Vector x, y;
    MultiVector X, Y;
};

}  // namespace

void add_dense(Device& device, const std::string& prefix, Index n, const std::vector<int>& columns) {
    Backend& backend = device.backend();
    const double matrix = 4.0 * n * n;
    const auto rate = copy_rate(device, n * std::min<Index>(n, 4096));
    /// `make` makes what runs from a Dense.
    const auto add_case = [&](const std::string& name, double matrices, const auto& make,
                              ZoneOrder order = ZoneOrder::strips) {
        add({fmt::format("{}dense {} {}", prefix, n, name), matrices * matrix + 8.0 * n,
             [&backend, n, make, order]() -> Work {
                 auto dense = std::make_shared<Dense>(backend, n, order);
                 auto product = make(*dense);
                 return [dense, product] { product->run(*dense); };
             }},
            Clock{&backend}, rate);
    };
    struct Fast {
        DenseProduct product;
        void run(Dense& d) { product.multiply(d.y, d.x); }
    };
    struct Transposed {
        DenseProduct product;
        void run(Dense& d) { product.multiply_transposed(d.y, d.x); }
    };
    struct Four {
        DenseProduct product;
        void run(Dense& d) { product.multiply_four(d.Y, d.X); }
    };
    struct RankOne {
        static void run(Dense& d) { rank_one_update(d.A, scalar_arg(1e-6f), d.x, d.x); }
    };
    struct Published {
        SinglePassProduct product;
        void run(Dense& d) { product.multiply(d.y, d.x); }
    };
    struct Krueger {
        KruegerProduct product;
        void run(Dense& d) { product.multiply(d.y, d.x); }
    };
    for (const int c : columns) {
        const std::string name = c == 0 ? "fast product" : fmt::format("fast product, {} columns a part", c);
        add_case(name, 1, [c](Dense& d) { return std::make_shared<Fast>(Fast{DenseProduct(d.A, c)}); });
    }
    add_case("transposed", 1, [](Dense& d) { return std::make_shared<Transposed>(Transposed{DenseProduct(d.A)}); });
    add_case("four right-hand sides", 1, [](Dense& d) { return std::make_shared<Four>(Four{DenseProduct(d.A)}); });
    add_case("rank-1 update", 2, [](Dense&) { return std::make_shared<RankOne>(); });
    add_case(
        "single pass, as published", 1,
        [](Dense& d) { return std::make_shared<Published>(Published{SinglePassProduct(d.A)}); }, ZoneOrder::published);
    if (n <= 2048) {
        add_case("Krueger", 1, [&backend](Dense& d) {
            return std::make_shared<Krueger>(Krueger{KruegerProduct(backend, d.A.size(), Dense::at)});
        });
    }
}

}  // namespace glsolve::bench
