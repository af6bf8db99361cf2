#include <glsolve/choice.hpp>
#include <glsolve/device.hpp>
#include <memory>
#include <utility>

#include "formats/choose_format.hpp"
#include "formats/product_costs.hpp"
#include "matrix/moves_rows.hpp"
#include "solver/check_options.hpp"
#include "solver/reordering.hpp"
#include "solver/scaled_matrix.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int usual_texture_size = 16384;

/// The matrix as a solver would bring it to a device, and what choose(it) finds.
template <class Choose>
FormatChoice choose_for(CsrView A, const Options& options, int max_texture_size, const Choose& choose) {
    const MatrixSurvey survey = glsolve::survey(A);
    check_square(A, options.method);
    check_options(options);
    Options resolved = options;
    if (options.reorder == Reordering::automatic) {
        resolved.reorder = may_move_rows(A, options) ? best_reordering(A) : Reordering::none;
    }
    RowOrder order;
    if (moves_rows(resolved)) order = row_order(A, resolved.reorder, resolved.slicing.sort_window);
    const OrderedMatrix ordered(A, std::make_shared<RowOrder>(std::move(order)), survey);
    const ScaledMatrix scaled(ordered, Scaling::for_options(options));
    check_range(scaled, options.method);
    FormatChoice choice = choose(FormatInput{.A = scaled.matrix(),
                                             .scale = scaled.scale(),
                                             .slicing = options.slicing,
                                             .max_texture_size = max_texture_size,
                                             .ell_width = options.ell_width,
                                             .scaled_alike = scaled.factors().alike()});
    choice.reason.insert(0, ordered.why_moved());
    return choice;
}

}  // namespace

FormatChoice predict_format(CsrView A, const Options& options, int max_texture_size) {
    const FormatKind wanted = options.format == FormatKind::measure ? FormatKind::automatic : options.format;
    return choose_for(A, options, max_texture_size,
                      [&](const FormatInput& in) { return choose_format(in, wanted, true); });
}

FormatChoice measure_formats(Device& device, CsrView A, const Options& options) {
    Backend& backend = device.backend();
    const Session session(backend);
    return choose_for(A, options, backend.info().max_texture_size,
                      [&](const FormatInput& in) { return make_format(backend, in, FormatKind::measure).choice; });
}

std::vector<StoredNumber> parts_of_format(CsrView A, FormatKind format, const Options& options) {
    const bool is_to_be_chosen = format == FormatKind::automatic || format == FormatKind::measure;
    std::vector<StoredNumber> parts;
    choose_for(A, options, usual_texture_size, [&](const FormatInput& in) {
        FormatChoice choice = choose_format(in, is_to_be_chosen ? FormatKind::automatic : format);
        parts = format_row(choice.format).parts(in);
        return choice;
    });
    for (Index i = 0; i < A.rows; ++i) parts.push_back({i, i, "diagonal"});
    return parts;
}

}  // namespace glsolve::inline v0_1
