// Table 1: how often GMRES(m) does what between two restarts, by the paper's formulas and counted.
#include <fmt/format.h>

#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "parts.hpp"

namespace glsolve::bench::gmres {
namespace {

/// Passes of one restart, by kind.
struct Counted {
    std::uint64_t products = 0, inner_products = 0, norms = 0, combinations = 0, subtractions = 0, others = 0;
};

/// Which kind a pass is, by its name.
std::uint64_t Counted::*kind_of(const std::string& pass) {
    if (pass.ends_with("_multiply")) return &Counted::products;
    if (pass == "basis_dot" || pass == "basis_dot_pair") return &Counted::inner_products;
    if (pass == "normalise") return &Counted::norms;
    if (pass == "basis_combine") return &Counted::combinations;
    if (pass == "basis_subtract" || pass == "basis_subtract_norm" || pass == "arnoldi_update")
        return &Counted::subtractions;
    return &Counted::others;
}

Counted count(Device& device, int m, Orthogonalisation process) {
    const CsrMatrix A = poisson2d(24);
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device, A,
                  {.method = Method::gmres,
                   .preconditioner = PreconditionerKind::none,
                   .format = FormatKind::ell,
                   .gmres = {.restart = m, .orthogonalisation = process},
                   .fixed_iterations = m,
                   .zero_guess = true,
                   .profile = true});
    Counted counted;
    for (const PassReport& pass : solver.solve(b, x).profile) counted.*kind_of(pass.name) += pass.calls;
    return counted;
}

std::string text(std::uint64_t number) { return std::to_string(number); }

}  // namespace

void add_gmres_counts(Section& section, Bench& bench) {
    Table table{{"m", "what", "the paper's formula", "the paper", "modified Gram-Schmidt, counted",
                 "classical, twice (the default), counted"}};
    bool all_agree = true;
    for (NamedDevice& on : bench.devices) {
        const bool first = &on == &bench.devices.front();
        bool agree = true;
        for (const int m : {8, 16, 32}) {
            const Counted one_by_one = count(on.device, m, Orthogonalisation::modified),
                          at_once = count(on.device, m, Orthogonalisation::classical_twice);
            const auto products = static_cast<std::uint64_t>(m + 1);
            const auto inner = static_cast<std::uint64_t>(m * (m + 3) / 2 + 1);
            const std::uint64_t norms = one_by_one.norms + 1;  // and |r| at the restart
            agree = agree && one_by_one.products + 1 == products && one_by_one.inner_products + norms == inner;
            if (!first) continue;
            table.rows.push_back({text(static_cast<std::uint64_t>(m)), "products with A", "m + 1", text(products),
                                  fmt::format("{} + 1 residual", one_by_one.products),
                                  fmt::format("{} + 1 residual", at_once.products)});
            table.rows.push_back(
                {"", "inner products and norms", "m (m + 3) / 2 + 1", text(inner),
                 fmt::format("{} + {}", one_by_one.inner_products, norms),
                 fmt::format("{} passes, each up to {} inner products", at_once.inner_products, 2 * m + 1)});
            table.rows.push_back(
                {"", "dense matrix times vector", "1", "1", text(one_by_one.combinations), text(at_once.combinations)});
            table.rows.push_back({"", "vectors added and scaled", "6", "6",
                                  fmt::format("{} in step 6", one_by_one.subtractions),
                                  fmt::format("{} in step 6", at_once.subtractions)});
            table.rows.push_back({"", "least squares", "1", "1, on the host", "1, on the device", "1, on the device"});
            table.rows.push_back({"", "other passes (all but one on a few numbers)", "", "", text(one_by_one.others),
                                  text(at_once.others)});
        }
        all_agree = all_agree && agree;
        section.claims.push_back({.what = "table 1: counted as the formulas say, m = 8, 16, 32",
                                  .where = on.name,
                                  .printed = 1,
                                  .found = agree ? 1.0 : 0.0,
                                  .timed = false});
    }
    section.add(Heading{"Table 1: operations between two restarts"});
    section.add(Text{fmt::format(
        "Passes of one restart, counted on {} while it ran; {}. The residual is made where corrections are (in double "
        "precision on the host, or in two floats on the device). The paper leaves out the m (m + 1) / 2 subtractions "
        "of its step 6. With the classical process, done twice, one pass makes all inner products of a step: the "
        "vectors are read twice instead of m + 1 times one after the other.",
        bench.devices.front().name,
        all_agree ? "all devices agree with the formulas"
                  : "not all devices agree with the formulas: see the checks")});
    section.add(std::move(table));
}

}  // namespace glsolve::bench::gmres
