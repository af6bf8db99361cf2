// Seamless cloning: a part of one picture is put into another one so that no seam is seen. What is cloned are not the
// colours but their differences, and three Poisson equations, for red, green and blue, fit them in.
#include <imgui.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "clone/cloning.hpp"
#include "clone/inputs.hpp"
#include "clone/seam.hpp"
#include "clone/view.hpp"
#include "support/panel.hpp"

namespace {

struct CloneOptions {
    cloning::InputFiles files;
    std::vector<int> at;  // empty: in the middle
    std::string output;
    std::string show = "both";
    bool mixed_gradients = false;

    void add_to(CLI::App& app) {
        CLI::Option* source = app.add_option("--source", files.source, "what is cloned, PNG or JPEG");
        app.add_option("--mask", files.mask,
                       "white where the source is cloned; without: its alpha channel, or an ellipse")
            ->needs(source);
        app.add_option("--target", files.target, "what it is put into, PNG or JPEG");
        app.add_option("--size", files.size, "width of the target that is generated without --target")
            ->check(CLI::Range(32, 4096));
        app.add_option("--at", at, "X,Y: where in the target the source's lower left corner goes")
            ->delimiter(',')
            ->expected(2);
        app.add_option("--output", output, "write the result here, as PNG, in the target's size");
        app.add_flag("--mixed", mixed_gradients, "of source and target the stronger gradient: for what is transparent");
        app.add_option("--show", show, "pasted, cloned or both (of both, the cloned one is written)")
            ->check(CLI::IsMember({"pasted", "cloned", "both"}));
    }
};

/// A figure of eight around the middle, once in all frames.
cloning::Placement on_path(const cloning::Inputs& inputs, const cloning::Placement& middle, int frame, int frames) {
    const double turn = 2 * std::numbers::pi * frame / std::max(1, frames);
    const double wide = 0.42 * std::max(0, inputs.target.width - inputs.source.width);
    const double high = 0.16 * std::max(0, inputs.target.height - inputs.source.height);
    return {.x = middle.x + static_cast<int>(std::lround(wide * std::sin(turn))),
            .y = middle.y + static_cast<int>(std::lround(high * std::sin(2 * turn))),
            .mixed_gradients = middle.mixed_gradients};
}

cloning::Placement first_placement(const cloning::Inputs& inputs, const CloneOptions& options) {
    cloning::Placement first{.x = (inputs.target.width - inputs.source.width) / 2,
                             .y = (inputs.target.height - inputs.source.height) / 2,
                             .mixed_gradients = options.mixed_gradients};
    if (options.at.empty()) {
        const bool sky = options.files.target.empty();  // it is above the middle
        if (sky) first.y = (inputs.target.height - inputs.source.height) * 3 / 4;
        return first;
    }
    first.x = options.at[0];
    first.y = options.at[1];
    if (first.x <= -inputs.source.width || first.x >= inputs.target.width || first.y <= -inputs.source.height
        || first.y >= inputs.target.height) {
        throw std::runtime_error(
            "--at: there the source lies beside the target; X can be from " + std::to_string(1 - inputs.source.width)
            + " to " + std::to_string(inputs.target.width - 1) + ", Y from " + std::to_string(1 - inputs.source.height)
            + " to " + std::to_string(inputs.target.height - 1));
    }
    return first;
}

void say_how_it_went(const cloning::Inputs& inputs, const cloning::Placement& placement, const demo::Picture& result,
                     int frames, std::int64_t iterations, const glsolve::Report& last) {
    const cloning::Seam seam = cloning::measure_seam(inputs, placement, result);
    std::printf(
        "%d x %d, %d unknowns, 3 right-hand sides: %lld iterations in %d frames, residual %.1e; "
        "of 255, unexplained jumps of %.2f along the seam, %.2f inside\n",
        inputs.target.width, inputs.target.height, seam.unknowns, static_cast<long long>(iterations), frames,
        last.relative_residual, seam.along, seam.inside);
}

void run(demo::StageOptions stage_options, const CloneOptions& options) {
    const cloning::Inputs inputs = cloning::load_inputs(options.files);
    cloning::Placement placement = first_placement(inputs, options);
    const cloning::Placement middle = placement;
    const bool moves = stage_options.headless && stage_options.frames > 1 && options.at.empty();

    cloning::View view(inputs, options.show, stage_options.panel);
    stage_options.width = view.width();
    stage_options.height = view.height();
    demo::Stage stage(std::move(stage_options));
    demo::Panel panel(stage);
    cloning::Cloning work(inputs, placement, stage.options().profile);
    view.open();
    work.use_mipmaps(view.shrinks());

    std::int64_t iterations = 0;
    const auto hear = [&] {
        while (const auto report = work.poll()) {  // of earlier frames
            iterations += report->iterations;
            panel.heard(*report);
            if (!report->converged() && report->outcome != glsolve::Outcome::max_iterations) {
                std::printf("%s\n", report->reason.c_str());
            }
        }
    };
    const auto draw_panel = [&] { panel.draw("cg", "multigrid", [&] { view.widgets(stage, placement); }); };
    // A frame before the first: Dear ImGui shows a panel when it has learnt from an earlier one how large it is.
    work.frame(placement);
    glFinish();
    hear();
    draw_panel();
    do {
        if (moves) placement = on_path(inputs, middle, stage.frame(), stage.options().frames);
        work.frame(placement);
        view.draw(work, stage);
        hear();
        draw_panel();
        view.react(stage.input(), placement);  // after the panel, which takes the mouse where it is above it
    } while (stage.next());

    if (options.output.empty() && !stage.options().headless) return;
    const glsolve::Report last = work.finish();  // a file is worth waiting for
    hear();
    const demo::Picture result = work.read(options.show == "pasted" ? work.pasted() : work.cloned());
    if (!options.output.empty()) demo::save_picture(options.output, result);
    say_how_it_went(inputs, work.placement(), result, stage.frame(), iterations + last.iterations, last);
}

}  // namespace

int main(int argc, char** argv) try {
    demo::StageOptions stage_options{.name = "glsolve: clone"};
    CloneOptions options;
    stage_options.parse(argc, argv, [&](CLI::App& app) { options.add_to(app); });
    run(std::move(stage_options), options);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "clone: %s\n", error.what());
    return 1;
}
