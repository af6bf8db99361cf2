#include "embedding/host_objects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace {

constexpr int side = 4;

template <class Generate, class Bind>
GLuint made(Generate generate, Bind bind) {
    GLuint name = 0;
    generate(1, &name);
    bind(name);
    bind(0);
    return name;
}

}  // namespace

void require(bool holds, const std::string& what) {
    if (!holds) throw Failure{what};
}

GLuint make_texture(float mark) {
    GLuint name = 0;
    const std::vector<float> texels(std::size_t{side} * side, mark);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, side, side, 0, GL_RED, GL_FLOAT, texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
    return name;
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"texture", true, make_texture, [](GLuint n) { return glIsTexture(n); },
         [](GLuint n) { glDeleteTextures(1, &n); }},
        {"buffer", true, [](float) { return made(glGenBuffers, [](GLuint n) { glBindBuffer(GL_ARRAY_BUFFER, n); }); },
         [](GLuint n) { return glIsBuffer(n); }, [](GLuint n) { glDeleteBuffers(1, &n); }},
        {"sampler", true, [](float) { return made(glGenSamplers, [](GLuint n) { glBindSampler(0, n); }); },
         [](GLuint n) { return glIsSampler(n); }, [](GLuint n) { glDeleteSamplers(1, &n); }},
        {"program", true, [](float) { return glCreateProgram(); }, [](GLuint n) { return glIsProgram(n); },
         [](GLuint n) { glDeleteProgram(n); }},
        {"shader", true, [](float) { return glCreateShader(GL_VERTEX_SHADER); }, [](GLuint n) { return glIsShader(n); },
         [](GLuint n) { glDeleteShader(n); }},
        {"vertex array", false, [](float) { return made(glGenVertexArrays, [](GLuint n) { glBindVertexArray(n); }); },
         [](GLuint n) { return glIsVertexArray(n); }, [](GLuint n) { glDeleteVertexArrays(1, &n); }},
        {"framebuffer", false,
         [](float) { return made(glGenFramebuffers, [](GLuint n) { glBindFramebuffer(GL_FRAMEBUFFER, n); }); },
         [](GLuint n) { return glIsFramebuffer(n); }, [](GLuint n) { glDeleteFramebuffers(1, &n); }},
        {"query", false,
         [](float) {
             GLuint name = 0;
             glGenQueries(1, &name);
             glBeginQuery(GL_SAMPLES_PASSED, name);
             glEndQuery(GL_SAMPLES_PASSED);
             return name;
         },
         [](GLuint n) { return glIsQuery(n); }, [](GLuint n) { glDeleteQueries(1, &n); }},
    };
    return all;
}

void check_texels(GLuint texture, float mark) {
    std::array<float, std::size_t{side} * side> texels{};
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, texels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    require(std::ranges::all_of(texels, [&](float t) { return t == mark; }),
            fmt::format("texture {} of the program's has changed", texture));
}
