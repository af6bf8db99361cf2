// Section 2.2: what sums in single precision are worth, and inner products by the decision tree.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "device/reductions.hpp"
#include "device_clock.hpp"
#include "paper_products.hpp"
#include "parts.hpp"
#include "random_numbers.hpp"

namespace glsolve::bench::gmres {
namespace {

constexpr int addends = 1'000'000;
constexpr float addend = 0.001f;
constexpr double printed_sum = 991.141541;

float one_after_the_other(const std::vector<float>& x) {
    volatile float sum = 0;  // each addition rounds: no compiler adds up in vectors here
    for (const float each : x) sum = sum + each;
    return sum;
}

float pairwise(std::span<const float> x) {
    if (x.size() == 1) return x[0];
    const std::size_t half = x.size() / 2;
    return pairwise(x.first(half)) + pairwise(x.subspan(half));
}

float kahan(const std::vector<float>& x) {
    volatile float sum = 0, lost = 0;
    for (const float each : x) {
        volatile const float wanted = each - lost;
        volatile const float next = sum + wanted;
        volatile const float added = next - sum;
        lost = added - wanted;
        sum = next;
    }
    return sum;
}

/// The library's sum on a device, in single precision and in two floats.
std::pair<double, double> device_sums(Backend& backend, const std::vector<float>& x) {
    const Session session(backend);
    Vector v(backend, static_cast<Offset>(x.size()), "x");
    v.upload(x);
    Reductions reductions(backend, static_cast<Offset>(x.size()));
    return {static_cast<double>(reductions.read_measures(v).sum), reductions.read_compensated_sum(v)};
}

void add_summation(Section& section, Bench& bench) {
    const std::vector<float> x(addends, addend);
    const double exact = static_cast<double>(addend) * addends;  // of the float that is nearest to 0.001
    Table table{{"how", "sum", "error"}};
    const auto add = [&](const std::string& how, double sum) {
        table.rows.push_back({how, fmt::format("{:.6f}", sum), fmt::format("{:.1e}", std::abs(sum - exact) / exact)});
    };
    const double in_order = static_cast<double>(one_after_the_other(x)), in_pairs = static_cast<double>(pairwise(x));
    add("the paper: one after the other, single precision", printed_sum);
    add("one after the other, single precision", in_order);
    add("in pairs, single precision", in_pairs);
    add("Kahan, single precision", static_cast<double>(kahan(x)));
    for (NamedDevice& on : bench.devices) {
        const auto [single, two_floats] = device_sums(on.device.backend(), x);
        add(fmt::format("glsolve on {}, single precision", on.name), single);
        add(fmt::format("glsolve on {}, two floats", on.name), two_floats);
        section.claims.push_back({.what = "sum of 1,000,000 times 0.001: error one after the other / in glsolve's tree",
                                  .where = on.name,
                                  .printed = 100,
                                  .found = std::abs(in_order - exact) / std::max(std::abs(single - exact), 1e-9),
                                  .timed = false});
    }
    section.add(Heading{"Rounding: 1,000,000 times 0.001"});
    section.add(Text{
        "Errors are relative to a million times the float that is nearest to 0.001. The paper adds in pairs and thinks "
        "Kahan's summation too slow. A tree of partial sums is as exact as pairs; in two floats it is exact to 48 "
        "bits, "
        "and reads memory just as often."});
    section.add(std::move(table));
    section.claims.push_back({.what = "sum of 1,000,000 times 0.001, one after the other: digits of 991.141541 agree",
                              .where = "single precision",
                              .printed = 1,
                              .found = std::abs(in_order - printed_sum) < 1e-3 ? 1.0 : 0.0,
                              .timed = false});
}

double exact_dot(const std::vector<float>& x, const std::vector<float>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return sum;
}

/// Seconds of an inner product that stays on the device.
double our_seconds(Backend& backend, const std::vector<float>& x, const std::vector<float>& y) {
    const Session session(backend);
    const auto n = static_cast<Offset>(x.size());
    Vector v(backend, n, "v"), w(backend, n, "w");
    v.upload(x);
    w.upload(y);
    Reductions reductions(backend, n);
    Scalar s(backend, "s");
    return seconds_of(DeviceClock{.backend = &backend}, [&] { reductions.dot(s, v, w); });
}

void add_inner_products(Section& section, Bench& bench) {
    const auto sizes = bench.pick<std::vector<int>>({1 << 10, 1 << 14, 1 << 17, 512 * 512, 1 << 20, 1 << 22, 1 << 24},
                                                    {1 << 10, 1 << 14, 512 * 512});
    Table table{{"n", "threads a block", "blocks", "numbers a block", "the paper's kernel and wait, us", "its error"}};
    for (const NamedDevice& on : bench.devices) table.head.push_back(fmt::format("glsolve, {}, us", on.name));
    for (const int n : sizes) {
        const InnerProductPlan plan = plan_inner_product(n);
        const std::vector<float> x = random_numbers(static_cast<std::size_t>(n));
        std::vector<float> y = x;
        std::ranges::reverse(y);
        std::vector<std::string> row{std::to_string(n), std::to_string(plan.threads), std::to_string(plan.blocks),
                                     std::to_string(plan.piece)};
        if (const auto paper = paper_inner_product(x, y)) {
            double size = 0;
            for (const float each : x) size += static_cast<double>(each) * static_cast<double>(each);
            row.push_back(digits(1e6 * paper->seconds));
            row.push_back(fmt::format("{:.1e}", std::abs(paper->value - exact_dot(x, y)) / size));
        } else {
            row.insert(row.end(), {"-", "-"});
        }
        for (NamedDevice& on : bench.devices) row.push_back(digits(1e6 * our_seconds(on.device.backend(), x, y)));
        table.rows.push_back(std::move(row));
    }
    section.add(Heading{"Figure 1: inner products by the decision tree"});
    section.add(Text{fmt::format(
        "Blocks of 128, 256 and 512 threads, at most 512 of them; from 512 * 512 numbers on each block has more. The "
        "device leaves a number for each block in memory that the host sees, and the host waits and adds them up.{} "
        "glsolve adds them up on the device; nothing waits. An error is relative to |v| |w|.",
        paper_device() == nullptr ? " The paper's kernel needs CUDA, which is not here." : "")});
    section.add(std::move(table));
}

}  // namespace

void add_sums(Section& section, Bench& bench) {
    progress("gmres: sums and inner products");
    add_summation(section, bench);
    add_inner_products(section, bench);
}

}  // namespace glsolve::bench::gmres
