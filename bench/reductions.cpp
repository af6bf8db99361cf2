#include <memory>
#include <random>

#include "device/reductions.hpp"
#include "measure.hpp"
#include "suites.hpp"

namespace glsolve::bench {
namespace {

struct Reduced {
    Reduced(Backend& backend, Index n)
        : x(backend, n, "x"), y(backend, n, "y"), a(backend, "a"), b(backend, "b"), reductions(backend, n) {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<float> numbers(static_cast<std::size_t>(n));
        for (Vector* v : {&x, &y}) {
            for (float& number : numbers) number = uniform(random);
            v->upload(numbers);
        }
    }
    Vector x, y;
    Scalar a, b;
    Reductions reductions;
};

}  // namespace

void add_reductions(Device& device, const std::string& prefix, Index n) {
    Backend& backend = device.backend();
    const auto rate = copy_rate(device, n);
    const auto add_case = [&](const std::string& name, double vectors, void (*run)(Reduced&)) {
        add({prefix + "reduction: " + name, vectors * 4.0 * n,
             [&backend, n, run]() -> Work {
                 return [reduced = std::make_shared<Reduced>(backend, n), run] { run(*reduced); };
             }},
            Clock{&backend}, rate);
    };
    add_case("sum", 1, [](Reduced& r) { r.reductions.sum(r.a, r.x); });
    add_case("dot", 2, [](Reduced& r) { r.reductions.dot(r.a, r.x, r.y); });
    add_case("sum and norms 1, 2, infinity", 1, [](Reduced& r) { r.reductions.measures(r.a, r.x); });
    add_case("smallest and largest, with indices", 1, [](Reduced& r) { r.reductions.extremes(r.a, r.b, r.x); });
    add_case("compensated sum", 1, [](Reduced& r) { r.reductions.compensated_sum(r.a, r.x); });
    add_case("compensated dot", 2, [](Reduced& r) { r.reductions.compensated_dot(r.a, r.x, r.y); });
}

}  // namespace glsolve::bench
