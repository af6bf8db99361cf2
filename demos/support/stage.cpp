#include "support/stage.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/picture.hpp"

namespace demo {
namespace {

constexpr int milliseconds_a_frame = 20;  // of animations, which WebP's viewers are able to keep up with

std::vector<unsigned char> pixels_of(GLuint framebuffer, int width, int height) {
    std::vector<unsigned char> pixels(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
    return pixels;
}

}  // namespace

void StageOptions::parse(int argc, char** argv, const std::function<void(CLI::App&)>& own) {
    CLI::App app(name);
    app.add_flag("--headless", headless, "no window: OpenGL through EGL, on a GPU or on none");
    app.add_option("--frames", frames, "end after so many (0: when the window is closed)")
        ->check(CLI::Range(0, 1000000));
    app.add_option("--screenshot", screenshot, "save the last frame here, as PNG");
    app.add_option("--animation", animation, "save the frames here, as WebP");
    app.add_option("--every", every, "frames from one picture of the animation to the next")
        ->check(CLI::Range(1, 1000));
    app.add_flag("--profile", profile, "time each pass by stamps on the GPU, for the panel");
    app.add_flag("!--no-panel", panel, "the picture alone");
    if (own) own(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error) == 0 ? 0 : 1);
    }
    if (headless && frames == 0) frames = 100;
}

class Stage::Context {
  public:
    virtual ~Context() = default;
    /// Shows the picture; false: the window was closed.
    virtual bool show(GLuint framebuffer, int width, int height) = 0;
    /// What has happened since it was last asked.
    virtual Input input() { return {}; }
};

class Stage::Window final : public Context {
  public:
    explicit Window(const StageOptions& options) {
        if (glfwInit() == GLFW_FALSE) throw std::runtime_error("GLFW finds no display; --headless needs none");
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        window_ = glfwCreateWindow(options.width, options.height, options.name.c_str(), nullptr, nullptr);
        if (window_ == nullptr) throw std::runtime_error("GLFW: no window with OpenGL 3.3");
        glfwMakeContextCurrent(window_);
        glfwSwapInterval(1);
        glfwSetWindowUserPointer(window_, this);
        glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int, int action, int) {
            if (action != GLFW_PRESS || key < GLFW_KEY_SPACE || key > GLFW_KEY_Z) return;
            static_cast<Window*>(glfwGetWindowUserPointer(window))->since_.keys += static_cast<char>(key);
        });
        glfwSetScrollCallback(window_, [](GLFWwindow* window, double, double wheel) {
            static_cast<Window*>(glfwGetWindowUserPointer(window))->since_.wheel += wheel;
        });
    }
    ~Window() override { glfwTerminate(); }

    bool show(GLuint framebuffer, int width, int height) override {
        int shown_width = 0, shown_height = 0;
        glfwGetFramebufferSize(window_, &shown_width, &shown_height);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
        glBlitFramebuffer(0, 0, width, height, 0, 0, shown_width, shown_height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glfwSwapBuffers(window_);
        glfwPollEvents();
        width_ = width;
        height_ = height;
        return glfwWindowShouldClose(window_) == GLFW_FALSE && glfwGetKey(window_, GLFW_KEY_ESCAPE) != GLFW_PRESS;
    }

    Input input() override {
        Input now = std::exchange(since_, {});
        int wide = 1, high = 1;
        glfwGetWindowSize(window_, &wide, &high);
        glfwGetCursorPos(window_, &now.x, &now.y);
        now.x *= static_cast<double>(width_) / std::max(wide, 1);
        now.y = height_ - now.y * height_ / std::max(high, 1);
        now.down = glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS;
        now.pressed = now.down && !was_down_;
        now.released = !now.down && was_down_;
        was_down_ = now.down;
        return now;
    }

  private:
    GLFWwindow* window_ = nullptr;
    int width_ = 1, height_ = 1;
    bool was_down_ = false;
    Input since_;
};

