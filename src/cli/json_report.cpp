#include <glsolve/version.hpp>
#include <nlohmann/json.hpp>

#include "cli/solution.hpp"

namespace glsolve::cli {

std::string to_json(const Solution& s) {
    using nlohmann::ordered_json;
    const Report& r = s.report;
    ordered_json json;
    json["glsolve"] = GLSOLVE_VERSION;
    json["matrix"] = {{"file", s.file},
                      {"rows", s.rows},
                      {"columns", s.columns},
                      {"nonzeros", s.nonzeros},
                      {"format", name(s.format.format)},
                      {"format_reason", s.format.reason}};
    json["device"] = {{"backend", name(s.device.backend)},
                      {"stage", s.device.backend == BackendKind::opengl ? name(s.device.stage) : "none"},
                      {"renderer", s.device.renderer},
                      {"version", s.device.version}};
    json["method"] = name(s.options.method);
    if (is_gmres(s.options.method)) {
        json["gmres"] = {{"restart", s.options.gmres.restart},
                         {"orthogonalisation", name(s.options.gmres.orthogonalisation)},
                         {"least_squares", name(s.options.gmres.least_squares)}};
    }
    json["preconditioner"] = name(s.options.preconditioner);
    json["status"] = name(r.status);
    json["reason"] = r.reason;
    json["iterations"] = r.iterations;
    json["corrections"] = r.corrections;
    json["corrections_on_device"] = r.corrections_on_device;
    json["residuals"] = r.residuals;
    json["relative_residual"] = r.relative_residual;
    json["tolerance"] = s.options.tolerance;
    if (s.error_infinity) json["error_infinity"] = *s.error_infinity;
    json["seconds"] = {{"read", s.read_seconds}, {"setup", r.setup_seconds}, {"solve", r.solve_seconds}};
    json["reads"] = r.reads;
    json["encoded_passes"] = r.passes;
    json["memory"] = {{"device", r.device_bytes}, {"matrix", r.matrix_bytes}, {"vector", r.vector_bytes}};
    json["history"] = json["true_residuals"] = ordered_json::array();
    for (const HistoryEntry& entry : r.history) {
        json["history"].push_back({entry.iteration, entry.relative_residual});
        if (entry.corrected) json["true_residuals"].push_back({entry.iteration, entry.relative_residual});
    }
    if (s.options.profile) {
        json["passes"] = ordered_json::array();
        for (const PassReport& pass : r.profile) {
            json["passes"].push_back({{"name", pass.name},
                                      {"calls", pass.calls},
                                      {"milliseconds", pass.seconds * 1e3},
                                      {"gigabytes_per_second", pass.bytes_per_second * 1e-9}});
        }
    }
    // File names may hold bytes that are no UTF-8.
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace glsolve::cli
