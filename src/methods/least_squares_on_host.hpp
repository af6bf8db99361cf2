/// The small least-squares problem of GMRES, on the host, as Liu, Yin and Wu (2011) have it.
#pragma once

#include <functional>
#include <vector>

namespace glsolve::inline v0_1 {

struct HessenbergAnswer {
    std::vector<double> y;          ///< what makes | beta e_1 - H y | smallest
    std::vector<double> residuals;  ///< that norm with the first 1, 2, ... columns
};

/// H has `columns` columns and one row more; h(i, j) is asked for i <= j + 1. By Givens' rotations, column by column
/// (Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 6.5.3): about 4 columns^2 operations. A
/// column without a pivot is left out.
HessenbergAnswer solve_hessenberg(int columns, double beta, const std::function<double(int, int)>& h);

}  // namespace glsolve::inline v0_1
