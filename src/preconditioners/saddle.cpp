// Saddle points: a cycle of algebraic multigrid for a block-diagonal matrix of the same unknowns
// (matrix/saddle_point.hpp). In the block that is a diagonal nothing is coupled, so the smoother alone divides by it.
#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "device/assembled_matrix.hpp"
#include "formats/choose_format.hpp"
#include "matrix/moves_rows.hpp"
#include "matrix/saddle_point.hpp"
#include "matrix/scaling.hpp"
#include "multigrid/algebraic_multigrid.hpp"
#include "options/option_rows.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

SaddlePoint blocks_of(CsrView K, std::int64_t first_field) {
    SaddlePoint blocks = saddle_point(K, first_field);
    if (blocks.why_not.empty()) return blocks;
    const std::string_view needs =
        first_field > 0 ? "a symmetric matrix, positive in the first block and not positive in the second one"
                        : "a block of zeros on the diagonal (or first_field, which tells the blocks)";
    throw InvalidInput(
        fmt::format("preconditioner saddle needs {}: {}; amg and ilut need none", needs, blocks.why_not));
}

/// Several coupled unknowns stand in the block of a Laplacian one behind the other; their iterations grow less with
/// Ruge-Stueben (docs/measurements/auto-2026-11-29.md).
AmgOptions multigrid_options(const AmgOptions& asked, const SaddlePoint& blocks) {
    AmgOptions options = asked;
    const bool is_usual = asked.coarsening == Coarsening::smoothed_aggregation && asked.near_null_space.empty();
    if (is_usual && !blocks.first_is_like_diagonal) options.coarsening = Coarsening::ruge_stueben;
    return options;
}

class Saddle final : public Preconditioner {
  public:
    explicit Saddle(const PreconditionerInput& input)
        : Saddle(input, blocks_of(input.A, input.options.preconditioning.first_field)) {}

    void apply(Vector& z, const Vector& r) override { multigrid_->apply(z, r); }
    int products() const override { return multigrid_->products(); }
    std::string advice() const override { return multigrid_->advice(); }
    const AlgebraicMultigrid& multigrid() const { return *multigrid_; }

  private:
    Saddle(const PreconditionerInput& input, const SaddlePoint& blocks)
        : substitute_(saddle_substitute(input.A, blocks)),
          matrix_(make_format(input.system.backend,
                              {.A = substitute_,
                               .scale = input.system.scale,
                               .slicing = input.options.slicing,
                               .max_texture_size = input.system.backend.info().max_texture_size,
                               .low_parts = false},
                              FormatKind::automatic)
                      .matrix) {
        const System system{.backend = input.system.backend,
                            .A = *matrix_,
                            .size = input.system.size,
                            .infinity_norm = infinity_norm(substitute_, input.system.scale),
                            .scale = input.system.scale};
        PreconditionerInput own{{system, *matrix_}, substitute_, input.options};
        diagonal_ = make_diagonal(own);
        multigrid_.emplace(own.system, substitute_, multigrid_options(input.options.amg, blocks), input.options.slicing,
                           nullptr);  // other values may have another substitute
    }

    CsrMatrix substitute_;
    std::unique_ptr<AssembledMatrix> matrix_;
    MadePreconditioner diagonal_;
    std::optional<AlgebraicMultigrid> multigrid_;
};

MadePreconditioner make_saddle(const PreconditionerInput& input) {
    auto saddle = std::make_unique<Saddle>(input);
    MadePreconditioner made;
    made.hierarchy = saddle->multigrid().report();
    made.own = std::move(saddle);
    return made;
}

void check_saddle(const Options& options) {
    const bool has_vectors = !options.amg.near_null_space.empty();
    if ((has_vectors || options.preconditioning.first_field > 0) && moves_rows(options)) {
        throw InvalidInput(
            fmt::format("preconditioner saddle: {} is about rows in their order, and sort_window and reorder move them",
                        has_vectors ? "near_null_space" : "first_field"));
    }
}

constexpr OptionRow options_of_saddle[] = {
    {.name = "fields",
     .at = at<preconditioning, &PreconditionerOptions::first_field>("first_field"),
     .range = {0, any},
     .words = "so many rows are of the first block, and come first; 0: all without a zero on the diagonal",
     .preconditioners = {PreconditionerKind::saddle}}};

}  // namespace

constinit const PreconditionerRow saddle_preconditioner{
    PreconditionerKind::saddle,      "saddle", make_saddle, {.multigrid = true, .divides = false}, check_saddle,
    {"Of saddle", options_of_saddle}};

}  // namespace glsolve::inline v0_1
