// A VTK program, in whose context glsolve solves on textures of VTK's between two frames. Its pictures are the same,
// bit by bit, with StatePolicy::restore, with StatePolicy::host_resets, and without glsolve. Needs a display.
#include <vtkActor.h>
#include <vtkAutoInit.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLState.h>
#include <vtkPlaneSource.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSphereSource.h>
#include <vtkTexture.h>
#include <vtkTextureObject.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>
#include <cstdio>
#include <glsolve/device.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <optional>
#include <string>
#include <vector>

VTK_MODULE_INIT(vtkRenderingOpenGL2)

namespace {

constexpr int side = 40, frames = 4, width = 300, height = 220;

enum class Way { restore, host_resets, without };

using Picture = std::vector<unsigned char>;

/// A checkered plane, magnified smoothly, behind a sphere, behind a translucent one.
struct Scene {
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkRenderWindow> window;
    vtkNew<vtkActor> sphere;

    Scene() {
        vtkNew<vtkImageData> checks;
        checks->SetDimensions(8, 8, 1);
        checks->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
        auto* texels = static_cast<unsigned char*>(checks->GetScalarPointer());
        for (int i = 0; i < 64; ++i) {
            const bool light = (i % 8 + i / 8) % 2 != 0;
            texels[3 * i] = light ? 250 : 20;
            texels[3 * i + 1] = light ? 220 : 40;
            texels[3 * i + 2] = light ? 40 : 200;
        }
        vtkNew<vtkTexture> texture;
        texture->SetInputData(checks);
        texture->InterpolateOn();
        vtkNew<vtkPlaneSource> plane;
        plane->SetOrigin(-2, -1.5, -1);
        plane->SetPoint1(2, -1.5, -1);
        plane->SetPoint2(-2, 1.5, -1);
        vtkNew<vtkPolyDataMapper> plane_mapper;
        plane_mapper->SetInputConnection(plane->GetOutputPort());
        vtkNew<vtkActor> textured;
        textured->SetMapper(plane_mapper);
        textured->SetTexture(texture);
        renderer->AddActor(textured);

        vtkNew<vtkSphereSource> ball;
        ball->SetThetaResolution(24);
        ball->SetPhiResolution(24);
        vtkNew<vtkPolyDataMapper> ball_mapper;
        ball_mapper->SetInputConnection(ball->GetOutputPort());
        sphere->SetMapper(ball_mapper);
        renderer->AddActor(sphere);
        vtkNew<vtkActor> translucent;
        translucent->SetMapper(ball_mapper);
        translucent->SetPosition(0.3, 0.2, 0.6);
        translucent->GetProperty()->SetColor(0.9, 0.2, 0.2);
        translucent->GetProperty()->SetOpacity(0.5);
        renderer->AddActor(translucent);

        window->SetSize(width, height);
        window->SetMultiSamples(0);
        window->AddRenderer(renderer);
    }
    vtkOpenGLRenderWindow* opengl() const { return vtkOpenGLRenderWindow::SafeDownCast(window.Get()); }

    Picture picture(int frame) {
        sphere->SetPosition(-0.6 + 0.2 * frame, 0.1 * frame, 0);
        window->Render();
        vtkNew<vtkUnsignedCharArray> pixels;
        window->GetPixelData(0, 0, width - 1, height - 1, 0, pixels);
        return {pixels->GetPointer(0), pixels->GetPointer(0) + pixels->GetNumberOfValues()};
    }
};

/// Solves on two textures of VTK's.
class Solving {
  public:
    Solving(Scene& scene, Way way, glsolve::Stage stage) : window_(scene.opengl()), way_(way) {
        std::vector<float> ones(std::size_t{side} * side, 1.0f), zeros(ones.size(), 0.0f);
        for (auto [texture, numbers] : {std::pair(b_.Get(), &ones), {x_.Get(), &zeros}}) {
            texture->SetContext(window_);
            texture->Create2DFromRaw(side, side, 1, VTK_FLOAT, numbers->data());
        }
        // What VTK has set is what it relies on: it takes note of it before, and sets it again after.
        around([&] {
            device_.emplace(glsolve::Device::adopt_current_opengl(
                stage, way == Way::restore ? glsolve::StatePolicy::restore : glsolve::StatePolicy::host_resets));
            solver_.emplace(*device_, glsolve::poisson2d(side), glsolve::Options{.tolerance = 1e-3});
        });
    }
    ~Solving() {
        window_->MakeCurrent();
        solver_.reset();
        device_.reset();
    }

    std::string solve() {
        std::optional<glsolve::Report> report;
        around([&] {
            solver_->enqueue({.texture = b_->GetHandle()}, {.texture = x_->GetHandle()},
                             {.iterations = 200, .zero_guess = true});
            while (!report) report = solver_->poll();
        });
        return report->converged() ? "" : report->reason + "\n";
    }

  private:
    template <class Call>
    void around(const Call& call) {
        window_->MakeCurrent();
        vtkOpenGLState* const state = window_->GetState();
        if (way_ == Way::host_resets) {
            state->Reset();
            state->Push();
        }
        call();
        if (way_ == Way::host_resets) {
            state->Reset();
            state->Pop();
        }
    }

    vtkOpenGLRenderWindow* window_;
    Way way_;
    vtkNew<vtkTextureObject> b_, x_;
    std::optional<glsolve::Device> device_;
    std::optional<glsolve::Solver> solver_;
};

std::vector<Picture> pictures(Way way, glsolve::Stage stage, std::string& complaint) {
    Scene scene;
    std::vector<Picture> made{scene.picture(0)};
    std::optional<Solving> solving;
    if (way != Way::without) solving.emplace(scene, way, stage);
    for (int frame = 1; frame < frames; ++frame) {
        if (solving) complaint += solving->solve();
        made.push_back(scene.picture(frame));
    }
    return made;
}

}  // namespace

int main() {
    int failures = 0;
    for (const glsolve::Stage stage : {glsolve::Stage::fragment, glsolve::Stage::compute}) {
        std::string complaint;
        const auto without = pictures(Way::without, stage, complaint),
                   restored = pictures(Way::restore, stage, complaint),
                   reset = pictures(Way::host_resets, stage, complaint);
        for (int frame = 0; frame < frames; ++frame) {
            const auto at = static_cast<std::size_t>(frame);
            if (restored[at] != without[at]) complaint += "restore: frame " + std::to_string(frame) + " is another\n";
            if (reset[at] != without[at]) complaint += "host_resets: frame " + std::to_string(frame) + " is another\n";
        }
        if (without[0] == without[frames - 1]) complaint += "the pictures do not change\n";
        std::printf("%s stage: %s\n", glsolve::name(stage).data(),
                    complaint.empty() ? "the pictures are the same" : ("FAILED\n" + complaint).c_str());
        failures += complaint.empty() ? 0 : 1;
    }
    return failures;
}
