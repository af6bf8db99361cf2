/// A renderer that has set everything which OpenGL lets it ask for, each value another than OpenGL's own.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "opengl/context.hpp"
#include "opengl/texture_units.hpp"
#include "state_guard_support.hpp"

namespace state_guard_test {

/// What a renderer binds.
struct Host {
    GLuint texture = make_texture(8), other_texture = make_texture(8);
    GLuint layers = make_layers(), space = make_space(), rectangle = make_rectangle();
    GLuint framebuffer = make_framebuffer(texture), other_framebuffer = make_framebuffer(other_texture);
    GLuint sampler = make_sampler();
    GLuint vertex_array = make_vertex_array();
    GLuint program = make_program();
    GLuint buffer = make_buffer(1 << 16), other_buffer = make_buffer(1 << 16);

    static GLuint make_layers() {
        GLuint layers = 0;
        glGenTextures(1, &layers);
        glBindTexture(GL_TEXTURE_2D_ARRAY, layers);
        for (GLint level = 0; level < 3; ++level) {
            glTexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_RGBA32F, 8 >> level, 8 >> level, 4, 0, GL_RGBA, GL_FLOAT,
                         nullptr);
        }
        return layers;
    }
    static GLuint make_space() {
        GLuint space = 0;
        glGenTextures(1, &space);
        glBindTexture(GL_TEXTURE_3D, space);
        glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA32F, 8, 8, 4, 0, GL_RGBA, GL_FLOAT, nullptr);
        glBindTexture(GL_TEXTURE_3D, 0);
        return space;
    }
    static GLuint make_rectangle() {
        GLuint rectangle = 0;
        glGenTextures(1, &rectangle);
        glBindTexture(GL_TEXTURE_RECTANGLE, rectangle);
        glTexImage2D(GL_TEXTURE_RECTANGLE, 0, GL_RGBA32F, 8, 8, 0, GL_RGBA, GL_FLOAT, nullptr);
        glBindTexture(GL_TEXTURE_RECTANGLE, 0);
        return rectangle;
    }
};

/// A debug context of glsolve's own.
struct HeadlessContext {
    std::unique_ptr<glsolve::opengl::Context> context = glsolve::opengl::open_headless_context("", true);
    HeadlessContext() { context->make_current(); }
};

struct CoreSession : Session<HeadlessContext> {
    Host host;
};

inline void nothing() {}

inline Setting enabled(std::string name, GLenum capability, const std::function<void()>& prepare = nothing) {
    return {std::move(name), [=] {
                prepare();
                glEnable(capability);
            }};
}

inline Settings capabilities() {
    Settings list{
        enabled("face culling", GL_CULL_FACE, [] { glCullFace(GL_FRONT_AND_BACK); }),
        enabled("rasteriser discard", GL_RASTERIZER_DISCARD),
        enabled("polygon smooth", GL_POLYGON_SMOOTH),
        enabled("depth test", GL_DEPTH_TEST, [] { glDepthFunc(GL_NEVER); }),
        enabled("stencil test", GL_STENCIL_TEST, [] { glStencilFunc(GL_NEVER, 0, 0xff); }),
        enabled("logic op", GL_COLOR_LOGIC_OP, [] { glLogicOp(GL_CLEAR); }),
        enabled("sRGB framebuffer", GL_FRAMEBUFFER_SRGB),
        enabled("sample mask", GL_SAMPLE_MASK, [] { glSampleMaski(0, 0); }),
        enabled("sample coverage", GL_SAMPLE_COVERAGE, [] { glSampleCoverage(0.0f, GL_FALSE); }),
        enabled("sample alpha to coverage", GL_SAMPLE_ALPHA_TO_COVERAGE),
        enabled("sample alpha to one", GL_SAMPLE_ALPHA_TO_ONE),
        {"no dithering", [] { glDisable(GL_DITHER); }},
    };
    for (const GLuint i : {0u, 3u, 7u}) {
        list.push_back(enabled(fmt::format("clip distance {}", i), GL_CLIP_DISTANCE0 + i));
    }
    return list;
}

inline void add_draw_buffers(Settings& list) {
    for (const GLuint i : {0u, 1u, 5u}) {
        list.push_back({fmt::format("blending of draw buffer {}", i), [i] {
                            glBlendFunc(GL_ZERO, GL_ONE);
                            glEnablei(GL_BLEND, i);
                        }});
    }
    list.push_back({"colour mask of draw buffer 0", [] { glColorMaski(0, GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE); }});
    list.push_back({"colour mask of draw buffer 1", [] { glColorMaski(1, GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE); }});
    list.push_back({"colour mask of draw buffer 7", [] { glColorMaski(7, GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE); }});
}

inline void add_viewports(Settings& list, const Features& features) {
    list.push_back({"viewport", [] { glViewport(1, 2, 3, 4); }});
    if (features.clip_control) list.push_back({"clip control", [] { glClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE); }});
    if (!features.viewport_array) {
        list.push_back({"scissor", [] { glScissor(0, 0, 1, 1), glEnable(GL_SCISSOR_TEST); }});
        return;
    }
    for (const GLuint i : {0u, 1u, 5u, 15u}) {
        const auto f = static_cast<GLfloat>(i);
        list.push_back(
            {fmt::format("viewport {}", i), [=] { glViewportIndexedf(i, f + 0.5f, -f, f + 1.25f, f + 2.0f); }});
        list.push_back({fmt::format("scissor {}", i), [=] {
                            glScissorIndexed(i, 0, 0, 1, 1);
                            glEnablei(GL_SCISSOR_TEST, i);
                        }});
    }
}

