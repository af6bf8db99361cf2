// The names of what can be chosen beside methods, preconditioners and formats (each has a table), and of what comes
// out.
#include "options/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/options.hpp>
#include <glsolve/report.hpp>
#include <iterator>

namespace glsolve::inline v0_1 {
namespace {

template <class Choice>
struct Named {
    Choice choice;
    std::string_view name;
};

template <class Choice, std::size_t count>
std::string_view name_of(const Named<Choice> (&table)[count], Choice choice) {
    const auto found = std::ranges::find(table, choice, &Named<Choice>::choice);
    return found == std::end(table) ? "" : found->name;
}

template <class Choice, std::size_t count>
std::vector<Choice> all_of(const Named<Choice> (&table)[count]) {
    std::vector<Choice> all;
    for (const Named<Choice>& row : table) all.push_back(row.choice);
    return all;
}

constexpr Named<Precision> precisions[] = {{Precision::automatic, "auto"},
                                           {Precision::half, "half"},
                                           {Precision::single, "single"},
                                           {Precision::two_float, "two-float"},
                                           {Precision::doubles, "double"}};
constexpr Named<Orthogonalisation> orthogonalisations[] = {{Orthogonalisation::classical_twice, "cgs2"},
                                                           {Orthogonalisation::modified, "mgs"}};
constexpr Named<LeastSquares> places_of_least_squares[] = {{LeastSquares::device, "device"},
                                                           {LeastSquares::host, "host"}};
constexpr Named<DirectForm> direct_forms[] = {
    {DirectForm::automatic, "auto"}, {DirectForm::inverse, "inverse"}, {DirectForm::factors, "factors"}};
constexpr Named<ChebyshevForm> chebyshev_forms[] = {
    {ChebyshevForm::fused, "fused"}, {ChebyshevForm::published, "published"}, {ChebyshevForm::chaotic, "chaotic"}};
constexpr Named<Coarsening> coarsenings[] = {{Coarsening::smoothed_aggregation, "smoothed-aggregation"},
                                             {Coarsening::aggregation, "aggregation"},
                                             {Coarsening::ruge_stueben, "ruge-stueben"},
                                             {Coarsening::pmis, "pmis"},
                                             {Coarsening::falgout, "falgout"}};
constexpr Named<Interpolation> interpolations[] = {
    {Interpolation::automatic, "auto"}, {Interpolation::direct, "direct"}, {Interpolation::extended, "extended"}};
constexpr Named<MultigridCycle> multigrid_cycles[] = {
    {MultigridCycle::v, "v"}, {MultigridCycle::w, "w"}, {MultigridCycle::k, "k"}};
constexpr Named<MultigridSetup> multigrid_setups[] = {
    {MultigridSetup::automatic, "auto"}, {MultigridSetup::device, "device"}, {MultigridSetup::host, "host"}};
constexpr Named<MultigridSmoother> multigrid_smoothers[] = {
    {MultigridSmoother::automatic, "auto"},      {MultigridSmoother::chebyshev, "chebyshev"},
    {MultigridSmoother::jacobi, "jacobi"},       {MultigridSmoother::l1_jacobi, "l1-jacobi"},
    {MultigridSmoother::cf_jacobi, "cf-jacobi"}, {MultigridSmoother::gauss_seidel, "gauss-seidel"},
    {MultigridSmoother::ilu0, "ilu0"},           {MultigridSmoother::fsai, "fsai"}};
constexpr Named<Outcome> outcomes[] = {{Outcome::converged, "converged"},
                                       {Outcome::met_on_device, "met_on_device"},
                                       {Outcome::max_iterations, "max_iterations"},
                                       {Outcome::time_limit, "time_limit"},
                                       {Outcome::stagnated, "stagnated"},
                                       {Outcome::diverged, "diverged"},
                                       {Outcome::breakdown, "breakdown"},
                                       {Outcome::not_finite, "not_finite"},
                                       {Outcome::precision_limit, "precision_limit"},
                                       {Outcome::inconsistent, "inconsistent"},
                                       {Outcome::cancelled, "cancelled"}};

constexpr Named<Reordering> reorderings[] = {{Reordering::none, "none"},
                                             {Reordering::rcm, "rcm"},
                                             {Reordering::degree, "degree"},
                                             {Reordering::minimum_degree, "amd"},
                                             {Reordering::automatic, "auto"}};

constexpr Named<FactorApplication> factor_applications[] = {{FactorApplication::automatic, "auto"},
                                                            {FactorApplication::levels, "levels"},
                                                            {FactorApplication::sweeps, "sweeps"},
                                                            {FactorApplication::isai, "isai"},
                                                            {FactorApplication::host, "host"}};
constexpr Named<FactorOrder> factor_orders[] = {{FactorOrder::automatic, "auto"},
                                                {FactorOrder::none, "none"},
                                                {FactorOrder::rcm, "rcm"},
                                                {FactorOrder::minimum_degree, "amd"},
                                                {FactorOrder::colours, "colours"}};

constexpr Named<StatePolicy> state_policies[] = {{StatePolicy::restore, "restore"},
                                                 {StatePolicy::host_resets, "host-resets"}};

constexpr Named<EllWidth> ell_widths[] = {
    {EllWidth::cheapest, "cheapest"}, {EllWidth::paper, "paper"}, {EllWidth::measure, "measure"}};

}  // namespace

std::string_view name(Precision precision) { return name_of(precisions, precision); }
std::string_view name(Orthogonalisation orthogonalisation) { return name_of(orthogonalisations, orthogonalisation); }
std::string_view name(LeastSquares where) { return name_of(places_of_least_squares, where); }
std::string_view name(DirectForm form) { return name_of(direct_forms, form); }
std::string_view name(ChebyshevForm form) { return name_of(chebyshev_forms, form); }
std::string_view name(Coarsening coarsening) { return name_of(coarsenings, coarsening); }
std::string_view name(Interpolation interpolation) { return name_of(interpolations, interpolation); }
std::string_view name(MultigridCycle cycle) { return name_of(multigrid_cycles, cycle); }
std::string_view name(MultigridSetup setup) { return name_of(multigrid_setups, setup); }
std::string_view name(MultigridSmoother smoother) { return name_of(multigrid_smoothers, smoother); }
std::string_view name(Outcome outcome) { return name_of(outcomes, outcome); }

std::string_view name(Reordering reordering) { return name_of(reorderings, reordering); }

std::string_view name(StatePolicy policy) { return name_of(state_policies, policy); }
std::string_view name(EllWidth width) { return name_of(ell_widths, width); }
std::string_view name(FactorApplication apply) { return name_of(factor_applications, apply); }
std::string_view name(FactorOrder order) { return name_of(factor_orders, order); }

template <>
std::vector<Method> values_of() {
    return all_methods();
}
template <>
std::vector<PreconditionerKind> values_of() {
    return all_preconditioners();
}
template <>
std::vector<FormatKind> values_of() {
    return all_formats();
}
template <>
std::vector<BackendKind> values_of() {
    return {BackendKind::automatic, BackendKind::opengl, BackendKind::cuda, BackendKind::host};
}
template <>
std::vector<StatePolicy> values_of() {
    return all_of(state_policies);
}
template <>
std::vector<Outcome> values_of() {
    return all_of(outcomes);
}
template <>
std::vector<Stage> values_of() {
    return {Stage::automatic, Stage::fragment, Stage::compute};
}
template <>
std::vector<Precision> values_of() {
    return all_of(precisions);
}
template <>
std::vector<Reordering> values_of() {
    return all_of(reorderings);
}
template <>
std::vector<EllWidth> values_of() {
    return all_of(ell_widths);
}
template <>
std::vector<FactorApplication> values_of() {
    return all_of(factor_applications);
}
template <>
std::vector<FactorOrder> values_of() {
    return all_of(factor_orders);
}
template <>
std::vector<Orthogonalisation> values_of() {
    return all_of(orthogonalisations);
}
template <>
std::vector<LeastSquares> values_of() {
    return all_of(places_of_least_squares);
}
template <>
std::vector<DirectForm> values_of() {
    return all_of(direct_forms);
}
template <>
std::vector<ChebyshevForm> values_of() {
    return all_of(chebyshev_forms);
}
template <>
std::vector<Coarsening> values_of() {
    return all_of(coarsenings);
}
template <>
std::vector<Interpolation> values_of() {
    return all_of(interpolations);
}
template <>
std::vector<MultigridCycle> values_of() {
    return all_of(multigrid_cycles);
}
template <>
std::vector<MultigridSetup> values_of() {
    return all_of(multigrid_setups);
}
template <>
std::vector<MultigridSmoother> values_of() {
    return all_of(multigrid_smoothers);
}

std::vector<EllWidth> all_ell_widths() { return all_of(ell_widths); }
std::vector<FactorApplication> all_factor_applications() { return all_of(factor_applications); }
std::vector<FactorOrder> all_factor_orders() { return all_of(factor_orders); }
std::vector<Reordering> all_reorderings() { return all_of(reorderings); }
std::vector<Coarsening> all_coarsenings() { return all_of(coarsenings); }
std::vector<Interpolation> all_interpolations() { return all_of(interpolations); }
std::vector<MultigridCycle> all_multigrid_cycles() { return all_of(multigrid_cycles); }
std::vector<MultigridSetup> all_multigrid_setups() { return all_of(multigrid_setups); }
std::vector<MultigridSmoother> all_multigrid_smoothers() { return all_of(multigrid_smoothers); }

std::string in_words(Method method, PreconditionerKind preconditioner) {
    if (preconditioner == PreconditionerKind::none) return std::string(name(method));
    return fmt::format("{} with {}", name(method), name(preconditioner));
}

}  // namespace glsolve::inline v0_1
