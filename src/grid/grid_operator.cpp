#include "grid/grid_operator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/verbs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

std::string definitions(const GridCells& cells, bool constant) {
    return fmt::format("{}{}", constant ? "CONSTANT\n" : "", cells.dimensions() == 3 ? "SPACE\n" : "");
}

/// How many cells are joined along each axis. As constants of the shader: its loops over them are unrolled then, and
/// take half the time.
std::string joined_in_words(const std::array<Index, 3>& joined) {
    return fmt::format("ALONG_X {}\nALONG_Y {}\nALONG_Z {}\n", joined[0], joined[1], joined[2]);
}

std::unique_ptr<StoredMatrix> make_matrix(Backend& backend, const GridCells& cells, const Layout& layout,
                                          bool constant) {
    return std::make_unique<StoredMatrix>(backend,
                                          StoredFormat{.passes = product_of::grid,
                                                       .integers = {layout.log2_width, cells.quarter, cells.plane(), 1,
                                                                    static_cast<std::int32_t>(layout.length)},
                                                       .definitions = definitions(cells, constant)});
}

std::int32_t bits_of(const std::array<Index, 3>& joined) {
    return (joined[0] - 1) | (joined[1] - 1) << 1 | (joined[2] - 1) << 2;
}

int log2_width(const GridCells& cells) { return layout_of(cells.size()).log2_width; }

}  // namespace

GridOperator::GridOperator(Backend& backend, const GridCells& cells, const std::array<float, 3>& weight, bool constant)
    : backend_(backend),
      cells_(cells),
      layout_(layout_of(cells.size())),
      weight_(weight),
      constant_(constant),
      matrix_(make_matrix(backend, cells, layout_, constant)),
      diagonal_(backend, cells.size()) {
    const auto storage = [&](const char* label) { return Storage(backend, layout_.extent(), Element::real, label); };
    Storage a = storage("row sums");
    a_ = a.id();
    matrix_->take_values(std::move(a));
    for (int axis = 0; axis < 3; ++axis) {
        const bool there = axis < cells.dimensions();
        Storage couplings = there ? storage("couplings") : Storage(backend, {1, 1}, Element::real, "no couplings");
        couplings_[static_cast<std::size_t>(axis)] = couplings.id();
        matrix_->take_structure(std::move(couplings));
        if (there) excess_[static_cast<std::size_t>(axis)] = storage("excess");
    }
    mass_ = storage("mass");  // zeros: most grids have none, and then no pass for it to compile
    backend.encode(pass::fill{.y = mass_, .length = 0, .log2_width = layout_.log2_width, .value = 0.0f});
}

void GridOperator::couple(const Vector& cells, const GridCoefficients& coefficients) {
    const std::array<Index, 3> strides = cells_.strides();
    const auto encode = [&](int axis, StorageId c, StorageId e, Index stride, std::int32_t dirichlet, float weight) {
        backend_.encode(pass::grid_couplings{.c = c,
                                             .e = e,
                                             .cells = cells,
                                             .log2_width = layout_.log2_width,
                                             .quarter = cells_.quarter,
                                             .rows = cells_.rows,
                                             .width = cells_.width,
                                             .height = cells_.height,
                                             .depth = cells_.depth,
                                             .axis = axis,
                                             .stride = stride,
                                             .dirichlet = dirichlet,
                                             .halved = coefficients.halved,
                                             .weight = weight,
                                             .wall = coefficients.wall,
                                             .alike = coefficients.alike ? 1.0f : 0.0f});
    };
    for (int axis = 0; axis < cells_.dimensions(); ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        encode(axis, couplings_[a], excess_[a].id(), strides[a], coefficients.dirichlet[a], weight_[a]);
    }
    const bool none = coefficients.mass == 0;
    if (!none || !has_no_mass_)
        encode(3, a_, mass_.id(), 1, 0, coefficients.mass);  // what it leaves in a is written over
    has_no_mass_ = none;
    finish();
}

void GridOperator::take(const GridNumbers& numbers) {
    const auto upload = [&](StorageId storage, std::span<const float> from) {
        backend_.upload(storage, pack(layout_, from));
    };
    for (std::size_t a = 0; a < static_cast<std::size_t>(cells_.dimensions()); ++a) {
        upload(couplings_[a], numbers.couplings[a]);
        upload(excess_[a].id(), numbers.given[a]);
    }
    upload(mass_.id(), numbers.mass);
    has_no_mass_ = std::ranges::all_of(numbers.mass, [](float mass) { return mass == 0; });
    finish();
}

