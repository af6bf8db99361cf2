// Y. Liu, H. Yin and E. Wu (2011), part by part.
#include "papers.hpp"
#include "parts.hpp"

namespace glsolve::bench::gmres {}  // namespace glsolve::bench::gmres

namespace glsolve::bench {

Section liu_yin_wu(Bench& bench) {
    using namespace gmres;
    Section section{.paper = "gmres"};
    add_gmres_counts(section, bench);
    add_gmres_products(section, bench);
    add_gmres_restarts(section, bench);
    add_gmres_curves(section, bench);
    add_sums(section, bench);
    return section;
}

}  // namespace glsolve::bench
