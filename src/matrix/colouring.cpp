#include "matrix/colouring.hpp"

#include <algorithm>
#include <span>

namespace glsolve::inline v0_1 {

Colouring colour_rows(CsrView A) {
    const CsrMatrix transposed = transpose(A);
    Colouring made{.colour = std::vector<Index>(static_cast<std::size_t>(A.rows), -1)};
    std::vector<Index> taken_by;  // by row i: colour k is a neighbour's
    for (Index i = 0; i < A.rows; ++i) {
        for (const CsrView matrix : {A, CsrView(transposed)}) {
            for (const Index neighbour : matrix.row(i).columns()) {
                const Index colour = made.colour[static_cast<std::size_t>(neighbour)];
                if (neighbour != i && colour >= 0) taken_by[static_cast<std::size_t>(colour)] = i;
            }
        }
        const auto free = std::find_if(taken_by.begin(), taken_by.end(), [i](Index by) { return by != i; });
        made.colour[static_cast<std::size_t>(i)] = static_cast<Index>(free - taken_by.begin());
        if (free == taken_by.end()) taken_by.push_back(-1);
    }
    made.count = static_cast<Index>(taken_by.size());
    return made;
}

}  // namespace glsolve::inline v0_1
