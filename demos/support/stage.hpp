/// Where a demo plays: a GLFW window or, without a display, an EGL context. In both it draws into one picture, which is
/// shown, and saved where that is asked for.
#pragma once

#include <GL/glew.h>

#include <functional>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace demo {

class Animation;

/// What all demos understand: --headless --frames N --screenshot F.png --animation F.webp --every N --profile
/// --no-panel
struct StageOptions {
    std::string name;
    int width = 512, height = 512;  ///< of the picture
    int frames = 0;                 ///< 0: until the window is closed
    bool headless = false;
    bool panel = true;     ///< support/panel.hpp is drawn over the picture
    bool profile = false;  ///< solvers shall time each pass, for the panel
    std::string screenshot = {};
    std::string animation = {};
    int every = 2;  ///< frames from one picture of the animation to the next

    /// Reads the command line; prints help or what is wrong, and ends the program, where that is called for. `own` adds
    /// a demo's own options.
    void parse(int argc, char** argv, const std::function<void(CLI::App&)>& own = {});
};

/// What mouse and keyboard have done since the frame before; without a window nothing.
struct Input {
    double x = 0, y = 0;   ///< of the mouse, in pixels of the picture from its lower left
    bool down = false;     ///< the left button ...
    bool pressed = false;  ///< ... since this frame
    bool released = false;
    double wheel = 0;
    std::string keys = {};  ///< pressed since the frame before: letters, large, digits and spaces

    bool has(char key) const { return keys.find(key) != std::string::npos; }
};

class Stage {
  public:
    /// Throws std::runtime_error that says why there is no OpenGL 3.3. Its context is current from then on.
    explicit Stage(StageOptions options);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    const StageOptions& options() const { return options_; }
    /// Draw into this one: the picture's.
    GLuint framebuffer() const { return framebuffer_; }
    /// Shows what has been drawn, saves it where that is asked for, and says whether there is another frame.
    bool next();
    int frame() const { return frame_; }
    const Input& input() const { return input_; }
    /// Somebody has used the mouse, a panel say: the demo need not look at it.
    void take_mouse() { input_.down = input_.pressed = input_.released = false; }

  private:
    class Context;
    class Window;
    class Headless;

    StageOptions options_;
    std::unique_ptr<Context> context_;
    std::unique_ptr<Animation> animation_;
    GLuint picture_ = 0, framebuffer_ = 0;
    int frame_ = 0;
    Input input_;
};

/// A program of a full-screen triangle and this fragment shader. Throws std::runtime_error with the compiler's words.
GLuint make_program(const char* fragment_source);
/// The same with a vertex shader of one's own.
GLuint make_program(const char* vertex_source, const char* fragment_source);
/// A texture of zeros, or of these texels, four floats each.
GLuint make_texture(GLenum format, int width, int height, const float* texels = nullptr);
/// A framebuffer that draws into the texture.
GLuint make_framebuffer(GLuint texture);
/// Draws a triangle over all of the picture, or of a texture.
void draw(GLuint program, GLuint framebuffer, int width, int height);

}  // namespace demo
