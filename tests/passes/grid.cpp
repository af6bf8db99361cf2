// Grids without a matrix: what their operator is made of, and its products.
#include "support/grids.hpp"

namespace tests_of_grid {

using namespace glsolve;
using namespace glsolve::test;

TEST_CASE("a grid's operator is that of its faces", "[passes][grid][grid_couplings]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant);
        const GridTruth truth(*make(backend, example));
        CHECK(difference(truth.matrix(), example.matrix()) < 4e-7);
    }
}

TEST_CASE("products with a grid's operator match double precision",
          "[passes][grid][grid_diagonal][grid_multiply][grid_multiply_dot][grid_residual][grid_multiply_two_float]"
          "[grid_residual_two_float][grid_relax][grid_relax_twice][grid_chebyshev][grid_chebyshev_norms]"
          "[grid_multiply_dots][grid_field]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant);
        const auto grid = make(backend, example);
        const GridTruth truth(*grid);
        const CsrMatrix A = truth.matrix();
        check_products(backend, grid->matrix(), A, grid->reciprocal_diagonal().diagonal(),
                       {numbers_in(truth, 1), numbers_in(truth, 2), numbers_in(truth, 3)});
    }
}

}  // namespace tests_of_grid
