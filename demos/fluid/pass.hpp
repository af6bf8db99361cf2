/// A draw over a whole texture: a fragment shader, the textures that it reads and the one that it writes.
#pragma once

#include <initializer_list>
#include <string>

#include "support/stage.hpp"

namespace fluid {

/// What may be drawn into.
struct Target {
    GLuint texture = 0, framebuffer = 0;
    int width = 0, height = 0;
};

/// `filter`: GL_NEAREST, or GL_LINEAR where samples between texels are wanted.
inline Target make_target(GLenum format, int width, int height, GLenum filter = GL_NEAREST) {
    Target target{.texture = demo::make_texture(format, width, height), .width = width, .height = height};
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    target.framebuffer = demo::make_framebuffer(target.texture);
    return target;
}

class Pass {
  public:
    /// `samplers`: the shader's names of the textures, in the order in which `draw` gets them.
    Pass(const std::string& source, std::initializer_list<const char*> samplers)
        : program_(demo::make_program(source.c_str())) {
        glUseProgram(program_);
        GLint unit = 0;
        for (const char* sampler : samplers) glUniform1i(glGetUniformLocation(program_, sampler), unit++);
    }

    GLuint program() const { return program_; }

    void draw(const Target& target, std::initializer_list<GLuint> textures) const {
        GLenum unit = GL_TEXTURE0;
        for (const GLuint texture : textures) {
            glActiveTexture(unit++);
            glBindTexture(GL_TEXTURE_2D, texture);
        }
        demo::draw(program_, target.framebuffer, target.width, target.height);
    }

  private:
    GLuint program_;
};

}  // namespace fluid
