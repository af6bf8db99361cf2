#include "formats/sliced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <span>

#include "base/parallel.hpp"
#include "formats/diagonal_part.hpp"
#include "formats/loop_rounds.hpp"
#include "formats/product_costs.hpp"
#include "formats/rectangle.hpp"
#include "formats/short_columns.hpp"
#include "formats/stored_matrix.hpp"
#include "formats/team.hpp"
#include "formats/texel_plan.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_constant_slots = 32;  // beyond, the shader's loops are not worth unrolling

// A round of a loop takes four slots, or sixteen of longer rows.
constexpr std::int64_t slots_a_round = 4, slots_a_long_round = 16;

/// Neighbouring texels go through their slots together: as many as the busiest of so many texels has.
constexpr int log2_together = 3;

/// Texels of rows that are worth a thread.
Offset texel_grain(CsrView A) { return row_grain(A) / 4 + 1; }

/// What each slice holds, and how much that is.
struct SlicePlan {
    std::size_t fewest = TexelPlanner::no_runs;  ///< entries of a run
    std::vector<Slots> slices;
    std::int64_t most_slots = 0;           ///< of a slice
    bool short_columns = false;            ///< of singles
    bool equal = false;                    ///< all slices have as many slots: nothing has to be looked up
    std::int64_t values = 0, columns = 0;  ///< texels
    double fetches = 0;                    ///< texels read by one product

    /// Of a texel beside the diagonal: what a team should be made for.
    double shared_slots() const {
        double slots = 0;
        for (const Slots& s : slices) slots += s.runs + s.singles;
        return slots_to_share(slots / static_cast<double>(slices.size()), static_cast<double>(most_slots));
    }
    std::int64_t table() const { return equal ? 1 : static_cast<std::int64_t>(slices.size()); }  ///< texels
};

Offset slice_grain(CsrView A, int log2_group) { return std::max<Offset>(texel_grain(A) >> log2_group, 1); }

/// Calls work(planner, range, begin, end) for ranges of groups of 2^log2_group texels of rows, on all cores.
template <class Work>
void for_groups(CsrView A, std::int64_t groups, int log2_group, const Work& work) {
    parallel_for(groups, slice_grain(A, log2_group), [&](int range, Offset begin, Offset end) {
        TexelPlanner planner(A);
        work(planner, range, begin, end);
    });
}

/// The slots of each texel of rows, where a run is made from `fewest` entries on.
struct TexelSlots {
    std::size_t fewest = TexelPlanner::no_runs;
    std::vector<Slots> of_texel;
};

/// Texels read by one product: neighbours go through the slots of the busiest of them, and there is the look-up.
double fetches_of(std::span<const Slots> of_texel, int log2_group) {
    double fetches = 0;
    for (std::size_t first = 0; first < of_texel.size(); first += std::size_t{1} << log2_group) {
        Slots most;
        for (std::size_t t = first; t < std::min(first + (std::size_t{1} << log2_group), of_texel.size()); ++t)
            most.include(of_texel[t]);
        fetches += std::ldexp(most.fetches() + 1, log2_group);
    }
    return fetches;
}

/// With runs where these are worth it: from as many entries on as lets a product fetch least.
TexelSlots find_slots(CsrView A, bool runs, int log2_group) {
    const std::int64_t texels = (std::int64_t{A.rows} + 3) / 4;
    using OfEach = std::array<std::vector<Slots>, TexelPlanner::no_runs + 1>;
    OfEach of_each;
    for (std::size_t f = runs ? 1 : TexelPlanner::no_runs; f < of_each.size(); ++f)
        of_each[f].resize(static_cast<std::size_t>(texels));
    parallel_for(texels, texel_grain(A), [&](int, Offset begin, Offset end) {
        TexelPlanner planner(A);
        for (Offset t = begin; t < end; ++t) {
            const auto at = static_cast<std::size_t>(t);
            if (!runs) {
                of_each.back()[at] = planner.slots_of_singles(t);
                continue;
            }
            const auto slots = planner.slots(t);
            for (std::size_t f = 1; f < of_each.size(); ++f) of_each[f][at] = slots[f];
        }
    });
    TexelSlots best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t f = runs ? 1 : TexelPlanner::no_runs; f < of_each.size() - (runs ? 1 : 0); ++f) {
        const double fetches = fetches_of(of_each[f], log2_group);
        if (fetches < least) least = fetches, best.fewest = f;
    }
    best.of_texel = std::move(of_each[best.fewest]);
    return best;
}

