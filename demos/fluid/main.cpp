// Smoke in a box with an open top, and solids that move through it. Each frame the velocity is made free of divergence:
// glsolve solves for the pressure, from texture to texture. Keys choose the method, and the colours show what each one
// leaves.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "divergence_meter.hpp"
#include "legend.hpp"
#include "pressure.hpp"
#include "simulation.hpp"
#include "support/panel.hpp"
#include "view.hpp"

namespace {

constexpr int strip_of_panel = 264;       // pixels beside the panes
constexpr double usual_milliseconds = 8;  // half of a frame, where there are sixty in a second

class Options {
  public:
    demo::StageOptions stage{.name = "glsolve: fluid"};
    int side = 512;
    fluid::Method method = fluid::Method::multigrid;
    int iterations = 0;
    std::optional<double> milliseconds;
    int tour = 0;
    fluid::Show show = fluid::Show::both;

    int strip() const { return stage.panel ? strip_of_panel : 0; }

    void parse(int argc, char** argv) {
        std::string method_name = "multigrid", view_name = "both";
        stage.parse(argc, argv, [&](CLI::App& app) {
            app.add_option("--size", side, "cells a side of the box")
                ->check(CLI::Range(64, 4096))
                ->capture_default_str();
            app.add_option("--method", method_name, "of the pressure")
                ->check(CLI::IsMember(names_of(methods_)))
                ->capture_default_str();
            app.add_option("--iterations", iterations, "of a frame (0: jacobi 20, cg 20, multigrid 4)")
                ->check(CLI::Range(0, 1000));
            app.add_option("--milliseconds", milliseconds,
                           "of the GPU for a frame's pressure: as many of the iterations as fit, one at least (0: "
                           "all; a window whose iterations are not given: 8, so that slow devices keep their rate)")
                ->check(CLI::Range(0.0, 1000.0));
            app.add_option("--tour", tour, "after so many frames the next method has its turn (0: keys alone choose)")
                ->check(CLI::Range(0, 1000000));
            app.add_option("--show", view_name, "what is seen")
                ->check(CLI::IsMember(names_of(views_)))
                ->capture_default_str();
        });
        if (!milliseconds) milliseconds = stage.headless || iterations > 0 ? 0.0 : usual_milliseconds;
        method = methods_.at(method_name);
        show = views_.at(view_name);
        const int pane = fluid::View::pane_side(side);
        stage.height = pane;
        stage.width = strip() + (show == fluid::Show::both ? 2 : 1) * pane;
    }

  private:
    const std::map<std::string, fluid::Method> methods_{
        {"jacobi", fluid::Method::jacobi}, {"cg", fluid::Method::cg}, {"multigrid", fluid::Method::multigrid}};
    const std::map<std::string, fluid::Show> views_{
        {"smoke", fluid::Show::smoke}, {"divergence", fluid::Show::divergence}, {"both", fluid::Show::both}};

    template <class Meaning>
    static std::vector<std::string> names_of(const std::map<std::string, Meaning>& meanings) {
        std::vector<std::string> names;
        for (const auto& [name, meaning] : meanings) names.push_back(name);
        return names;
    }
};

/// What the frames have taken since the method was chosen.
struct Tally {
    int frames = 0;
    double iterations = 0, processor = 0, device = 0;

    void add(const glsolve::Report& report) {
        ++frames;
        iterations += static_cast<double>(report.iterations);
        processor += report.solve_seconds;
        device += report.device_seconds;
    }
    double mean(double sum) const { return frames > 0 ? sum / frames : 0.0; }
};

class Demo {
  public:
    explicit Demo(Options options)
        : options_(std::move(options)),
          stage_(options_.stage),
          panel_(stage_),
          simulation_(options_.side),
          discs_(options_.side),
          pressure_(simulation_, options_.method,
                    {.iterations = options_.iterations,
                     .milliseconds = *options_.milliseconds,
                     .profile = options_.stage.profile}),
          meter_(simulation_),
          view_(options_.strip(), options_.stage.width, options_.stage.height) {
        view_.show(options_.show);
    }

