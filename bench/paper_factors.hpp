/// Figures 6 and 7 of Cheng (2018): BiCGStab with ILU(0) and products in several formats.
#pragma once

#include <filesystem>

#include "cusparse_solver.hpp"
#include "our_factors.hpp"

namespace glsolve::bench {

/// bcsstk28, bcsstk29 and bcsstk33 from `folder`, as .mtx or .mtx.gz; `vendor` may be null. Of `base` what the paper
/// leaves open is used: precision, and how factors are applied.
void print_paper(const std::filesystem::path& folder, std::vector<NamedDevice>& devices, const VendorSolvers* vendor,
                 const Aim& aim, const Options& base, bool remarks);

}  // namespace glsolve::bench
