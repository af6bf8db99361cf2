/// The parts of the fifth paper's section: K. Cheng, a hybrid storage format (HEC) of sparse matrices, 2018.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "bench.hpp"
#include "solve_rows.hpp"

namespace glsolve::bench::hec {

/// "HEC is the fastest of four, by up to 10.4 %".
inline constexpr double paper_gain = 1.104;
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A matrix of the paper's, or what stands in its place.
struct PaperMatrix {
    std::string paper_name;  ///< "bcsstk29"; empty: none of the paper's
    TestSystem system;       ///< system.name: what is measured, "bcsstk29" or "stand-in for bcsstk29"
    std::string origin;      ///< where its places and its values come from
};

/// bcsstk28, bcsstk29 and bcsstk33: from files, or generated where there are none. Quick: a small stand-in for
/// bcsstk29, and a graph whose rows differ so much that HEC is not ELL.
std::vector<PaperMatrix> matrices_of(const Bench& bench);

// Each adds its blocks and claims.
/// Figures 6 and 7: whole solves, beside the vendor's.
void add_solves(Section& section, Bench& bench, const std::vector<PaperMatrix>& matrices);
/// Bytes of five formats, by section 1's formulas and as stored here; the example of section 1.4.
void add_memory(Section& section, Bench& bench, const std::vector<PaperMatrix>& matrices);
/// K by each rule, and what a product takes over K.
void add_widths(Section& section, Bench& bench, const std::vector<PaperMatrix>& matrices);
/// Products alone, beside the vendor's.
void add_products(Section& section, Bench& bench, const std::vector<PaperMatrix>& matrices);

}  // namespace glsolve::bench::hec
