#include "papers.hpp"
#include "parts.hpp"

namespace glsolve::bench {

Section cheng(Bench& bench) {
    Section section{.paper = "hec"};
    const std::vector<hec::PaperMatrix> matrices = hec::matrices_of(bench);
    section.blocks.emplace_back(
        Text{"bcsstk28, bcsstk29 and bcsstk33 are files of the SuiteSparse collection (`--matrices FOLDER`). Where one "
             "is not there an elastic body of about as many rows, and nonzeros a row, stands in its place, and is "
             "called so; a quick run has small ones: a body, and a graph with a few long rows."});
    hec::add_memory(section, bench, matrices);
    hec::add_solves(section, bench, matrices);
    hec::add_products(section, bench, matrices);
    hec::add_widths(section, bench, matrices);
    return section;
}

}  // namespace glsolve::bench
