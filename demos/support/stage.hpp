/// Where a demo plays: a GLFW window or, without a display, an EGL context. In both it draws into one picture, which is
/// shown, and saved as PNG where that is asked for.
#pragma once

#include <GL/glew.h>

#include <memory>
#include <string>

namespace demo {

/// What all demos understand: --headless --frames N --screenshot F.png
struct StageOptions {
    std::string name;
    int width = 512, height = 512;  ///< of the picture
    int frames = 0;                 ///< 0: until the window is closed
    bool headless = false;
    std::string screenshot = {};

    /// Reads the command line; prints help or what is wrong, and ends the program, where that is called for.
    void parse(int argc, char** argv);
};

class Stage {
  public:
    /// Throws std::runtime_error that says why there is no OpenGL 3.3. Its context is current from then on.
    explicit Stage(StageOptions options);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// Draw into this one: the picture's.
    GLuint framebuffer() const { return framebuffer_; }
    /// Shows what has been drawn, saves it after the last frame, and says whether there is another one.
    bool next();
    int frame() const { return frame_; }

  private:
    class Context;
    class Window;
    class Headless;

    void save() const;

    StageOptions options_;
    std::unique_ptr<Context> context_;
    GLuint picture_ = 0, framebuffer_ = 0;
    int frame_ = 0;
};

/// A program of a full-screen triangle and this fragment shader. Throws std::runtime_error with the compiler's words.
GLuint make_program(const char* fragment_source);
/// A texture of zeros, or of these texels, four floats each.
GLuint make_texture(GLenum format, int width, int height, const float* texels = nullptr);
/// Draws a triangle over all of the picture, or of a texture.
void draw(GLuint program, GLuint framebuffer, int width, int height);

}  // namespace demo
