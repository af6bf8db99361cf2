#include "methods/method_table.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {

// Conjugate gradients (cg.cpp) on the system S A^T A S y = S A^T b.
constinit const MethodRow cgnr_method{
    Method::cgnr,
    "cgnr",
    nullptr,
    {.any_shape = true,
     .reads = true,
     .refuses_M = "cgnr scales the columns: it takes preconditioner none or jacobi, not {}"}};
// Becomes one of the others (method_policy.cpp).
constinit const MethodRow automatic_method{Method::automatic, "auto", nullptr, {.varying_M = true, .any_shape = true}};

const MethodRow& method_row(Method kind) { return **std::ranges::find(method_table, kind, &MethodRow::kind); }

std::vector<std::string> methods_that(bool (*fits)(const MethodTraits& is)) {
    std::vector<std::string> names;
    for (const MethodRow* row : method_table) {
        if (row->kind != Method::automatic && fits(row->is)) names.emplace_back(row->name);
    }
    return names;
}

std::string_view name(Method method) { return method_row(method).name; }

bool is_stationary(Method method) { return method_row(method).is.stationary; }
bool takes_preconditioner(Method method) { return method_row(method).is.takes_M; }

std::vector<Method> all_methods() {
    std::vector<Method> all;
    for (const MethodRow* row : method_table) all.push_back(row->kind);
    return all;
}

}  // namespace glsolve::inline v0_1
