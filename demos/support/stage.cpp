#include "support/stage.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stb/stb_image_write.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace demo {

void StageOptions::parse(int argc, char** argv) {
    CLI::App app(name);
    app.add_flag("--headless", headless, "no window: OpenGL through EGL, on a GPU or on none");
    app.add_option("--frames", frames, "end after so many (0: when the window is closed)")
        ->check(CLI::Range(0, 1000000));
    app.add_option("--screenshot", screenshot, "save the last frame here, as PNG");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error));
    }
    if (headless && frames == 0) frames = 100;
}

class Stage::Context {
  public:
    virtual ~Context() = default;
    /// Shows the picture; false: the window was closed.
    virtual bool show(GLuint framebuffer, int width, int height) = 0;
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
        return glfwWindowShouldClose(window_) == GLFW_FALSE && glfwGetKey(window_, GLFW_KEY_ESCAPE) != GLFW_PRESS;
    }

  private:
    GLFWwindow* window_ = nullptr;
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
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture_, 0);
    GLuint vertices = 0;
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
}

Stage::~Stage() = default;

bool Stage::next() {
    const bool open = context_->show(framebuffer_, options_.width, options_.height);
    ++frame_;
    const bool goes_on = open && (options_.frames == 0 || frame_ < options_.frames);
    if (!goes_on && !options_.screenshot.empty()) save();
    return goes_on;
}

void Stage::save() const {
    std::vector<unsigned char> pixels(3 * static_cast<std::size_t>(options_.width * options_.height));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, options_.width, options_.height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
    stbi_flip_vertically_on_write(1);
    if (stbi_write_png(options_.screenshot.c_str(), options_.width, options_.height, 3, pixels.data(),
                       3 * options_.width)
        == 0) {
        throw std::runtime_error("cannot write " + options_.screenshot);
    }
}

GLuint make_program(const char* fragment_source) {
    constexpr const char* vertex_source = R"(#version 330 core
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); })";
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
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
        glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
    }
    return texture;
}

void draw(GLuint program, GLuint framebuffer, int width, int height) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace demo
