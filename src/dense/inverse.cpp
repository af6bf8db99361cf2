#include "dense/inverse.hpp"

#include <algorithm>

#include "device/reductions.hpp"
#include "device/verbs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int panel_columns = 16;

/// What an inversion needs beside the matrix.
class Inversion {
  public:
    explicit Inversion(ZoneMatrix& A)
        : A_(A),
          backend_(A.backend()),
          n_(A.size()),
          zone_(A.rows().extent()),
          field_(layout_of(Offset{4} * A.size())),
          panel_(backend_, {zone_.width, zone_.height * panel_columns}, Element::real, "panel"),
          pivots_(backend_, field_.extent(), Element::real, "pivots"),
          rows_(backend_, {field_.extent().width, field_.height * panel_columns / 4}, Element::real, "pivots' rows"),
          used_(backend_, n_, "used"),
          low_(backend_, "smallest"),
          pivot_(backend_, "pivot"),
          search_(backend_, n_),
          unrolled_(backend_.variant("PANEL 16\n")) {
        fill(used_, 0);
    }

    /// False: `go_on` has said no.
    bool run(const std::function<bool()>& go_on) {
        for (Index first = 0; first < n_; first += panel_columns) {
            const int count = std::min<Index>(panel_columns, n_ - first);
            backend_.encode(pass::jordan_extract{.panel = panel_,
                                                 .a = A_.id(),
                                                 .log2_columns = A_.grid().log2_columns,
                                                 .tile_height = zone_.height,
                                                 .length = n_,
                                                 .log2_strip = A_.log2_strip(),
                                                 .first = first});
            for (int column = 0; column < count; ++column) step(first, column);
            backend_.encode(pass::jordan_gather{.rows = rows_,
                                                .a = A_.id(),
                                                .pivots = pivots_,
                                                .log2_columns = A_.grid().log2_columns,
                                                .tile_height = zone_.height,
                                                .length = n_,
                                                .log2_strip = A_.log2_strip(),
                                                .first = first,
                                                .count = count,
                                                .log2_field = field_.log2_width,
                                                .field_height = field_.height});
            backend_.encode(pass::jordan_update{.a = A_.id(),
                                                .used = used_,
                                                .panel = panel_,
                                                .rows = rows_,
                                                .log2_columns = A_.grid().log2_columns,
                                                .tile_height = zone_.height,
                                                .length = n_,
                                                .log2_strip = A_.log2_strip(),
                                                .first = first,
                                                .count = count,
                                                .log2_field = field_.log2_width,
                                                .field_height = field_.height,
                                                .variant = unrolled_});
            backend_.flush();
            if (go_on && !go_on()) return false;
        }
        backend_.encode(pass::jordan_permute{.a = A_.id(),
                                             .used = used_,
                                             .pivots = pivots_,
                                             .log2_width = log2_width(),
                                             .log2_columns = A_.grid().log2_columns,
                                             .tile_height = zone_.height,
                                             .length = n_,
                                             .log2_strip = A_.log2_strip(),
                                             .log2_field = field_.log2_width});
        return true;
    }

    /// The smallest pivot over the largest one.
    double pivot_ratio() const {
        std::vector<float> texels(static_cast<std::size_t>(field_.extent().texels()) * 4);
        backend_.read(pivots_.id(), texels);
        double smallest = 0, largest = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(n_); ++k) {
            const double size = texels[4 * k + 3] != 0 ? static_cast<double>(texels[4 * k]) : 0;
            smallest = k == 0 ? size : std::min(smallest, size);
            largest = std::max(largest, size);
        }
        return largest > 0 ? smallest / largest : 0;
    }

  private:
    int log2_width() const { return A_.rows().log2_width; }

    /// The pivot of one column: the largest number in a free row. Then the step, on the panel.
    void step(Index first, int column) {
        const auto in_free_rows = [&](const Reductions::States& to, const Reductions::States&, Extent extent) {
            return pass::jordan_pivot{.low = to[0],
                                      .high = to[1],
                                      .x = panel_,
                                      .used = used_,
                                      .width = extent.width,
                                      .height = extent.height,
                                      .length = n_,
                                      .log2_width = log2_width(),
                                      .zone_y = column * zone_.height};
        };
        search_.extremes(low_, pivot_, in_free_rows);
        record(pivots_, first + column, pivot_);
        backend_.encode(pass::jordan_mark{.used = used_, .pivot = pivot_, .step = first + column + 1});
        backend_.encode(
            pass::jordan_step{.panel = panel_, .pivot = pivot_, .zone_height = zone_.height, .column = column});
    }

    ZoneMatrix& A_;
    Backend& backend_;
    Index n_;
    Extent zone_;
    Layout field_;  // a texel for each column, or for each step
    Storage panel_, pivots_, rows_;
    Vector used_;  // for each row the step that used it up, counted from 1; 0: it is free
    Scalar low_, pivot_;
    Reductions search_;
    VariantId unrolled_;
};

}  // namespace

Inverse::Inverse(Backend& backend, Index n, const std::function<void(const ZoneMatrix::Entry&)>& place,
                 const std::function<bool()>& go_on)
    : matrix_(backend, n, "inverse"), product_(matrix_) {
    matrix_.upload(place, false);
    Inversion inversion(matrix_);
    finished_ = inversion.run(go_on);
    if (finished_) pivot_ratio_ = inversion.pivot_ratio();
}

}  // namespace glsolve::inline v0_1