    void run() {
        glFinish();
        const auto begin = std::chrono::steady_clock::now();
        do {
            if (!paused_) step();
            view_.draw(simulation_, stage_.framebuffer());
            while (const auto report = pressure_.poll()) {
                tally_.add(*report);
                panel_.heard(*report);
            }
            while (const auto divergence = meter_.poll()) divergence_ = *divergence;
            panel_.draw(pressure_.iteration(), pressure_.preconditioner(), [this] { draw_legend(); });
            listen();  // what of the mouse the panel has not taken
        } while (stage_.next());
        glFinish();
        const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
        while (const auto report = pressure_.poll()) tally_.add(*report);
        say(all.count());
    }

  private:
    /// Keys and the mouse.
    void listen() {
        const demo::Input& input = stage_.input();
        for (const auto& [key, method] : {std::pair('J', fluid::Method::jacobi), std::pair('C', fluid::Method::cg),
                                          std::pair('M', fluid::Method::multigrid)}) {
            if (input.has(key)) choose(method);
        }
        if (input.has('D')) view_.show(static_cast<fluid::Show>((static_cast<int>(view_.shown()) + 1) % 3));
        if (input.has(' ')) paused_ = !paused_;
        if (input.has('R')) {
            frame_ = 0;
            discs_ = fluid::Discs(options_.side);
            simulation_.clear();
        }
        if (input.pressed) pane_ = view_.pane_at(input.x, input.y);
        if (!input.down || !pane_) return discs_.release();
        const double x = (input.x - pane_->x) / pane_->side, y = (input.y - pane_->y) / pane_->side;
        if (input.pressed) discs_.grab(x, y);
        discs_.pull(x, y);
    }

    void choose(fluid::Method method) {
        if (method == pressure_.method()) return;
        pressure_.choose(method);
        panel_.forget();
        tally_ = {};
    }

    void step() {
        if (options_.tour > 0 && frame_ > 0 && frame_ % options_.tour == 0) {
            choose(static_cast<fluid::Method>((static_cast<int>(pressure_.method()) + 1) % 3));
        }
        discs_.advance(frame_++);
        simulation_.step(discs_, [this] { pressure_.enqueue(); });
        meter_.measure();
    }

    void draw_legend() const {
        fluid::draw_keys(pressure_.method(), paused_);
        fluid::draw_divergence(divergence_);
        fluid::draw_captions(view_, options_.stage.height);
    }

    void say(double seconds) {
        const fluid::Divergence left = meter_.last();
        std::printf(
            "fluid: %d frames of %d x %d cells, %s + %s: %.1f iterations a frame; divergence rms %.2e before and %.2e "
            "after the last projection, largest %.2e; pressure: processor %.2f ms, GPU %.2f ms a frame; %.1f frames a "
            "second\n",
            stage_.frame(), options_.side, options_.side, pressure_.iteration().c_str(),
            pressure_.preconditioner().c_str(), tally_.mean(tally_.iterations), left.before, left.after, left.largest,
            1e3 * tally_.mean(tally_.processor), 1e3 * tally_.mean(tally_.device), stage_.frame() / seconds);
    }

    Options options_;
    demo::Stage stage_;
    demo::Panel panel_;
    fluid::Simulation simulation_;
    fluid::Discs discs_;
    fluid::Pressure pressure_;
    fluid::DivergenceMeter meter_;
    fluid::View view_;
    fluid::Divergence divergence_;     // the last that has arrived
    std::optional<fluid::Pane> pane_;  // in which the mouse was pressed
    Tally tally_;
    int frame_ = 0;
    bool paused_ = false;
};

}  // namespace

int main(int argc, char** argv) try {
    Options options;
    options.parse(argc, argv);
    Demo(std::move(options)).run();
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "fluid: %s\n", error.what());
    return 1;
}
