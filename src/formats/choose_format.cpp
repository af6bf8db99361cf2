#include "formats/choose_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <limits>

#include "formats/kept_choice.hpp"
#include "formats/measured_width.hpp"
#include "formats/product_costs.hpp"
#include "formats/time_product.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double hopeless = 8;        // times the bytes of the best
constexpr double bytes_a_pass = 2e5;  // what a further pass is worth: some 20 us of a slow device, 3 us of a fast one

double weight(const FormatInput& in, FormatKind format) {
    const FormatWeight& of = format_row(format).weight;
    return in.by_numbers ? of.by_numbers : of.by_texels;
}

/// In seconds where they can be predicted, else in bytes.
double cost(const FormatInput& in, const FormatPrediction& p) {
    if (p.predicted_seconds > 0) return p.predicted_seconds;
    return weight(in, p.format) * p.bytes + bytes_a_pass * (p.passes - 1);
}

/// No less than this takes who fetches so many bytes: of 16 at least 2.5 are the matrix's own (runs of four in half
/// precision).
double least_cost(const FormatInput& in, const FormatRow& row, double bytes) {
    constexpr double of_matrix = 2.5 / 16;
    return in.costs ? in.costs->pass + of_matrix * bytes / in.costs->bytes_per_second : weight(in, row.kind) * bytes;
}

/// Of all formats; but where not all `are wanted` only a bound of those that take long to be looked at and are no good.
std::vector<FormatPrediction> predictions(const FormatInput& in, bool are_wanted) {
    std::vector<FormatPrediction> all;
    double lowest = std::numeric_limits<double>::infinity();
    for (const FormatRow* row : format_table) {
        const double least = are_wanted || row->least == nullptr ? 0 : row->least(in);
        if (least_cost(in, *row, least) > lowest) {
            all.push_back({.bytes = least, .at_least = true, .note = {}, .impossible = {}});
        } else {
            all.push_back(row->predict(in));
        }
        all.back().format = row->kind;
        if (all.back().possible()) lowest = std::min(lowest, cost(in, all.back()));
    }
    return all;
}

const FormatPrediction& best(const FormatInput& in, const std::vector<FormatPrediction>& all) {
    return *std::min_element(all.begin(), all.end(), [&](const FormatPrediction& a, const FormatPrediction& b) {
        return a.possible() != b.possible() ? a.possible() : cost(in, a) < cost(in, b);
    });
}

std::string megabytes(const FormatPrediction& p) {
    if (p.possible() && p.predicted_seconds > 0)
        return fmt::format("{} {:.1f} us", name(p.format), p.predicted_seconds * 1e6);
    return p.possible() ? fmt::format("{} {}{:.2f} MB", name(p.format), p.at_least ? "at least " : "", p.bytes * 1e-6)
                        : fmt::format("{} impossible: {}", name(p.format), p.impossible);
}

std::string milliseconds(const FormatPrediction& p) {
    return p.seconds > 0 ? fmt::format("{} {:.3f} ms", name(p.format), p.seconds * 1e3) : megabytes(p);
}

/// "runs 12.30 MB, ell 18.00 MB": all but the chosen one.
template <class Describe>
std::string others(const std::vector<FormatPrediction>& all, FormatKind chosen, const Describe& describe) {
    std::string text;
    for (const FormatPrediction& p : all) {
        if (p.format == chosen) continue;
        text += (text.empty() ? "" : ", ") + describe(p);
    }
    return text;
}

std::string passes(const FormatPrediction& p) { return p.passes == 1 ? "1 pass" : fmt::format("{} passes", p.passes); }

/// What was measured for this structure on this device before.
ChosenFormat as_kept(Backend& backend, const FormatInput& in, const KeptChoice& kept) {
    FormatInput of = in;
    of.width = kept.ell_width;
    ChosenFormat made{choose_format(of, kept.format), format_row(kept.format).make(backend, of)};
    made.choice.ell_width = kept.ell_width;
    made.choice.reason = fmt::format("{}: measured by an earlier run, a product took {:.3f} ms (kept in {})",
                                     name(kept.format), kept.seconds * 1e3, in.kept_in);
    return made;
}

