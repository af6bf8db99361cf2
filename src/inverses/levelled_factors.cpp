#include "inverses/levelled_factors.hpp"

#include <algorithm>

#include "factors/level_slots.hpp"
#include "formats/packed_numbers.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int invocations = 256, largest_team = 32;  // of the only work group on a device that is no processor

/// As many invocations for the four rows at a texel as keep the work group busy, and no more than there are slots.
int team_of(const Backend& backend, const LevelSlots& T) {
    if (backend.can().on_processor) return 1;
    const double texels = std::max(1.0, static_cast<double>(T.texels()) / std::max(T.count(), 1)),
                 slots = static_cast<double>(T.slots.back()) / std::max(T.texels(), 1);
    int team = 2;
    while (2 * team <= std::min(largest_team, static_cast<int>(invocations / texels)) && team < slots) team *= 2;
    return team;
}

/// What stands at each place of T; `of(row)`, and `otherwise` where there is no row.
template <class Number, class Of>
std::vector<Number> at_places(const LevelSlots& T, Number otherwise, const Of& of) {
    std::vector<Number> made;
    made.reserve(T.row_at.size());
    for (const Index row : T.row_at) made.push_back(row < 0 ? otherwise : of(static_cast<std::size_t>(row)));
    return made;
}

LevelSolve solve_with_L(Backend& backend, const MatrixToFactor& ordered, const LevelSlots& L) {
    const auto row_of_A = [&](std::size_t i) { return ordered.rows[i]; };
    const auto scale = [&](std::size_t i) {
        return static_cast<float>(ordered.row_scale[static_cast<std::size_t>(ordered.rows[i])]);
    };
    return {backend, L, at_places<std::int32_t>(L, -1, row_of_A), at_places<float>(L, 0, scale)};
}

LevelSolve solve_with_U(Backend& backend, const TriangularFactors& factors, const LevelSlots& L, const LevelSlots& U) {
    const auto place_in_L = [&](std::size_t i) { return L.place_of[i]; };
    const auto reciprocal = [&](std::size_t i) { return static_cast<float>(factors.inverse_D.value[i]); };
    return {backend, U, at_places<std::int32_t>(U, -1, place_in_L), at_places<float>(U, 0, reciprocal)};
}

}  // namespace

LevelSolve::LevelSolve(Backend& backend, const LevelSlots& T, const std::vector<std::int32_t>& n,
                       const std::vector<float>& d)
    : backend_(backend),
      y_(backend, static_cast<Offset>(T.row_at.size()), "y by levels"),
      d_(backend, static_cast<Offset>(T.row_at.size()), "factors of the right side"),
      n_(integers_as(backend, d_.layout(), n)),
      values_(packed_reals(backend, T.values, "values by levels")),
      columns_(packed_integers(backend, T.columns, "columns by levels")),
      slots_(packed_integers(backend, T.slots, "slots by levels")),
      levels_(packed_integers(backend, T.levels, "levels")),
      level_count_(T.count()),
      team_(team_of(backend, T)) {
    d_.upload(d);
}

const Vector& LevelSolve::solve(const Vector& b) {
    PassCall call = pass::triangle_solve{.y = y_,
                                         .b = b,
                                         .d = d_,
                                         .n = n_,
                                         .a = values_.storage,
                                         .columns = columns_.storage,
                                         .slots = slots_.storage,
                                         .levels = levels_.storage,
                                         .log2_width = y_.layout().log2_width,
                                         .log2_b = b.layout().log2_width,
                                         .log2_a = values_.log2_width,
                                         .log2_slots = slots_.log2_width,
                                         .log2_levels = levels_.log2_width,
                                         .level_count = level_count_};
    call.team = team_;
    backend_.encode(call);
    return y_;
}

LevelledFactors::LevelledFactors(Backend& backend, const TriangularFactors& factors, const MatrixToFactor& ordered,
                                 int products)
    : LevelledFactors(backend, factors, ordered, products, level_slots(factors.L, Triangle::lower),
                      level_slots(factors.U, Triangle::upper)) {}

LevelledFactors::LevelledFactors(Backend& backend, const TriangularFactors& factors, const MatrixToFactor& ordered,
                                 int products, const LevelSlots& L, const LevelSlots& U)
    : backend_(backend),
      lower_(solve_with_L(backend, ordered, L)),
      upper_(solve_with_U(backend, factors, L, U)),
      column_scale_(backend, factors.L.rows, "column scale"),
      products_(products) {
    std::vector<std::int32_t> place(ordered.columns.size());
    std::vector<float> scale(place.size());
    for (std::size_t i = 0; i < place.size(); ++i) {  // row i of the factors makes unknown columns[i] of A
        const auto unknown = static_cast<std::size_t>(ordered.columns[i]);
        place[unknown] = U.place_of[i];
        scale[unknown] = static_cast<float>(ordered.column_scale[unknown]);
    }
    column_scale_.upload(scale);
    place_ = integers_as(backend, column_scale_.layout(), place);
}

void LevelledFactors::apply(Vector& z, const Vector& r) {
    const Vector& y = lower_.solve(r);  // y = (I + L)^-1 F r
    const Vector& x = upper_.solve(y);  // x = (I + U)^-1 D^-1 y
    backend_.encode(pass::gather{       // z = G x
                                 .z = z,
                                 .x = x,
                                 .d = column_scale_,
                                 .n = place_,
                                 .log2_width = x.layout().log2_width});
}

}  // namespace glsolve::inline v0_1