class Stage::Headless final : public Context {
  public:
    Headless() {
        // A device that EGL knows, or Mesa without one.
        const auto platform_display =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
        const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
        EGLDeviceEXT device = nullptr;
        EGLint devices = 0;
        if (platform_display != nullptr && query_devices != nullptr && query_devices(1, &device, &devices) != EGL_FALSE
            && devices > 0) {
            open(platform_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
        }
        if (context_ == EGL_NO_CONTEXT && platform_display != nullptr) {
            open(platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
        }
        if (context_ == EGL_NO_CONTEXT) throw std::runtime_error("EGL: no context with OpenGL 3.3 without a display");
    }
    ~Headless() override {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
        eglTerminate(display_);
    }

    bool show(GLuint /*framebuffer*/, int /*width*/, int /*height*/) override { return true; }

  private:
    void open(EGLDisplay display) {
        if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return;
        display_ = display;
        eglBindAPI(EGL_OPENGL_API);
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
        context_ = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
        if (context_ != EGL_NO_CONTEXT) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_);
    }

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
};

Stage::Stage(StageOptions options) : options_(std::move(options)) {
    if (options_.headless) {
        context_ = std::make_unique<Headless>();
    } else {
        context_ = std::make_unique<Window>(options_);
    }
    glewExperimental = GL_TRUE;
    glewInit();  // answers 4 under EGL, where it finds no X display, though it has loaded all functions
    if (glGenFramebuffers == nullptr) throw std::runtime_error("GLEW has not loaded OpenGL 3.3");
    picture_ = make_texture(GL_RGBA8, options_.width, options_.height);
    framebuffer_ = make_framebuffer(picture_);
    GLuint vertices = 0;
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
}

Stage::~Stage() = default;

bool Stage::next() {
    const bool open = context_->show(framebuffer_, options_.width, options_.height);
    input_ = context_->input();
    const auto pixels = [&] { return pixels_of(framebuffer_, options_.width, options_.height); };
    if (!options_.animation.empty() && frame_ % options_.every == 0) {
        if (!animation_) {
            animation_ = std::make_unique<Animation>(options_.animation, options_.width, options_.height,
                                                     milliseconds_a_frame * options_.every);
        }
        animation_->add(pixels());
    }
    ++frame_;
    const bool goes_on = open && (options_.frames == 0 || frame_ < options_.frames);
    if (goes_on) return true;
    if (animation_) animation_->save();
    if (!options_.screenshot.empty()) save_picture(options_.screenshot, options_.width, options_.height, pixels());
    return false;
}

GLuint make_program(const char* fragment_source) {
    return make_program(R"(#version 330 core
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); })",
                        fragment_source);
}

GLuint make_program(const char* vertex_source, const char* fragment_source) {
    const GLuint program = glCreateProgram();
    for (const auto& [type, source] :
         {std::pair(GLenum{GL_VERTEX_SHADER}, vertex_source), std::pair(GLenum{GL_FRAGMENT_SHADER}, fragment_source)}) {
        const GLuint shader = glCreateShader(type);
        glShaderSource(shader, 1, &source, nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked == GL_FALSE) {
        std::string words(4096, '\0');
        glGetProgramInfoLog(program, static_cast<GLsizei>(words.size()), nullptr, words.data());
        throw std::runtime_error("shader: " + words);
    }
    return program;
}

GLuint make_texture(GLenum format, int width, int height, const float* texels) {
    const std::vector<float> zeros(texels == nullptr ? 4 * static_cast<std::size_t>(width * height) : 0);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, GL_RGBA, GL_FLOAT,
                 texels != nullptr ? texels : zeros.data());
    for (const int filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
        glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(filter), GL_NEAREST);
    }
    return texture;
}

GLuint make_framebuffer(GLuint texture) {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return framebuffer;
}

void draw(GLuint program, GLuint framebuffer, int width, int height) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace demo
