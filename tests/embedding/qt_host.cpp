// A Qt program: a QOpenGLWidget whose QPainter draws around what the program draws with QOpenGLTexture and
// QOpenGLShaderProgram, where glsolve solves on the program's textures in each frame. Its pictures are the same, bit by
// bit, with StatePolicy::restore, with StatePolicy::host_resets, and without glsolve. Needs a display.
#include <QApplication>
#include <QImage>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLPixelTransferOptions>
#include <QOpenGLShaderProgram>
#include <QOpenGLTexture>
#include <QOpenGLVertexArrayObject>
#include <QOpenGLWidget>
#include <QPainter>
#include <cmath>
#include <cstdio>
#include <glsolve/device.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace {

constexpr int side = 40, frames = 6;

enum class Way { restore, host_resets, without };

std::vector<float> heat(int frame) {
    std::vector<float> b(std::size_t{side} * side, 0.0f);
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            b[static_cast<std::size_t>(y * side + x)] = std::hypot(x - 12 - 2 * frame, y - 20) < 5 ? 1.0f : 0.0f;
        }
    }
    return b;
}

class Plate : public QOpenGLWidget, protected QOpenGLFunctions {
  public:
    /// `solutions`: of each frame; made by the first to come, shown by who has no solver.
    Plate(Way way, glsolve::Stage stage, std::vector<std::vector<float>>& solutions)
        : way_(way), stage_(stage), solutions_(solutions), icon_(8, 8, QImage::Format_ARGB32_Premultiplied) {
        setFixedSize(420, 300);
        for (int i = 0; i < 64; ++i) {
            icon_.setPixelColor(i % 8, i / 8, (i % 8 + i / 8) % 2 != 0 ? QColor(250, 220, 40) : QColor(20, 40, 200));
        }
    }
    ~Plate() override {
        makeCurrent();
        solver_.reset();
        device_.reset();
        b_.reset();
        x_.reset();
        show_.reset();
        vertices_.reset();
        doneCurrent();
    }
    /// The picture of a frame.
    QImage picture(int frame) {
        frame_ = frame;
        return grabFramebuffer();
    }
    std::string complaint;

  protected:
    void initializeGL() override {
        initializeOpenGLFunctions();
        for (auto* texture : {&b_, &x_}) {
            texture->emplace(QOpenGLTexture::Target2D);
            (*texture)->setSize(side, side);
            (*texture)->setFormat(QOpenGLTexture::R32F);
            (*texture)->setMipLevels(1);
            (*texture)->setMinMagFilters(QOpenGLTexture::Linear, QOpenGLTexture::Linear);
            (*texture)->setWrapMode(QOpenGLTexture::ClampToEdge);
            (*texture)->allocateStorage(QOpenGLTexture::Red, QOpenGLTexture::Float32);
        }
        if (way_ != Way::without) {
            device_.emplace(glsolve::Device::adopt_current_opengl(
                stage_, way_ == Way::restore ? glsolve::StatePolicy::restore : glsolve::StatePolicy::host_resets));
            solver_.emplace(*device_, glsolve::poisson2d(side), glsolve::Options{.tolerance = 1e-3});
            solver_->warm_up({.texture = b_->textureId()}, {.texture = x_->textureId()});
        }
        show_.emplace();
        show_->addShaderFromSourceCode(QOpenGLShader::Vertex,
                                       "#version 130\nout vec2 at;\n"
                                       "void main() { at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;"
                                       " gl_Position = vec4(at * 2.0 - 1.0, 0, 1); }");
        show_->addShaderFromSourceCode(
            QOpenGLShader::Fragment,
            "#version 130\nuniform sampler2D u;\nin vec2 at;\nout vec4 c;\n"
            "void main() { float v = texture(u, at).r * 0.02; c = vec4(v, 0.2, 1.0 - v, 1.0); }");
        show_->link();
        vertices_.emplace();
        vertices_->create();
    }

