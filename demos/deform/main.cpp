// A mesh dragged by handles: as rigid as possible, or Laplacian. Each frame is one solve for x, y and z together, from
// texture to texture, with the positions of the frame before as a guess; the vertex shader draws what the solver left.
#include <imgui.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "deform/deformation.hpp"
#include "deform/mesh.hpp"
#include "deform/mouse.hpp"
#include "deform/view.hpp"
#include "support/panel.hpp"

namespace {

using deform::Energy;
using deform::Path;

struct Settings {
    std::string mesh, output;
    std::string resolution = "medium", energy = "rigid", path;
    int iterations = 30, period = 160;
};

const std::map<std::string, double>& spacings() {  // of the cactus's grid
    static const std::map<std::string, double> all{{"low", 0.06}, {"medium", 0.03}, {"high", 0.02}};
    return all;
}

const std::map<std::string, Path>& paths() {
    static const std::map<std::string, Path> all{
        {"none", Path::none}, {"bend", Path::bend}, {"twist", Path::twist}, {"stretch", Path::stretch}};
    return all;
}

void add_options(CLI::App& app, Settings& settings) {
    app.add_option("--mesh", settings.mesh, "a mesh of triangles, OBJ; else a cactus is made");
    app.add_option("--output", settings.output, "write the deformed mesh here in the end, as OBJ");
    app.add_option("--resolution", settings.resolution, "of the cactus")->check(CLI::IsMember(spacings()));
    app.add_option("--energy", settings.energy, "rigid: as rigid as possible; laplacian: edges keep their direction")
        ->check(CLI::IsMember({"rigid", "laplacian"}));
    app.add_option("--path", settings.path, "of the upper handle, there and back (left out: bend; in a window: none)")
        ->check(CLI::IsMember(paths()));
    app.add_option("--period", settings.period, "frames of the path, there and back")->check(CLI::Range(2, 1000000));
    app.add_option("--iterations", settings.iterations, "of conjugate gradients, a frame")->check(CLI::Range(1, 10000));
}

/// What the panel shows above the solver's own lines.
void show(const deform::Mesh& mesh, deform::Deformation& deformation, Path& path) {
    ImGui::Text("%zu vertices, %zu triangles", mesh.size(), mesh.triangles.size());
    Energy energy = deformation.energy();
    if (ImGui::RadioButton("as rigid as possible", energy == Energy::rigid)) energy = Energy::rigid;
    if (ImGui::RadioButton("Laplacian", energy == Energy::laplacian)) energy = Energy::laplacian;
    deformation.use(energy);
    for (const auto& [name, one] : paths()) {
        if (one == Path::none || one == Path::twist) ImGui::SameLine(124);
        if (ImGui::RadioButton(one == Path::none ? "no path" : name.c_str(), path == one)) path = one;
    }
    ImGui::TextColored(ImVec4(0.35f, 0.55f, 1.0f, 1), "held");
    ImGui::SameLine();
    ImGui::TextColored(ImVec4(1.0f, 0.55f, 0.2f, 1), "dragged");
    ImGui::SameLine();
    ImGui::TextColored(ImVec4(0.35f, 0.75f, 0.45f, 1), "free");
    ImGui::SameLine();
    ImGui::TextColored(ImVec4(0.9f, 0.75f, 0.25f, 1), "stretched");
    ImGui::Separator();
}

/// Without a window only frames that are saved are worth drawing.
bool is_seen(const demo::Stage& stage) {
    const demo::StageOptions& options = stage.options();
    const bool last = stage.frame() + 1 == options.frames;
    return !options.headless || (last && !options.screenshot.empty())
           || (!options.animation.empty() && (last || stage.frame() % options.every == 0));
}

struct Model {
    deform::Mesh mesh;
    deform::Placing placing;
    deform::Handles handles;
};

Model load(const Settings& settings) {
    Model model{.mesh = settings.mesh.empty() ? deform::make_cactus(spacings().at(settings.resolution))
                                              : deform::read_obj(settings.mesh),
                .placing = {},
                .handles = {}};
    try {
        model.placing = deform::place(model.mesh);
        model.handles = deform::handles_at_ends(model.mesh);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(settings.mesh + ": " + error.what());
    }
    return model;
}

void run(const Settings& settings, demo::StageOptions options) {
    Model model = load(settings);
    const deform::Mesh& mesh = model.mesh;
    Path path = settings.path.empty() ? (options.headless ? Path::bend : Path::none) : paths().at(settings.path);

    demo::Stage stage(std::move(options));
    demo::Panel panel(stage);
    deform::Deformation deformation(mesh, std::move(model.handles), settings.iterations, stage.options().profile);
    deformation.use(settings.energy == "rigid" ? Energy::rigid : Energy::laplacian);
    const float ground = std::ranges::min(mesh.vertices, {}, &deform::Vector::y).y;
    const deform::View view(deformation.textures(), stage.options().width, stage.options().height, ground);
    deform::Camera camera;
    deform::Mouse mouse;

    int solves = 0, iterations = 0;
    double residual = 0;
    const auto own = [&] { show(mesh, deformation, path); };
    do {
        mouse.act(stage.input(), stage.options(), camera, deformation);
        if (mouse.handle() == deform::dragged_group) path = Path::none;  // it has been taken from its path
        if (path != Path::none) {
            const double amount = deform::amount_at(stage.frame(), settings.period);
            deformation.move(deform::dragged_group, deform::motion_along(path, amount, deformation.handles()));
        }
        deformation.step();
        if (is_seen(stage)) view.draw(camera, stage.framebuffer());
        while (const auto report = deformation.poll()) {  // of earlier frames
            ++solves;
            iterations += static_cast<int>(report->iterations);
            residual = report->relative_residual;
            panel.heard(*report);
        }
        panel.draw("cg", "jacobi", own);
    } while (stage.next());

    const deform::Mesh deformed = deformation.read();
    if (!settings.output.empty()) deform::write_obj(settings.output, deform::replaced(deformed, model.placing));
    std::printf(
        "%s: %zu vertices, %d frames; %.1f iterations each, residual %.1e; handles are within %.1e of where "
        "they were dragged\n",
        deformation.renderer().c_str(), mesh.size(), stage.frame(),
        solves > 0 ? static_cast<double>(iterations) / solves : 0.0, residual,
        static_cast<double>(deformation.handle_error(deformed)) / 2);  // the mesh's diagonal is 2
}

}  // namespace

int main(int argc, char** argv) try {
    demo::StageOptions options{.name = "glsolve: deform", .width = 768, .height = 640};
    Settings settings;
    options.parse(argc, argv, [&](CLI::App& app) { add_options(app, settings); });
    run(settings, std::move(options));
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "deform: %s\n", error.what());
    return 1;
}