/// The slots of all slices; the texels behind the last row have slices too.
SlicePlan plan_slices(const FormatInput& in, SlicedShape shape) {
    const CsrView A = in.A;
    SlicePlan plan;
    plan.short_columns = fits_short_columns(in);
    const int log2_group = std::max(shape.log2_slice, log2_together);
    const TexelSlots slots = find_slots(A, shape.runs, log2_group);
    plan.fewest = slots.fewest;
    plan.fetches = fetches_of(slots.of_texel, log2_group);

    const std::int64_t texels = layout_of(A.rows).extent().texels();
    plan.slices.resize(static_cast<std::size_t>(((texels - 1) >> shape.log2_slice) + 1));
    for (std::size_t t = 0; t < slots.of_texel.size(); ++t)
        plan.slices[t >> shape.log2_slice].include(slots.of_texel[t]);
    Slots most;
    for (const Slots& s : plan.slices) most.include(s);
    // All slices are made equal where that costs little: loops then have constant lengths.
    const double equal_fetches = std::ldexp(most.fetches() * static_cast<double>(plan.slices.size()), shape.log2_slice);
    plan.equal = equal_fetches <= 1.25 * plan.fetches && most.runs + most.singles <= most_constant_slots;
    if (plan.equal) {
        plan.fetches = equal_fetches;
        std::fill(plan.slices.begin(), plan.slices.end(), most);
    }
    for (const Slots& s : plan.slices) {
        plan.values += s.values() << shape.log2_slice;
        plan.columns += s.columns(plan.short_columns) << shape.log2_slice;
        plan.most_slots = std::max<std::int64_t>(plan.most_slots, s.runs + s.singles);
    }
    return plan;
}

/// Fills the textures, slice by slice.
class SliceWriter {
  public:
    Layout value_layout, column_layout, table_layout;
    std::vector<double> values;
    std::vector<std::int32_t> columns, table;
    DiagonalPart diagonal;

    SliceWriter(const FormatInput& in, SlicedShape shape, const SlicePlan& plan)
        : value_layout(rectangle(plan.values, in.max_texture_size, "values")),
          column_layout(rectangle(plan.columns, in.max_texture_size, "columns")),
          table_layout(rectangle(plan.table(), in.max_texture_size, "slices")),
          values(zeros<double>(value_layout)),
          columns(zeros<std::int32_t>(column_layout)),
          table(zeros<std::int32_t>(table_layout)),
          diagonal(diagonal_part(in.A, in.scale)),
          in_(in),
          are_short_(plan.short_columns),
          step_(std::int64_t{1} << shape.log2_slice) {
        std::vector<First> first(plan.slices.size());
        for (std::size_t s = 0; s + 1 < first.size(); ++s) {
            first[s + 1] = {first[s].value + plan.slices[s].values() * step_,
                            first[s].column + plan.slices[s].columns(plan.short_columns) * step_};
        }
        for_groups(in.A, std::ssize(first), shape.log2_slice,
                   [&](TexelPlanner& planner, int, Offset begin, Offset end) {
                       for (auto s = static_cast<std::size_t>(begin); s < static_cast<std::size_t>(end); ++s) {
                           const Slots& slots = plan.slices[s];
                           const auto [value, column] = first[s];
                           if (!plan.equal) {
                               const std::array<std::int64_t, 4> row{value, column, slots.runs, slots.singles};
                               std::copy(row.begin(), row.end(), table.begin() + static_cast<std::ptrdiff_t>(4 * s));
                           }
                           for (std::int64_t k = 0; k < step_; ++k) {
                               const std::int64_t t = static_cast<std::int64_t>(s) * step_ + k;
                               write(t, value + k, column + k, slots, planner.plan(t, plan.fewest));
                           }
                       }
                   });
    }