std::array<float, 3> GridOperator::coarse_weight(const std::array<Index, 3>& joined) const {
    const auto volume = static_cast<float>(joined[0] * joined[1] * joined[2]);
    std::array<float, 3> weight = weight_;
    for (std::size_t a = 0; a < 3; ++a) weight[a] *= volume / static_cast<float>(joined[a] * joined[a]);
    return weight;
}

void GridOperator::coarsen(const GridOperator& fine, const std::array<Index, 3>& joined, Index copies) {
    const GridCells one = cells_.one_of(copies);
    const auto& [cx, cy, cz] = couplings_;
    const auto& [ex, ey, ez] = excess_;
    pass::grid_coarsen call{.c = cx,
                            .e = ex,
                            .cy = cy,
                            .ey = ey,
                            .fine_c = fine.couplings_[0],
                            .fine_e = fine.excess_[0],
                            .fine_cy = fine.couplings_[1],
                            .fine_ey = fine.excess_[1],
                            .log2_width = layout_.log2_width,
                            .log2_x = fine.layout_.log2_width,
                            .quarter = one.quarter,
                            .rows = one.rows,
                            .quarter_x = fine.cells_.quarter,
                            .rows_x = fine.cells_.rows,
                            .depth_x = fine.cells_.depth,
                            .depth = one.depth,
                            .planes = one.depth * copies,
                            .variant = backend_.variant(joined_in_words(joined))};
    backend_.encode(call);
    if (cells_.space) {
        call.c = cz;
        call.e = ez;
        call.fine_c = fine.couplings_[2];
        call.fine_e = fine.excess_[2];
        call.cy = call.ey = call.fine_cy = call.fine_ey = {};
        backend_.encode(call);
    }
    if (!has_no_mass_ || !fine.has_no_mass_) {
        restrict_cells(backend_, mass_.id(), cells_, fine.mass_.id(), fine.cells_, joined, copies);
    }
    has_no_mass_ = fine.has_no_mass_;
    finish();
}

void GridOperator::restrict_residual(Vector& coarse_b, Vector& coarse_x, float weight, const GridOperator& coarse,
                                     const Vector& b, const Vector& x, const std::array<Index, 3>& joined) {
    backend_.encode(pass::grid_restrict_residual{.y = coarse_b,
                                                 .x_next = coarse_x,
                                                 .x = x,
                                                 .b = b,
                                                 .a = a_,
                                                 .cx = couplings_[0],
                                                 .cy = couplings_[1],
                                                 .cz = couplings_[2],
                                                 .d = *coarse.diagonal_.diagonal(),
                                                 .log2_width = coarse.layout_.log2_width,
                                                 .log2_x = layout_.log2_width,
                                                 .quarter = coarse.cells_.quarter,
                                                 .rows = coarse.cells_.rows,
                                                 .quarter_x = cells_.quarter,
                                                 .rows_x = cells_.rows,
                                                 .depth_x = cells_.depth,
                                                 .weight = weight,
                                                 .variant = restricting(joined)});
}

VariantId GridOperator::restricting(const std::array<Index, 3>& joined) {
    VariantId& made = restricts_[static_cast<std::size_t>(bits_of(joined))];
    if (made.value == 0) {
        made = backend_.variant(definitions(cells_, constant_) + joined_in_words(joined));
    }
    return made;
}

void GridOperator::restrict_residual(MultiVector& coarse_b, MultiVector& coarse_x, float weight,
                                     const GridOperator& coarse, const MultiVector& b, const MultiVector& x,
                                     const std::array<Index, 3>& joined) {
    backend_.encode(pass::grid_restrict_residual_field{.y = coarse_b,
                                                       .x_next = coarse_x,
                                                       .x = x,
                                                       .b = b,
                                                       .a = a_,
                                                       .cx = couplings_[0],
                                                       .cy = couplings_[1],
                                                       .cz = couplings_[2],
                                                       .d = *coarse.diagonal_.diagonal(),
                                                       .log2_field = coarse_b.layout().log2_width,
                                                       .log2_width = coarse.layout_.log2_width,
                                                       .log2_field_x = x.layout().log2_width,
                                                       .log2_x = layout_.log2_width,
                                                       .quarter = coarse.cells_.quarter,
                                                       .rows = coarse.cells_.rows,
                                                       .quarter_x = cells_.quarter,
                                                       .rows_x = cells_.rows,
                                                       .depth_x = cells_.depth,
                                                       .weight = weight,
                                                       .variant = restricting(joined)});
}

void GridOperator::relax(MultiVector& x, const MultiVector& b, float weight) {
    matrix_->relax(x, b, *diagonal_.diagonal(), weight);
}

void GridOperator::relax_twice(MultiVector& x, const MultiVector& b, float first, float second) {
    matrix_->relax_twice(x, b, *diagonal_.diagonal(), first, second);
}

