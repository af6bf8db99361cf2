#include "embedding/application.hpp"

#include <cmath>
#include <numeric>

namespace {

// b = shift u + q for the step  (shift - laplace) u' = shift u + q
constexpr const char* heat_source = R"(#version 330 core
uniform sampler2D u;
uniform vec2 flame;
out float b;
void main() {
    vec2 away = gl_FragCoord.xy - flame, other = gl_FragCoord.xy - (vec2(textureSize(u, 0)) - flame);
    float q = dot(away, away) < 9.0 || dot(other, other) < 9.0 ? 0.02 : 0.0;
    b = 0.5 * texelFetch(u, ivec2(gl_FragCoord.xy), 0).r + q;
})";

constexpr const char* show_source = R"(#version 330 core
uniform sampler2D u;
out vec4 colour;
void main() {
    float t = 1.0 - exp(-0.4 * texelFetch(u, ivec2(gl_FragCoord.xy), 0).r);
    colour = vec4(t, t * t, 0.5 * sqrt(t), 1.0);
})";

constexpr const char* vertex_source = R"(#version 330 core
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); })";

glsolve::Options solver_options() {
    glsolve::Options options = glsolve::GridSolver::usual_options();
    options.precision = glsolve::Precision::single;  // a picture needs no more
    options.tolerance = 1e-5;
    return options;
}

}  // namespace

Application::Application(int size, glsolve::Stage stage)
    : size_(size),
      device_(glsolve::Device::adopt_current_opengl(stage)),
      solver_(device_, {.width = size, .height = size, .shift = shift}, solver_options()),
      temperature_(make_texture(GL_R32F)),
      right_side_(make_texture(GL_R32F)),
      picture_(make_texture(GL_RGBA8)),
      heat_(make_program(heat_source)),
      show_(make_program(show_source)) {
    solver_.warm_up({.texture = right_side_}, {.texture = temperature_});
    glGenVertexArrays(1, &vertices_);
    glBindVertexArray(vertices_);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, size_, size_);
    glDisable(GL_DITHER);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, size_, size_);
    glActiveTexture(GL_TEXTURE3);
    for (const GLuint program : {heat_, show_}) {
        glUseProgram(program);
        glUniform1i(glGetUniformLocation(program, "u"), 3);
    }
}

Application::~Application() {
    const GLuint textures[] = {temperature_, right_side_, picture_};
    glDeleteTextures(3, textures);
    glDeleteProgram(heat_);
    glDeleteProgram(show_);
    glDeleteVertexArrays(1, &vertices_);
    glDeleteFramebuffers(1, &framebuffer_);
}

void Application::frame(int number, bool reports) {
    const double angle = 0.05 * number, radius = 0.3 * size_;
    const double x = std::floor(0.5 * size_ + radius * std::cos(angle)),
                 y = std::floor(0.5 * size_ + radius * std::sin(angle));
    glUseProgram(heat_);
    glUniform2f(glGetUniformLocation(heat_, "flame"), static_cast<float>(x), static_cast<float>(y));
    draw(heat_, temperature_, right_side_);
    for (int i = 0; i < size_; ++i) {  // what the shader has lit, for the books
        for (int j = 0; j < size_; ++j) {
            const double dx = j + 0.5 - x, dy = i + 0.5 - y, ex = j + 0.5 - (size_ - x), ey = i + 0.5 - (size_ - y);
            if (dx * dx + dy * dy < 9 || ex * ex + ey * ey < 9) heat_given_ += 0.02 / shift;
        }
    }
    solver_.enqueue({.texture = right_side_}, {.texture = temperature_}, {.iterations = 5, .report = reports});
    glUseProgram(show_);
    draw(show_, temperature_, picture_);
}

void Application::draw(GLuint program, GLuint input, GLuint target) const {
    glUseProgram(program);
    glBindTexture(GL_TEXTURE_2D, input);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

double Application::heat_there() const {
    std::vector<float> u(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_));
    glBindTexture(GL_TEXTURE_2D, temperature_);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, u.data());
    return std::accumulate(u.begin(), u.end(), 0.0);
}

std::vector<unsigned char> Application::picture() const {
    std::vector<unsigned char> colours(4 * static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_));
    glBindTexture(GL_TEXTURE_2D, picture_);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, colours.data());
    return colours;
}

GLuint Application::make_texture(GLint format) const {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const std::vector<float> zeros(4 * static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_));
    glTexImage2D(GL_TEXTURE_2D, 0, format, size_, size_, 0, GL_RGBA, GL_FLOAT, zeros.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    return texture;
}

GLuint Application::make_program(const char* fragment) const {
    const GLuint program = glCreateProgram();
    for (const auto& [type, source] :
         {std::pair(GL_VERTEX_SHADER, vertex_source), std::pair(GL_FRAGMENT_SHADER, fragment)}) {
        const GLuint shader = glCreateShader(static_cast<GLenum>(type));
        glShaderSource(shader, 1, &source, nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    return program;
}