ChosenFormat measure(Backend& backend, const FormatInput& in) {
    if (const auto kept = find_choice(backend, in)) return as_kept(backend, in, *kept);
    ChosenFormat chosen;
    std::vector<FormatPrediction>& all = chosen.choice.predictions = predictions(in, true);
    const double limit = hopeless * best(in, all).bytes;
    TimedVectors vectors(backend, in.A.rows);
    double fastest = 0;
    for (FormatPrediction& p : all) {
        if (!p.possible() || p.bytes > limit) continue;
        try {
            const FormatInput of = with_measured_width(backend, in, p.format);
            auto matrix = format_row(p.format).make(backend, of);
            p.seconds = time_product(backend, *matrix, vectors);
            if (!chosen.matrix || p.seconds < fastest) {
                fastest = p.seconds;
                chosen.choice.format = p.format;
                chosen.choice.ell_width = of.width;
                chosen.matrix = std::move(matrix);
            }
        } catch (const DeviceError& too_large) {
            p.impossible = too_large.what();
        } catch (const InvalidInput& too_large) {  // of what was predicted from a sample
            p.impossible = too_large.what();
        }
        backend.trim();  // one after the other must fit, not all together
    }
    if (!chosen.matrix) {
        const FormatPrediction& p = best(in, all);
        throw InvalidInput(fmt::format("no format can hold the matrix on this device: {}", p.impossible));
    }
    keep_choice(backend, in, {chosen.choice.format, fastest, chosen.choice.ell_width});
    chosen.choice.reason = fmt::format("{}: measured, a product takes {:.3f} ms ({})", name(chosen.choice.format),
                                       fastest * 1e3, others(all, chosen.choice.format, milliseconds));
    return chosen;
}

}  // namespace

FormatChoice choose_format(const FormatInput& in, FormatKind wanted, bool all) {
    FormatChoice choice;
    if (wanted != FormatKind::automatic && wanted != FormatKind::measure) {
        FormatPrediction p = format_row(wanted).predict(in);
        p.format = wanted;
        choice.format = wanted;
        choice.reason = fmt::format("{}: asked for; {}, {:.2f} MB fetched for each product", name(wanted), passes(p),
                                    p.bytes * 1e-6);
        choice.predictions = {std::move(p)};
        return choice;
    }
    choice.predictions = predictions(in, all);
    const FormatPrediction& p = best(in, choice.predictions);
    choice.format = p.format;
    const std::string predicted =
        p.predicted_seconds > 0 ? fmt::format(", {:.1f} us predicted", p.predicted_seconds * 1e6) : "";
    choice.reason = fmt::format("{}: {}; {}, {:.2f} MB fetched for each product{} ({})", name(p.format), p.note,
                                passes(p), p.bytes * 1e-6, predicted, others(choice.predictions, p.format, megabytes));
    return choice;
}

FormatInput for_device(const Backend& backend, const FormatInput& in) {
    FormatInput made = in;
    made.costs = product_costs(backend);
    made.by_numbers = backend.can().by_numbers;
    made.short_columns = !made.by_numbers;            // to take them apart takes longer than what they save
    made.exact_halves = !backend.can().on_processor;  // where bytes are what takes time
    return made;
}

ChosenFormat make_format(Backend& backend, const FormatInput& of_matrix, FormatKind wanted,
                         const std::optional<FormatChoice>& known) {
    FormatInput in = for_device(backend, of_matrix);
    if (wanted == FormatKind::measure && !known) return measure(backend, in);
    ChosenFormat chosen{known ? *known : choose_format(in, wanted), nullptr};
    const std::vector<FormatPrediction>& predictions = chosen.choice.predictions;
    const auto own = std::ranges::find(predictions, chosen.choice.format, &FormatPrediction::format);
    if (!known && own != predictions.end() && !own->possible())
        throw InvalidInput(
            fmt::format("format {}: {}; format auto finds another one", name(own->format), own->impossible));
    if (!known) chosen.choice.ell_width = with_measured_width(backend, in, chosen.choice.format).width;
    in.width = chosen.choice.ell_width;
    if (!known && in.width >= 0)
        chosen.choice.reason += fmt::format("; K = {} is the fastest of some widths", in.width);
    chosen.matrix = format_row(chosen.choice.format).make(backend, in);
    return chosen;
}

}  // namespace glsolve::inline v0_1
