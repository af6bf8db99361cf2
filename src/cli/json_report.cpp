#include <glsolve/version.hpp>
#include <nlohmann/json.hpp>

#include "cli/comparison.hpp"
#include "cli/hierarchy.hpp"
#include "cli/solution.hpp"
#include "options/option_table.hpp"

namespace glsolve::cli {
namespace {

using nlohmann::ordered_json;

ordered_json matrix_of(const Solution& s) {
    ordered_json json = {{"file", s.file}, {"rows", s.rows}, {"columns", s.columns}, {"nonzeros", s.nonzeros}};
    if (!s.read_remarks.empty()) json["remarks"] = s.read_remarks;
    return json;
}

ordered_json accuracy_of(const Accuracy& accuracy) {
    if (!accuracy.refused.empty()) return {{"refused", accuracy.refused}};
    return {{"relative_residual", accuracy.reference.relative_residual},
            {"uncertainty", accuracy.reference.uncertainty},
            {"corrections", accuracy.reference.corrections},
            {"largest_error", accuracy.largest},
            {"median_error", accuracy.median}};
}

ordered_json passes_of(const Report& report) {
    ordered_json passes = ordered_json::array();
    for (const PassReport& pass : report.profile) {
        passes.push_back({{"name", pass.name},
                          {"calls", pass.calls},
                          {"milliseconds", pass.seconds * 1e3},
                          {"gigabytes_per_second", pass.bytes_per_second * 1e-9}});
    }
    return passes;
}

/// What the method and the preconditioner take beside what all take, under the names of the library. (What multigrid
/// takes is not "amg", where its levels are.)
void add_options(ordered_json& json, const Options& options) {
    each_option([&](const OptionRow& row) {
        if (!belongs_to(row, options)) return;
        const std::string group = row.at.group->name == "amg" ? "amg_options" : std::string(row.at.group->name);
        std::visit([&](const auto& value) { json[group][std::string(row.at.member)] = value; }, value_of(row, options));
    });
}

ordered_json report_of(const Solution& s) {
    const Report& r = s.report;
    ordered_json json;
    json["glsolve"] = GLSOLVE_VERSION;
    json["matrix"] = matrix_of(s);
    json["matrix"]["format"] = name(s.format.format);
    json["matrix"]["format_reason"] = s.format.reason;
    json["device"] = {{"backend", name(s.device.backend)},
                      {"stage", s.device.backend == BackendKind::opengl ? name(s.device.stage) : "none"},
                      {"renderer", s.device.renderer},
                      {"version", s.device.version}};
    json["method"] = name(s.options.method);
    if (!s.method_reason.empty()) json["method_reason"] = s.method_reason;
    add_options(json, s.options);
    if (!s.guess.empty()) json["initial_guess"] = s.guess;
    json["preconditioner"] = name(s.options.preconditioner);
    if (!s.preconditioner_remark.empty()) json["preconditioner_remark"] = s.preconditioner_remark;
    if (!s.hierarchy.levels.empty()) json["amg"] = cli::to_json(s.hierarchy);
    json["status"] = name(r.outcome);
    json["reason"] = r.reason;
    if (!r.remarks.empty()) json["remarks"] = r.remarks;
    json["iterations"] = r.iterations;
    json["corrections"] = r.corrections;
    json["corrections_on_device"] = r.corrections_on_device;
    json["residuals"] = r.residuals;
    json["relative_residual"] = r.relative_residual;
    if (s.options.method == Method::cgnr) json["normal_residual"] = r.normal_residual;
    json["tolerance"] = s.options.tolerance;
    if (s.error_infinity) json["error_infinity"] = *s.error_infinity;
    if (s.accuracy) json["reference"] = accuracy_of(*s.accuracy);
    json["seconds"] = {
        {"read", s.read_seconds}, {"setup", r.setup_seconds}, {"solve", r.solve_seconds}, {"host", r.host_seconds}};
    if (s.options.seconds > 0) json["seconds"]["limit"] = s.options.seconds;
    for (const auto& [phase, seconds] : s.phases) json["phases"][std::string(phase)] = seconds;
    json["reads"] = r.reads;
    json["encoded_passes"] = r.passes;
    json["memory"] = {{"device", r.device_bytes}, {"matrix", r.matrix_bytes}, {"vector", r.vector_bytes}};
    json["history"] = json["true_residuals"] = ordered_json::array();
    for (const HistoryEntry& entry : r.history) {
        json["history"].push_back({entry.iteration, entry.relative_residual});
        if (entry.corrected) json["true_residuals"].push_back({entry.iteration, entry.relative_residual});
    }
    if (s.options.profile) json["passes"] = passes_of(r);
    return json;
}

/// File names may hold bytes that are no UTF-8.
std::string text_of(const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

ordered_json to_json(const HierarchyReport& h) {
    ordered_json json;
    json["levels"] = ordered_json::array();
    for (const LevelReport& level : h.levels) {
        json["levels"].push_back({{"rows", level.rows},
                                  {"nonzeros", level.nonzeros},
                                  {"interpolation", level.transfer_nonzeros},
                                  {"stored", level.stored},
                                  {"on_host", level.on_host}});
    }
    json["grid_complexity"] = h.grid_complexity();
    json["operator_complexity"] = h.operator_complexity();
    json["coarsest"] = h.coarsest;
    json["set_up"] = name(h.set_up);
    if (!h.why_host.empty()) json["why_host"] = h.why_host;
    json["seconds"] = {{"strength", h.strength_seconds},
                       {"coarsening", h.coarsening_seconds},
                       {"interpolation", h.interpolation_seconds},
                       {"products", h.product_seconds},
                       {"inverse", h.coarse_seconds},
                       {"upload", h.upload_seconds}};
    return json;
}

std::string to_json(const Solution& solution) { return text_of(report_of(solution)); }

std::string to_json(std::span<const Solution> solutions) {
    ordered_json json;
    json["glsolve"] = GLSOLVE_VERSION;
    json["matrix"] = matrix_of(solutions.front());
    json["tolerance"] = solutions.front().options.tolerance;
    json["right_hand_sides"] = ordered_json::array();
    for (const Solution& s : solutions) json["right_hand_sides"].push_back(report_of(s));
    return text_of(json);
}

std::string to_json(const Comparison& c) {
    ordered_json json;
    json["glsolve"] = GLSOLVE_VERSION;
    json["matrix"] = matrix_of(c.problem);
    json["tolerance"] = c.problem.options.tolerance;
    const double limit = c.problem.options.seconds;
    json["seconds_for_each"] = limit > 0 ? ordered_json(limit) : ordered_json(nullptr);
    json["left_out"] = c.left;
    json["runs"] = ordered_json::array();
    for (const Run& run : c.runs) {
        const Options& o = run.asked;
        ordered_json entry;
        entry["asked"] = {{"method", name(o.method)},
                          {"preconditioner", name(o.preconditioner)},
                          {"format", name(o.format)},
                          {"backend", name(run.place)}};
        entry["status"] = run.status();
        entry["reason"] = run.solution.report.reason;
        if (run.failure.empty()) entry["report"] = report_of(run.solution);
        json["runs"].push_back(std::move(entry));
    }
    return text_of(json);
}

}  // namespace glsolve::cli