// NOLINTBEGIN(readability-suspicious-call-argument): names of parameters only look like names of others
inline void add_pixel_state(Settings& list, const Host& host, bool pack_invert) {
    const auto add = [&](const char* name, GLenum parameter, GLint value) {
        list.push_back({name, [=] { glPixelStorei(parameter, value); }});
    };
    add("pack swap bytes", GL_PACK_SWAP_BYTES, GL_TRUE);
    add("pack lsb first", GL_PACK_LSB_FIRST, GL_TRUE);
    add("pack row length", GL_PACK_ROW_LENGTH, 21);
    add("pack image height", GL_PACK_IMAGE_HEIGHT, 22);
    add("pack skip rows", GL_PACK_SKIP_ROWS, 3);
    add("pack skip pixels", GL_PACK_SKIP_PIXELS, 4);
    add("pack skip images", GL_PACK_SKIP_IMAGES, 5);
    add("pack alignment", GL_PACK_ALIGNMENT, 8);
    add("unpack swap bytes", GL_UNPACK_SWAP_BYTES, GL_TRUE);
    add("unpack lsb first", GL_UNPACK_LSB_FIRST, GL_TRUE);
    add("unpack row length", GL_UNPACK_ROW_LENGTH, 31);
    add("unpack image height", GL_UNPACK_IMAGE_HEIGHT, 32);
    add("unpack skip rows", GL_UNPACK_SKIP_ROWS, 6);
    add("unpack skip pixels", GL_UNPACK_SKIP_PIXELS, 7);
    add("unpack skip images", GL_UNPACK_SKIP_IMAGES, 8);
    add("unpack alignment", GL_UNPACK_ALIGNMENT, 2);
    if (pack_invert) add("pack invert", GL_PACK_INVERT_MESA, GL_TRUE);
    list.push_back({"pack buffer", [&host] { glBindBuffer(GL_PIXEL_PACK_BUFFER, host.buffer); }});
    list.push_back({"unpack buffer", [&host] { glBindBuffer(GL_PIXEL_UNPACK_BUFFER, host.other_buffer); }});
    list.push_back({"clamped reads", [] { glClampColor(GL_CLAMP_READ_COLOR, GL_TRUE); }});
}
// NOLINTEND(readability-suspicious-call-argument)

inline void add_bindings(Settings& list, const Features& features, const Host& host) {
    list.push_back({"polygon mode", [] { glPolygonMode(GL_FRONT_AND_BACK, GL_LINE); }});
    list.push_back({"draw framebuffer", [&host] { glBindFramebuffer(GL_DRAW_FRAMEBUFFER, host.framebuffer); }});
    list.push_back({"read framebuffer", [&host] { glBindFramebuffer(GL_READ_FRAMEBUFFER, host.other_framebuffer); }});
    list.push_back({"program", [&host] { glUseProgram(host.program); }});
    list.push_back({"vertex array", [&host] { glBindVertexArray(host.vertex_array); }});
    for (const GLuint i :
         {0u, 1u, 9u, GLuint{glsolve::opengl::texture_units} - 1, GLuint{glsolve::opengl::texture_units}}) {
        list.push_back({fmt::format("texture of unit {}", i), [&host, i] {
                            glActiveTexture(GL_TEXTURE0 + i);
                            glBindTexture(GL_TEXTURE_2D, i % 2 == 0 ? host.texture : host.other_texture);
                        }});
        list.push_back({fmt::format("rectangle of unit {}", i), [&host, i] {
                            glActiveTexture(GL_TEXTURE0 + i);
                            glBindTexture(GL_TEXTURE_RECTANGLE, host.rectangle);
                        }});
        list.push_back({fmt::format("sampler of unit {}", i), [&host, i] { glBindSampler(i, host.sampler); }});
        list.push_back({fmt::format("layers of unit {}", i), [&host, i] {
                            glActiveTexture(GL_TEXTURE0 + i);
                            glBindTexture(GL_TEXTURE_2D_ARRAY, host.layers);
                            glBindTexture(GL_TEXTURE_3D, host.space);
                        }});
    }
    if (features.at_least(4, 1)) {
        list.push_back({"program pipeline", [] {
                            GLuint pipeline = 0;
                            glGenProgramPipelines(1, &pipeline);
                            glBindProgramPipeline(pipeline);
                        }});
    }
    list.push_back({"active texture", [] { glActiveTexture(GL_TEXTURE7); }});
    if (!features.compute && !features.image_loads) return;
    list.push_back(
        {"image unit 0", [&host] { glBindImageTexture(0, host.texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32UI); }});
    list.push_back(
        {"image unit 1", [&host] { glBindImageTexture(1, host.layers, 2, GL_FALSE, 3, GL_READ_ONLY, GL_RGBA32I); }});
    list.push_back(
        {"image unit 3", [&host] { glBindImageTexture(3, host.layers, 1, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA32F); }});
    if (!features.image_loads) return;
    list.push_back({"the last image unit that passes read from", [&host] {
                        glBindImageTexture(glsolve::opengl::image_units - 1, host.layers, 1, GL_FALSE, 2, GL_READ_ONLY,
                                           GL_RGBA32F);
                    }});
}

inline Settings hostile_settings(const CoreSession& session) {
    Settings list = capabilities();
    add_draw_buffers(list);
    add_viewports(list, session.features);
    add_pixel_state(list, session.host, gl_state_probe::has_extension("GL_MESA_pack_invert"));
    add_bindings(list, session.features, session.host);
    return list;
}

}  // namespace state_guard_test
