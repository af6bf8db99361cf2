/// What the tests of the state guard share: a guest that works as the passes do, and a watch on OpenGL's errors.
#pragma once

#include <cstdlib>
#include <functional>
#include <glsolve/error.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opengl/functions.hpp"
#include "opengl/state_guard.hpp"
#include "support/catch.hpp"
#include "support/gl_state_probe.hpp"

namespace state_guard_test {

using gl_state_probe::baseline_for;
using gl_state_probe::differences;
using gl_state_probe::GlState;
using glsolve::opengl::Features;

/// One thing that a host may have set.
struct Setting {
    std::string name;
    std::function<void()> set;
};
using Settings = std::vector<Setting>;

/// A test that has no OpenGL to work on: a failure where OpenGL is required, else a visible skip.
inline void report_absence(const std::string& reason) {
    const char* required = std::getenv("GLSOLVE_REQUIRE");
    if (required != nullptr && std::string_view(required).find("opengl") != std::string_view::npos) FAIL(reason);
    WARN("skipped: " << reason);
}

/// Collects what the current debug context complains about.
class ErrorWatch {
  public:
    explicit ErrorWatch(const Features& features) {
        if (!features.debug) return;
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(&ErrorWatch::collect, this);
    }
    ErrorWatch(const ErrorWatch&) = delete;
    ErrorWatch& operator=(const ErrorWatch&) = delete;

    /// Everything since the last call; empty where nothing was wrong.
    std::string take() {
        if (const GLenum error = glGetError(); error != GL_NO_ERROR) {
            messages_ += "glGetError() is " + std::to_string(error) + '\n';
        }
        return std::exchange(messages_, {});
    }

  private:
    static void GLAPIENTRY collect(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* text, const void* self) {
        if (type != GL_DEBUG_TYPE_ERROR) return;
        static_cast<ErrorWatch*>(const_cast<void*>(self))->messages_ += std::string(text) + '\n';
    }

    std::string messages_;
};

inline GLuint compile(GLenum type, const char* text) {
    const GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    return shader;
}

/// A full-screen pass that writes twice what texture unit 0 holds. A host may record its vertices.
inline GLuint make_program() {
    const GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, R"(#version 330 core
        out float recorded;
        void main() {
            recorded = float(gl_VertexID);
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        })"));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, R"(#version 330 core
        uniform sampler2D x;
        out vec4 y;
        void main() { y = 2.0 * texelFetch(x, ivec2(gl_FragCoord.xy), 0); })"));
    const char* recorded = "recorded";
    glTransformFeedbackVaryings(program, 1, &recorded, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    return program;
}

inline GLuint make_texture(GLsizei size) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, size, size, 0, GL_RGBA, GL_FLOAT, nullptr);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

inline GLuint make_framebuffer(GLuint texture) {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return framebuffer;
}

inline GLuint make_buffer(GLsizeiptr bytes) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_PACK_BUFFER, bytes, nullptr, GL_STREAM_READ);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return buffer;
}

inline GLuint make_sampler() {
    GLuint sampler = 0;
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return sampler;
}

inline GLuint make_vertex_array() {
    GLuint vertex_array = 0;
    glGenVertexArrays(1, &vertex_array);
    return vertex_array;
}

/// Uploads, draws and reads as glsolve does, with objects of its own, and rebinds all texture units of a usual
/// guard, and its 4 image units. Its objects die with the context.
class Guest {
  public:
    explicit Guest(const Features& features) : compute_(features.compute), viewports_(features.viewport_array) {
        for (int i = 0; i < texels; ++i) x_.push_back(0.75f * static_cast<float>(i - 30));
    }

    /// Is y = 2x what a pass computes from x = -22.5, -21.75, ...?
    bool works() const {
        bind_units();
        upload();
        draw();
        const std::vector<float> y = read();
        for (std::size_t i = 0; i < x_.size(); ++i) {
            if (y[i] != 2.0f * x_[i]) return false;
        }
        return true;
    }

  private:
    static constexpr GLsizei size = 4;
    static constexpr int texels = 4 * size * size;
    static constexpr GLsizeiptr bytes = texels * static_cast<GLsizeiptr>(sizeof(float));

    void bind_units() const {
        for (GLuint i = 0; i < GLuint{glsolve::opengl::texture_units}; ++i) {
            glActiveTexture(GL_TEXTURE0 + i);
            glBindTexture(GL_TEXTURE_2D, source_);
            glBindSampler(i, sampler_);
        }
        glActiveTexture(GL_TEXTURE0);
        if (!compute_) return;
        for (GLuint i = 0; i < 4; ++i) glBindImageTexture(i, target_, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
    }

    void upload() const {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_RGBA, GL_FLOAT, x_.data());
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_2D, target_);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_RGBA, GL_FLOAT, x_.data());
        glBindTexture(GL_TEXTURE_2D, source_);
    }

    void draw() const {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        // As passes do.
        viewports_ ? glViewportIndexedf(0, 0, 0, size, size) : glViewport(0, 0, size, size);
        glUseProgram(program_);
        glBindVertexArray(vertex_array_);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }

    std::vector<float> read() const {
        std::vector<float> texel(texels);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_);
        glReadPixels(0, 0, size, size, GL_RGBA, GL_FLOAT, nullptr);
        glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, bytes, texel.data());
        return texel;
    }

    bool compute_, viewports_;
    std::vector<float> x_;
    GLuint source_ = make_texture(size), target_ = make_texture(size);
    GLuint framebuffer_ = make_framebuffer(target_);
    GLuint sampler_ = make_sampler();
    GLuint program_ = make_program();
    GLuint vertex_array_ = make_vertex_array();
    GLuint buffer_ = make_buffer(bytes);
};

/// A fresh context with a guest and the guard that the guest works behind. `Context` is current once it is constructed.
template <class Context>
struct Session {
    Context context;
    glsolve::opengl::Functions gl = glsolve::opengl::load_functions();
    Features features = glsolve::opengl::query_features(gl);
    ErrorWatch errors{features};
    Guest guest{features};
    glsolve::opengl::StateGuard guard{gl, features, {}};

    GlState state() const { return gl_state_probe::probe(features); }

    /// Enters, looks, works, leaves, looks again.
    void visit() {
        const GlState before = state();
        guard.enter();
        CHECK(differences(baseline_for(before), state()) == "");
        CHECK(guest.works());
        guard.leave();
        CHECK(differences(before, state()) == "");
        CHECK(errors.take() == "");
    }

    /// A host that cannot be suspended is told so, in words, and keeps its state.
    void check_refusal(const std::string& words) {
        const GlState before = state();
        std::string message;
        try {
            guard.enter();
        } catch (const glsolve::Error& refusal) {
            message = refusal.what();
        }
        INFO(message);
        CHECK(message.find(words) != std::string::npos);
        CHECK(differences(before, state()) == "");
        CHECK(errors.take() == "");
    }
};

/// A session, or none where the test cannot run.
template <class Session>
std::unique_ptr<Session> open_session() {
    try {
        return std::make_unique<Session>();
    } catch (const glsolve::NoDevice& reason) {
        report_absence(reason.what());
        return nullptr;
    }
}

}  // namespace state_guard_test
