/// What a renderer has of its own: textures, and draws over all of one.
#pragma once

#include <GL/glew.h>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fluids {

/// A texture of one or two floats a texel, and a framebuffer that draws into it.
class Target {
  public:
    Target(int width, int height, int components)
        : width_(width), height_(height), components_(components), layout_(components == 1 ? GL_RED : GL_RG) {
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexImage2D(GL_TEXTURE_2D, 0, components == 1 ? GL_R32F : GL_RG32F, width, height, 0, layout_, GL_FLOAT,
                     std::vector<float>(count()).data());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glGenFramebuffers(1, &framebuffer_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
    ~Target() {
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteTextures(1, &texture_);
    }

    GLuint texture() const { return texture_; }
    int width() const { return width_; }
    int height() const { return height_; }

    void write(const std::vector<float>& texels) const {
        if (texels.size() != count()) throw std::logic_error("a texture was given too few texels, or too many");
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_, height_, layout_, GL_FLOAT, texels.data());
    }
    std::vector<float> read() const {
        std::vector<float> texels(count());
        glBindTexture(GL_TEXTURE_2D, texture_);
        glGetTexImage(GL_TEXTURE_2D, 0, layout_, GL_FLOAT, texels.data());
        return texels;
    }
    void bind() const {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glViewport(0, 0, width_, height_);
    }
    void swap(Target& other) {
        std::swap(texture_, other.texture_);
        std::swap(framebuffer_, other.framebuffer_);
    }

  private:
    std::size_t count() const { return static_cast<std::size_t>(width_ * height_ * components_); }

    int width_, height_, components_;
    GLenum layout_;
    GLuint texture_ = 0, framebuffer_ = 0;
};

/// A fragment shader, and the triangle that it is drawn with.
class Pass {
  public:
    explicit Pass(const std::string& fragment) : program_(glCreateProgram()) {
        const std::string vertex = R"(#version 330 core
            void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); })";
        for (const auto& [type, text] : {std::pair(GL_VERTEX_SHADER, &vertex), {GL_FRAGMENT_SHADER, &fragment}}) {
            const GLuint shader = glCreateShader(static_cast<GLenum>(type));
            const char* source = text->c_str();
            glShaderSource(shader, 1, &source, nullptr);
            glCompileShader(shader);
            glAttachShader(program_, shader);
            glDeleteShader(shader);
        }
        glLinkProgram(program_);
        GLint linked = 0;
        glGetProgramiv(program_, GL_LINK_STATUS, &linked);
        if (linked == GL_FALSE) throw std::runtime_error("a shader of the fluid's does not compile:\n" + fragment);
        glGenVertexArrays(1, &vertices_);
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
        glUseProgram(0);  // a current program lives on, flagged for deletion, and glsolve could not restore it
        glDeleteVertexArrays(1, &vertices_);
        glDeleteProgram(program_);
    }

    void set(const char* uniform, float value) const {
        glUseProgram(program_);
        glUniform1f(glGetUniformLocation(program_, uniform), value);
    }
    void draw(const Target& target, std::initializer_list<std::pair<const char*, GLuint>> textures) const {
        glUseProgram(program_);
        GLint unit = 0;
        for (const auto& [sampler, texture] : textures) {
            glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
            glBindTexture(GL_TEXTURE_2D, texture);
            glUniform1i(glGetUniformLocation(program_, sampler), unit++);
        }
        target.bind();
        glBindVertexArray(vertices_);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }

  private:
    GLuint program_, vertices_ = 0;
};

}  // namespace fluids
