/// The parts of what is measured for Liu, Yin and Wu (2011): each adds its blocks and claims to the section.
#pragma once

#include <array>

#include "bench.hpp"

namespace glsolve::bench::gmres {

/// Steps until GMRES begins anew, m, in tables 3 and 4.
inline constexpr std::array restart_lengths{8, 16, 32};

void add_gmres_counts(Section& section, Bench& bench);    ///< table 1
void add_gmres_products(Section& section, Bench& bench);  ///< table 2
void add_gmres_restarts(Section& section, Bench& bench);  ///< table 3
void add_gmres_curves(Section& section, Bench& bench);    ///< table 4
void add_sums(Section& section, Bench& bench);            ///< section 2.2: rounding of sums, inner products

}  // namespace glsolve::bench::gmres
