// The tables and figures of S. N. Chadov, Chebyshev iteration on the GPU, anew.
#include <fmt/format.h>

#include "figures.hpp"
#include "papers.hpp"
#include "tables.hpp"

namespace glsolve::bench::chebyshev {
namespace {

std::string about_systems(const Grid& small, const Grid& large) {
    return fmt::format(
        "The paper's matrices are problems of computer graphics that we do not have. 5-point grids of as many rows "
        "stand "
        "in their place ({} and {} rows here), with the exact bounds of D^-1 A, 1 -+ cos(pi / (n + 1)): at the paper's "
        "sizes the naive form then takes 752 and 2241 iterations, where the paper has 869 and 2747. b = A w with "
        "random "
        "w. The paper does not print its tolerance; here it is {:.0e} of |b|. 1e-6 is out of reach of the naive form "
        "on "
        "the larger grid: it stays above 1.6e-6, since in single precision |b - A x| cannot fall much below the "
        "rounding "
        "of |A| |x|. (For a smooth b, such as all ones, |x| is so large that not even 1e-2 is reached.) glsolve's own "
        "forms correct x by residuals in double precision; the last table of methods goes to 1e-9. All forms on a "
        "device "
        "use the same format of the matrix.",
        small.system.A.rows, large.system.A.rows, chadov_tolerance);
}

}  // namespace

}  // namespace glsolve::bench::chebyshev

namespace glsolve::bench {

Section chadov(Bench& bench) {
    using namespace chebyshev;
    Section section{.paper = "chebyshev"};
    const Setting& setting = bench.setting;
    const Grid small(bench.pick(198, 48), printed_tables[0], setting),
        large(bench.pick(592, 64), printed_tables[1], setting);
    section.blocks.push_back(Text{about_systems(small, large)});
    for (NamedDevice& device : bench.devices) {
        progress(fmt::format("chebyshev: {}", device.name));
        const bool samples = device.device.backend().can().on_processor && !setting.quick;
        const DeviceRuns with_small = run_forms(device, small, setting.rounds);
        const DeviceRuns with_large = samples ? run_sample(device, large) : run_forms(device, large, setting.rounds);
        add_table(section, device, small, with_small, setting.threads);
        add_table(section, device, large, with_large, setting.threads);
        add_claims(section, device, small, with_small);
        add_claims(section, device, large, with_large);
        add_combination(section, device, small, samples ? 1 : setting.rounds);
        add_bounds(section, device, small.system);
        add_time_lines(section, device, small.system, with_small);
        add_pass_shares(section, device, samples ? small.system : large.system);
    }
    return section;
}

}  // namespace glsolve::bench