  private:
    /// Texels of a slice.
    struct First {
        std::int64_t value = 0, column = 0;
    };

    void write(std::int64_t t, std::int64_t value, std::int64_t column, const Slots& slots, const TexelPlan& plan) {
        const auto own = static_cast<std::int32_t>(4 * t);
        for (int lane = 0; lane < 4 && 4 * t + lane < in_.A.rows; ++lane) {
            values[at(value, 0, lane)] = diagonal.values[static_cast<std::size_t>(4 * t + lane)];
        }
        // Slots that stay empty multiply x at the own rows by 0: an infinity elsewhere must not turn these rows into
        // NaN.
        for (int k = 0; k < 4 * slots.run_columns(); ++k) columns[at(column, k / 4, k % 4)] = own;
        for (int k = 0; k < static_cast<int>(plan.runs.size()); ++k) {
            const Run& run = plan.runs[static_cast<std::size_t>(k)];
            columns[at(column, k / 4, k % 4)] = run.first;
            for (int lane = 0; lane < 4; ++lane) {
                const Offset entry = run.entry[static_cast<std::size_t>(lane)];
                if (entry >= 0) values[at(value, 1 + k, lane)] = in_.scaled(own + lane, entry);
            }
        }
        for (int lane = 0; lane < 4; ++lane) {
            const std::vector<Offset>& entries = plan.singles[static_cast<std::size_t>(lane)];
            for (int k = 0; k < slots.singles; ++k) {
                const bool used = k < static_cast<int>(entries.size());
                const Offset entry = used ? entries[static_cast<std::size_t>(k)] : 0;
                set_column(column + slots.run_columns() * step_, k, lane,
                           used ? in_.A.column[static_cast<std::size_t>(entry)] : own + lane, own);
                if (used) values[at(value, 1 + slots.runs + k, lane)] = in_.scaled(own + lane, entry);
            }
        }
    }

    /// Place of the number of a lane in slot `slot` behind texel `first`.
    std::size_t at(std::int64_t first, std::int64_t slot, int lane) const {
        return static_cast<std::size_t>((first + slot * step_) * 4 + lane);
    }

    /// Of single k of a texel whose singles' columns begin at texel `first`.
    void set_column(std::int64_t first, int k, int lane, Index column, Index own) {
        if (are_short_) {
            set_short_column(columns[at(first, k / 2, lane)], k, column, own);
        } else {
            columns[at(first, k, lane)] = column;
        }
    }

    const FormatInput& in_;
    bool are_short_;
    std::int64_t step_;
};

/// What the shader knows of the slots. Its long rounds take a compiler seconds, so only software renderers have them.
std::string definitions(const Backend& backend, const SlicePlan& plan) {
    const Slots slots = plan.slices.front();
    const std::string columns = plan.short_columns ? "COLUMNS_16\n" : "";
    if (plan.equal) return fmt::format("RUNS {}\nSINGLES {}\n", slots.runs, slots.singles) + columns;
    const bool is_long = backend.can().on_processor && plan.most_slots > slots_a_round * most_loop_rounds;
    return columns + (is_long ? "LONG\n" : "");
}

}  // namespace

SlicedShape sliced_shape(int height, bool runs) {
    if (height < 4 || height > (1 << 20) || !std::has_single_bit(static_cast<unsigned>(height))) {
        throw InvalidInput(fmt::format("slice height {}: it must be a power of two between 4 and {}", height, 1 << 20));
    }
    return {std::countr_zero(static_cast<unsigned>(height)) - 2, runs};
}

std::unique_ptr<AssembledMatrix> make_sliced(Backend& backend, const FormatInput& in, SlicedShape shape) {
    const SlicePlan plan = plan_slices(in, shape);
    const SliceWriter made(in, shape, plan);
    auto matrix = std::make_unique<StoredMatrix>(
        backend,
        StoredFormat{
            .passes = product_of::sliced,
            .integers = {layout_of(in.A.rows).log2_width, made.value_layout.log2_width, made.column_layout.log2_width,
                         made.table_layout.log2_width, shape.log2_slice, made.diagonal.differences ? 1 : 0, in.A.rows},
            .definitions = definitions(backend, plan),
            .gathers = true,
            .team = team_for(backend, in,
                             {.slots = plan.shared_slots(), .texels = layout_of(in.A.rows).extent().texels()})});
    matrix->add(in, made.value_layout.extent(), made.values);
    matrix->add(made.column_layout.extent(), made.columns);
    matrix->add(made.table_layout.extent(), made.table);
    return matrix;
}