/// Row sums and the reciprocal diagonal.
void GridOperator::finish() {
    const bool space = cells_.dimensions() == 3;
    const StorageId cz = couplings_[space ? 2 : 1], ez = excess_[space ? 2 : 1].id();
    backend_.encode(pass::grid_diagonal{.a = a_,
                                        .d = *diagonal_.diagonal(),
                                        .cx = couplings_[0],
                                        .cy = couplings_[1],
                                        .cz = cz,
                                        .ex = excess_[0],
                                        .ey = excess_[1],
                                        .ez = ez,
                                        .mass = mass_,
                                        .log2_width = layout_.log2_width,
                                        .quarter = cells_.quarter,
                                        .plane = cells_.plane(),
                                        .dimensions = cells_.dimensions(),
                                        .constant = constant_ ? 1 : 0,
                                        .weight_x = weight_[0],
                                        .weight_y = weight_[1],
                                        .weight_z = weight_[2]});
}

void GridOperator::add_given(Vector& y, float a) const {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(cells_.dimensions()); ++axis)
        axpy(y, scalar_arg(a), excess_[axis].id());
}

HostArray<float> GridOperator::read(StorageId storage) const {
    HostArray<float> numbers(static_cast<std::size_t>(layout_.extent().texels()) * 4);
    backend_.read(storage, numbers.all());
    return numbers;
}

HostArray<float> GridOperator::read_couplings(int axis) const {
    return read(couplings_[static_cast<std::size_t>(axis)]);
}

HostArray<float> GridOperator::read_row_sums() const { return read(a_); }

void restrict_cells(Backend& backend, StorageId coarse, const GridCells& coarse_cells, StorageId fine,
                    const GridCells& fine_cells, const std::array<Index, 3>& joined, Index copies) {
    const GridCells one = coarse_cells.one_of(copies);
    backend.encode(pass::grid_restrict{.y = coarse,
                                       .x = fine,
                                       .log2_width = log2_width(coarse_cells),
                                       .log2_x = log2_width(fine_cells),
                                       .quarter = one.quarter,
                                       .rows = one.rows,
                                       .quarter_x = fine_cells.quarter,
                                       .rows_x = fine_cells.rows,
                                       .depth_x = fine_cells.depth,
                                       .along_x = joined[0],
                                       .along_y = joined[1],
                                       .along_z = joined[2],
                                       .depth = one.depth,
                                       .planes = one.depth * copies});
}

void prolong_cells(Backend& backend, StorageId fine, const GridCells& fine_cells, StorageId coarse,
                   const GridCells& coarse_cells, const std::array<Index, 3>& joined, StorageId d) {
    backend.encode(pass::grid_prolong{.y = fine,
                                      .x = coarse,
                                      .d = d,
                                      .log2_width = log2_width(fine_cells),
                                      .log2_x = log2_width(coarse_cells),
                                      .quarter = fine_cells.quarter,
                                      .rows = fine_cells.rows,
                                      .quarter_x = coarse_cells.quarter,
                                      .rows_x = coarse_cells.rows,
                                      .along_x = joined[0],
                                      .along_y = joined[1],
                                      .along_z = joined[2]});
}

void prolong_cells(MultiVector& fine, const GridCells& fine_cells, const MultiVector& coarse,
                   const GridCells& coarse_cells, const std::array<Index, 3>& joined, StorageId d) {
    fine.backend().encode(pass::grid_prolong_field{.y = fine,
                                                   .x = coarse,
                                                   .d = d,
                                                   .log2_field = fine.layout().log2_width,
                                                   .log2_width = log2_width(fine_cells),
                                                   .log2_field_x = coarse.layout().log2_width,
                                                   .quarter = fine_cells.quarter,
                                                   .rows = fine_cells.rows,
                                                   .quarter_x = coarse_cells.quarter,
                                                   .rows_x = coarse_cells.rows,
                                                   .joined = bits_of(joined),
                                                   .length = static_cast<std::int32_t>(fine_cells.size())});
}

void store_rows(Backend& backend, Vector& y, Rows of_y, const Vector& x, const GridCells& cells) {
    const bool apart = of_y == Rows::apart;
    backend.encode(pass::grid_pitch{.y = y,
                                    .x = x,
                                    .log2_width = y.layout().log2_width,
                                    .log2_x = x.layout().log2_width,
                                    .width = cells.width,
                                    .lines = cells.height * cells.depth,
                                    .pitch = apart ? cells.pitch() : cells.width,
                                    .pitch_x = apart ? cells.width : cells.pitch()});
}

}  // namespace glsolve::inline v0_1
