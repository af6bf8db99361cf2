// M is what A has in square blocks along the diagonal, of 2 to 4 rows each: the unknowns of one point of a mesh, say.
// The blocks are inverted in double precision on the host; applying them is a product in block CSR.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <glsolve/error.hpp>
#include <vector>

#include "device/operator.hpp"
#include "formats/choose_format.hpp"
#include "matrix/empty_lines.hpp"
#include "matrix/moves_rows.hpp"
#include "options/option_rows.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The block of S A S whose first row is `first`; the identity where a block has fewer rows than 4, and for empty rows.
glm::dmat4 block_of(CsrView A, std::span<const double> scale, Index first, Index rows) {
    glm::dmat4 block(1);
    for (Index i = 0; i < rows; ++i) {
        const auto row = static_cast<std::size_t>(first + i);
        if (is_empty_row(A, first + i)) continue;
        block[i][i] = 0;
        for (const auto [column, a] : A.row(row)) {
            const Index j = column - first;
            if (j < 0 || j >= rows) continue;
            block[j][i] = scale[row] * a * scale[static_cast<std::size_t>(first + j)];
        }
    }
    return block;
}

CsrMatrix inverse_of_blocks(CsrView A, std::span<const double> scale, Index rows_of_block) {
    CsrMatrix M;
    M.rows = M.columns = A.rows;
    for (Index first = 0; first < A.rows; first += rows_of_block) {
        const Index rows = std::min(rows_of_block, A.rows - first);
        const glm::dmat4 inverse = glm::inverse(block_of(A, scale, first, rows));
        for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < rows; ++j) {
                if (!std::isfinite(inverse[j][i])) {
                    throw InvalidInput(
                        fmt::format("preconditioner block-jacobi: the block of rows {} to {} is "
                                    "singular; preconditioner none needs none",
                                    first + 1, first + rows));
                }
                M.column.push_back(first + j);
                M.value.push_back(inverse[j][i]);
            }
            M.offsets.push_back(static_cast<Offset>(M.column.size()));
        }
    }
    return M;
}

class BlockJacobi final : public Preconditioner {
  public:
    /// For S A S, with the scaling factors `scale`. Throws InvalidInput that names the rows of a singular block.
    BlockJacobi(Backend& backend, CsrView A, std::span<const double> scale, int rows_of_block) {
        const CsrMatrix M = inverse_of_blocks(A, scale, rows_of_block);
        const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
        const FormatInput in{.A = M,
                             .scale = ones,
                             .max_texture_size = backend.info().max_texture_size,
                             .low_parts = false,
                             .block = {rows_of_block, rows_of_block}};
        inverse_ = make_format(backend, in, FormatKind::bcsr).matrix;
    }

    void apply(Vector& z, const Vector& r) override { inverse_->multiply(z, r); }

  private:
    std::unique_ptr<Operator> inverse_;
};

MadePreconditioner make_block_jacobi(const PreconditionerInput& input) {
    const int rows = input.options.preconditioning.block;
    return {.own = std::make_unique<BlockJacobi>(input.system.backend, input.A, input.system.scale, rows)};
}

void check_block_jacobi(const Options& options) {
    if (moves_rows(options)) {
        throw InvalidInput(
            "preconditioner block-jacobi takes blocks of neighbouring rows, and sort_window and reorder move them");
    }
}

constexpr OptionRow options_of_block_jacobi[] = {
    {.name = "block",
     .at = at<preconditioning, &PreconditionerOptions::block>("block"),
     .range = {2, 4},
     .words = "rows of a block, 2 to 4",
     .preconditioners = {PreconditionerKind::block_jacobi}},
};

}  // namespace

constinit const PreconditionerRow block_jacobi_preconditioner{.kind = PreconditionerKind::block_jacobi,
                                                              .name = "block-jacobi",
                                                              .make = make_block_jacobi,
                                                              .check = check_block_jacobi,
                                                              .options = {"Of block-jacobi", options_of_block_jacobi}};

}  // namespace glsolve::inline v0_1
