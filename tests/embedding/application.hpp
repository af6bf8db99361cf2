/// A program as others write it: GLEW, a few shaders, textures of its own, and glsolve's public headers. A plate is
/// heated by two flames that go round; each frame is an implicit step of the heat equation, solved from texture to
/// texture, and drawn as a picture. It sets its OpenGL state once and never again.
#pragma once

#include <GL/glew.h>

#include <glsolve/glsolve.hpp>
#include <optional>
#include <vector>

class Application {
  public:
    /// In the context that is current. The plate has size x size cells and closed sides.
    Application(int size, glsolve::Stage stage);
    ~Application();
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    /// Heats, solves, draws. Not `reports`: nothing comes back from the device at all.
    void frame(int number, bool reports);
    /// What became of an earlier frame's solve.
    std::optional<glsolve::Report> outcome() { return solver_.poll(); }

    // For who wants to look; these wait.
    double heat_given() const { return heat_given_; }
    double heat_there() const;
    std::vector<unsigned char> picture() const;

    glsolve::Device& device() { return device_; }

  private:
    GLuint make_texture(GLint format) const;
    GLuint make_program(const char* fragment) const;
    void draw(GLuint program, GLuint input, GLuint target) const;

    static constexpr double shift = 0.5;  // 1 / (diffusivity times time step)

    int size_;
    glsolve::Device device_;
    glsolve::GridSolver solver_;
    GLuint temperature_ = 0, right_side_ = 0, picture_ = 0;
    GLuint heat_ = 0, show_ = 0, vertices_ = 0, framebuffer_ = 0;
    double heat_given_ = 0;
};