namespace {

/// The fewest bytes that a product may fetch, whatever the slices: of each entry beside the diagonal a whole texel.
double least(const FormatInput& in) {
    const double texels = static_cast<double>(layout_of(in.A.rows).extent().texels());
    const double entries = static_cast<double>(in.A.nonzeros()) - in.A.rows;
    // A slot of four entries takes at least four texels (Slots::fetches).
    return 16 * (3 * static_cast<double>(in.A.rows) / 4 + entries + (texels - static_cast<double>(in.A.rows) / 4));
}

template <bool runs>
FormatPrediction predict_sliced(const FormatInput& in) {
    const SlicePlan plan = plan_slices(in, sliced_shape(in.slicing.height, runs));
    const double texels = static_cast<double>(layout_of(in.A.rows).extent().texels());
    double run_slots = 0, singles = 0;
    for (const Slots& s : plan.slices) {
        run_slots += s.runs;
        singles += s.singles;
    }
    const auto slices = static_cast<double>(plan.slices.size());
    FormatPrediction p;
    p.note = fmt::format("four rows have {:.1f} runs and {:.1f} slots of single numbers{}", run_slots / slices,
                         singles / slices, plan.equal ? ", everywhere" : " in the mean");
    p.bytes = 16 * (plan.fetches + texels);
    p.memory = 16 * static_cast<double>(plan.values + plan.columns + plan.table());
    constexpr double a_slot = runs ? 1.4 : 0.95;
    predict_seconds(p, in, {.longest = a_slot * static_cast<double>(plan.most_slots), .mean = plan.shared_slots()});
    if (plan.most_slots > slots_a_long_round * most_loop_rounds) {
        p.impossible = fmt::format("four rows have {} slots; shaders may go through {}", plan.most_slots,
                                   slots_a_long_round * most_loop_rounds);
    }
    try {
        rectangle(plan.values, in.max_texture_size, "values");
        rectangle(plan.columns, in.max_texture_size, "columns");
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    return p;
}

template <bool runs>
std::unique_ptr<AssembledMatrix> make_sliced(Backend& backend, const FormatInput& in) {
    return make_sliced(backend, in, sliced_shape(in.slicing.height, runs));
}

template <bool runs>
std::vector<StoredNumber> parts_of_sliced(const FormatInput& in) {
    const SlicePlan plan = plan_slices(in, sliced_shape(in.slicing.height, runs));
    std::vector<StoredNumber> made;
    TexelPlanner planner(in.A);
    for (Index row = 0; row < in.A.rows; row += 4) {
        const TexelPlan& texel = planner.plan(row / 4, plan.fewest);
        for (const Run& run : texel.runs) {
            for (Index lane = 0; lane < 4; ++lane) {
                const Index j = run.first + lane;
                const bool inside = row + lane < in.A.rows && j >= 0 && j < in.A.columns && j != row + lane;
                if (inside)
                    made.push_back({row + lane, j, run.entry[static_cast<std::size_t>(lane)] >= 0 ? "runs" : "zeros"});
            }
        }
        for (Index lane = 0; lane < 4; ++lane) {
            for (const Offset k : texel.singles[static_cast<std::size_t>(lane)])
                made.push_back({row + lane, in.A.column[static_cast<std::size_t>(k)], runs ? "singles" : "slots"});
        }
    }
    return made;
}

}  // namespace

constinit const FormatRow runs_format{FormatKind::runs,      "runs", predict_sliced<true>, make_sliced<true>,
                                      parts_of_sliced<true>, least,  {1.03, 1.6}};
constinit const FormatRow sell_format{
    FormatKind::sell, "sell", predict_sliced<false>, make_sliced<false>, parts_of_sliced<false>, least, {1.12, 1.8}};

}  // namespace glsolve::inline v0_1
