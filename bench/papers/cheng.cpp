#include "hec_parts.hpp"
#include "papers.hpp"

namespace glsolve::bench {

Section cheng(Bench& bench) {
    Section section{.paper = "hec"};
    const std::vector<HecMatrix> matrices = hec_matrices(bench);
    section.blocks.emplace_back(
        Text{"bcsstk28, bcsstk29 and bcsstk33 are files of the SuiteSparse collection (`--matrices FOLDER`). Where one "
             "is not there an elastic body of about as many rows, and nonzeros a row, stands in its place, and is "
             "called so; a quick run has small ones: a body, and a graph with a few long rows."});
    add_memory(section, bench, matrices);
    add_solves(section, bench, matrices);
    add_products(section, bench, matrices);
    add_widths(section, bench, matrices);
    return section;
}

}  // namespace glsolve::bench