    void paintGL() override {
        QPainter painter(this);
        painter.fillRect(rect(), QColor(50, 50, 70));
        painter.beginNativePainting();
        solve();
        glViewport(10, 10, 200, 200);
        glDisable(GL_DEPTH_TEST);
        glDisable(GL_STENCIL_TEST);
        glDisable(GL_SCISSOR_TEST);
        glDisable(GL_BLEND);
        show_->bind();
        vertices_->bind();
        glActiveTexture(GL_TEXTURE0);
        x_->bind();
        show_->setUniformValue("u", 0);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        x_->release();
        vertices_->release();
        show_->release();
        painter.endNativePainting();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.setPen(QPen(Qt::white, 2));
        painter.drawEllipse(QRectF(230, 20, 120, 60));
        painter.drawImage(QRectF(230, 100, 120, 120), icon_);  // 8 x 8, magnified smoothly
        QLinearGradient gradient(230, 0, 400, 0);
        gradient.setColorAt(0, Qt::red);
        gradient.setColorAt(1, Qt::green);
        painter.fillRect(QRectF(230, 240, 160, 30), gradient);
        painter.drawText(20, 40, QString("frame %1").arg(frame_));
        painter.drawTiledPixmap(QRectF(20, 50, 180, 20), QPixmap::fromImage(icon_));
    }

  private:
    void solve() {
        const std::size_t which = static_cast<std::size_t>(frame_);
        if (!solver_) {
            x_->setData(QOpenGLTexture::Red, QOpenGLTexture::Float32, std::as_const(solutions_).at(which).data());
            return;
        }
        const std::vector<float> right = heat(frame_);
        b_->setData(QOpenGLTexture::Red, QOpenGLTexture::Float32, right.data());
        solver_->enqueue({.texture = b_->textureId()}, {.texture = x_->textureId()},
                         {.iterations = 200, .zero_guess = true});
        std::optional<glsolve::Report> report;
        while (!report) report = solver_->poll();
        if (!report->converged()) complaint += report->reason + "\n";
        if (way_ == Way::host_resets) {  // Qt sets the rest when native painting ends
            glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
        } else if (solutions_.size() == which) {
            solutions_.emplace_back(right.size());
            x_->bind();
            glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, solutions_.back().data());
            x_->release();
        }
        if (glGetError() != GL_NO_ERROR) complaint += "an OpenGL error\n";
    }

    Way way_;
    glsolve::Stage stage_;
    std::vector<std::vector<float>>& solutions_;
    QImage icon_;
    int frame_ = 0;
    std::optional<glsolve::Device> device_;
    std::optional<glsolve::Solver> solver_;
    std::optional<QOpenGLTexture> b_, x_;
    std::optional<QOpenGLShaderProgram> show_;
    std::optional<QOpenGLVertexArrayObject> vertices_;
};

/// Pictures of all frames, of which only the last ones of a widget show what the earlier ones have left behind.
std::vector<QImage> pictures(Way way, glsolve::Stage stage, std::vector<std::vector<float>>& solutions,
                             std::string& complaint) {
    Plate plate(way, stage, solutions);
    plate.show();
    QApplication::processEvents();
    std::vector<QImage> made;
    for (int frame = 0; frame < frames; ++frame) made.push_back(plate.picture(frame));
    complaint += plate.complaint;
    return made;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    int failures = 0;
    for (const glsolve::Stage stage : {glsolve::Stage::fragment, glsolve::Stage::compute}) {
        std::vector<std::vector<float>> solutions;
        std::string complaint;
        const auto restored = pictures(Way::restore, stage, solutions, complaint),
                   reset = pictures(Way::host_resets, stage, solutions, complaint),
                   without = pictures(Way::without, stage, solutions, complaint);
        for (int frame = 0; frame < frames; ++frame) {
            const auto at = static_cast<std::size_t>(frame);
            if (restored[at] != without[at]) complaint += "restore: frame " + std::to_string(frame) + " is another\n";
            if (reset[at] != without[at]) complaint += "host_resets: frame " + std::to_string(frame) + " is another\n";
        }
        if (without[0] == without[frames - 1]) complaint += "the pictures do not show what is solved\n";
        std::printf("%s stage: %s\n", glsolve::name(stage).data(),
                    complaint.empty() ? "the pictures are the same" : ("FAILED\n" + complaint).c_str());
        failures += complaint.empty() ? 0 : 1;
    }
    return failures;
}
