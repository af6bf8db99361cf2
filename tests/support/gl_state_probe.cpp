#include "support/gl_state_probe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "opengl/texture_units.hpp"

namespace gl_state_probe {
namespace {

using glsolve::opengl::Features;

struct Name {
    GLenum value;
    std::string_view text;
};
// clang-format off
#define NAME(name) {name, #name}
// clang-format on

constexpr Name capabilities[] = {
    NAME(GL_CULL_FACE),
    NAME(GL_RASTERIZER_DISCARD),
    NAME(GL_POLYGON_SMOOTH),
    NAME(GL_DEPTH_TEST),
    NAME(GL_STENCIL_TEST),
    NAME(GL_COLOR_LOGIC_OP),
    NAME(GL_DITHER),
    NAME(GL_FRAMEBUFFER_SRGB),
    NAME(GL_SAMPLE_MASK),
    NAME(GL_SAMPLE_COVERAGE),
    NAME(GL_SAMPLE_ALPHA_TO_COVERAGE),
    NAME(GL_SAMPLE_ALPHA_TO_ONE),
};
constexpr Name compatibility_capabilities[] = {NAME(GL_ALPHA_TEST), NAME(GL_POLYGON_STIPPLE)};

constexpr Name integers[] = {
    NAME(GL_DRAW_FRAMEBUFFER_BINDING),
    NAME(GL_READ_FRAMEBUFFER_BINDING),
    NAME(GL_CURRENT_PROGRAM),
    NAME(GL_VERTEX_ARRAY_BINDING),
    NAME(GL_ACTIVE_TEXTURE),
    NAME(GL_ARRAY_BUFFER_BINDING),
    NAME(GL_PIXEL_PACK_BUFFER_BINDING),
    NAME(GL_PIXEL_UNPACK_BUFFER_BINDING),
    NAME(GL_CLAMP_READ_COLOR),
    NAME(GL_PACK_SWAP_BYTES),
    NAME(GL_PACK_LSB_FIRST),
    NAME(GL_PACK_ROW_LENGTH),
    NAME(GL_PACK_IMAGE_HEIGHT),
    NAME(GL_PACK_SKIP_ROWS),
    NAME(GL_PACK_SKIP_PIXELS),
    NAME(GL_PACK_SKIP_IMAGES),
    NAME(GL_PACK_ALIGNMENT),
    NAME(GL_UNPACK_SWAP_BYTES),
    NAME(GL_UNPACK_LSB_FIRST),
    NAME(GL_UNPACK_ROW_LENGTH),
    NAME(GL_UNPACK_IMAGE_HEIGHT),
    NAME(GL_UNPACK_SKIP_ROWS),
    NAME(GL_UNPACK_SKIP_PIXELS),
    NAME(GL_UNPACK_SKIP_IMAGES),
    NAME(GL_UNPACK_ALIGNMENT),
};
constexpr Name compatibility_floats[] = {
    NAME(GL_CLAMP_FRAGMENT_COLOR),
    NAME(GL_CLAMP_VERTEX_COLOR),
    NAME(GL_LIST_MODE),
    NAME(GL_RENDER_MODE),
    NAME(GL_MAP_COLOR),
    NAME(GL_RED_SCALE),
    NAME(GL_GREEN_SCALE),
    NAME(GL_BLUE_SCALE),
    NAME(GL_ALPHA_SCALE),
    NAME(GL_RED_BIAS),
    NAME(GL_GREEN_BIAS),
    NAME(GL_BLUE_BIAS),
    NAME(GL_ALPHA_BIAS),
};
constexpr Name image_parameters[] = {
    NAME(GL_IMAGE_BINDING_NAME),  NAME(GL_IMAGE_BINDING_LEVEL),  NAME(GL_IMAGE_BINDING_LAYERED),
    NAME(GL_IMAGE_BINDING_LAYER), NAME(GL_IMAGE_BINDING_ACCESS), NAME(GL_IMAGE_BINDING_FORMAT),
};
#undef NAME

/// One more than any pass uses, to show that the next unit keeps its bindings as well.
constexpr GLint texture_units = glsolve::opengl::texture_units + 1;
constexpr GLint image_units = glsolve::opengl::image_units + 1;

GLint integer(GLenum name) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

double number(GLenum name) {
    GLfloat value = 0;
    glGetFloatv(name, &value);
    return value;
}

void probe_capabilities(GlState& state, const Features& features) {
    for (const auto& [value, text] : capabilities) state[std::string(text)] = {double(glIsEnabled(value))};
    for (GLint i = 0; i < integer(GL_MAX_CLIP_DISTANCES); ++i) {
        const GLboolean on = glIsEnabled(GL_CLIP_DISTANCE0 + static_cast<GLenum>(i));
        state[fmt::format("GL_CLIP_DISTANCE[{}]", i)] = {double(on)};
    }
    if (features.core) return;
    for (const auto& [value, text] : compatibility_capabilities)
        state[std::string(text)] = {double(glIsEnabled(value))};
}

void probe_draw_buffers(GlState& state) {
    for (GLint i = 0; i < integer(GL_MAX_DRAW_BUFFERS); ++i) {
        const auto index = static_cast<GLuint>(i);
        std::array<GLboolean, 4> mask{};
        glGetBooleani_v(GL_COLOR_WRITEMASK, index, mask.data());
        state[fmt::format("GL_COLOR_WRITEMASK[{}]", i)].assign(mask.begin(), mask.end());
        state[fmt::format("GL_BLEND[{}]", i)] = {double(glIsEnabledi(GL_BLEND, index))};
    }
}

void probe_viewports(GlState& state, const Features& features) {
    std::array<GLfloat, 4> box{};
    const auto put = [&](const char* name) { state[name].assign(box.begin(), box.end()); };
    glGetFloatv(GL_SCISSOR_BOX, box.data());
    put("GL_SCISSOR_BOX");
    if (features.clip_control) {
        state["GL_CLIP_ORIGIN"] = {double(integer(GL_CLIP_ORIGIN))};
        state["GL_CLIP_DEPTH_MODE"] = {double(integer(GL_CLIP_DEPTH_MODE))};
    }
    if (!features.viewport_array) {
        glGetFloatv(GL_VIEWPORT, box.data());
        put("GL_VIEWPORT");
        state["GL_SCISSOR_TEST"] = {double(glIsEnabled(GL_SCISSOR_TEST))};
        return;
    }
    for (GLint i = 0; i < integer(GL_MAX_VIEWPORTS); ++i) {
        const auto index = static_cast<GLuint>(i);
        glGetFloati_v(GL_VIEWPORT, index, box.data());
        put(fmt::format("GL_VIEWPORT[{}]", i).c_str());
        state[fmt::format("GL_SCISSOR_TEST[{}]", i)] = {double(glIsEnabledi(GL_SCISSOR_TEST, index))};
    }
}

void probe_values(GlState& state, const Features& features) {
    for (const auto& [value, text] : integers) state[std::string(text)] = {double(integer(value))};
    if (has_extension("GL_KHR_parallel_shader_compile")) {
        state["GL_MAX_SHADER_COMPILER_THREADS_KHR"] = {double(integer(GL_MAX_SHADER_COMPILER_THREADS_KHR))};
    }
    if (has_extension("GL_MESA_pack_invert")) state["GL_PACK_INVERT_MESA"] = {double(integer(GL_PACK_INVERT_MESA))};
    std::array<GLint, 2> polygon_mode{GL_FILL, GL_FILL};
    glGetIntegerv(GL_POLYGON_MODE, polygon_mode.data());
    state["GL_POLYGON_MODE"].assign(polygon_mode.begin(), polygon_mode.end());
    if (features.at_least(4, 1)) state["GL_PROGRAM_PIPELINE_BINDING"] = {double(integer(GL_PROGRAM_PIPELINE_BINDING))};
    if (features.core) return;
    for (const auto& [value, text] : compatibility_floats) state[std::string(text)] = {number(value)};
}

void probe_units(GlState& state, const Features& features) {
    const GLint active = integer(GL_ACTIVE_TEXTURE);
    for (GLint i = 0; i < std::min(texture_units, integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS)); ++i) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        state[fmt::format("GL_TEXTURE_BINDING_2D[{}]", i)] = {double(integer(GL_TEXTURE_BINDING_2D))};
        state[fmt::format("GL_TEXTURE_BINDING_RECTANGLE[{}]", i)] = {double(integer(GL_TEXTURE_BINDING_RECTANGLE))};
        state[fmt::format("GL_TEXTURE_BINDING_2D_ARRAY[{}]", i)] = {double(integer(GL_TEXTURE_BINDING_2D_ARRAY))};
        state[fmt::format("GL_TEXTURE_BINDING_3D[{}]", i)] = {double(integer(GL_TEXTURE_BINDING_3D))};
        state[fmt::format("GL_SAMPLER_BINDING[{}]", i)] = {double(integer(GL_SAMPLER_BINDING))};
    }
    glActiveTexture(static_cast<GLenum>(active));
    if (!features.compute && !features.image_loads) return;
    for (GLint i = 0; i < std::min(image_units, integer(GL_MAX_IMAGE_UNITS)); ++i) {
        for (const auto& [value, text] : image_parameters) {
            GLint bound = 0;
            glGetIntegeri_v(value, static_cast<GLuint>(i), &bound);
            state[fmt::format("{}[{}]", text, i)] = {double(bound)};
        }
    }
}

/// The name without its index.
std::string_view base_name(std::string_view name) { return name.substr(0, name.find('[')); }

/// What the guard leaves to the passes, or never touches.
const std::set<std::string_view> kept{
    "GL_DRAW_FRAMEBUFFER_BINDING",
    "GL_READ_FRAMEBUFFER_BINDING",
    "GL_CURRENT_PROGRAM",
    "GL_PROGRAM_PIPELINE_BINDING",
    "GL_VERTEX_ARRAY_BINDING",
    "GL_ARRAY_BUFFER_BINDING",
    "GL_VIEWPORT",
    "GL_SCISSOR_BOX",
    "GL_TEXTURE_BINDING_2D",
    "GL_TEXTURE_BINDING_2D_ARRAY",
    "GL_TEXTURE_BINDING_3D",
    "GL_TEXTURE_BINDING_RECTANGLE",
    "GL_MAX_SHADER_COMPILER_THREADS_KHR",
    "GL_SAMPLER_BINDING",
    "GL_IMAGE_BINDING_NAME",
    "GL_IMAGE_BINDING_LEVEL",
    "GL_IMAGE_BINDING_LAYERED",
    "GL_IMAGE_BINDING_LAYER",
    "GL_IMAGE_BINDING_ACCESS",
    "GL_IMAGE_BINDING_FORMAT",
    "GL_CLAMP_VERTEX_COLOR",
    "GL_LIST_MODE",
    "GL_RENDER_MODE",
};

/// Everything else is off, false or zero in the baseline, but for these.
const std::map<std::string_view, double> not_zero{
    {"GL_COLOR_WRITEMASK", GL_TRUE},
    {"GL_POLYGON_MODE", GL_FILL},
    {"GL_ACTIVE_TEXTURE", GL_TEXTURE0},
    {"GL_CLIP_ORIGIN", GL_LOWER_LEFT},
    {"GL_CLIP_DEPTH_MODE", GL_NEGATIVE_ONE_TO_ONE},
    {"GL_PACK_ALIGNMENT", 4},
    {"GL_UNPACK_ALIGNMENT", 4},
    {"GL_RED_SCALE", 1},
    {"GL_GREEN_SCALE", 1},
    {"GL_BLUE_SCALE", 1},
    {"GL_ALPHA_SCALE", 1},
};

}  // namespace

bool has_extension(std::string_view name) {
    for (GLint i = 0; i < integer(GL_NUM_EXTENSIONS); ++i) {
        const GLubyte* extension = glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
        if (name == reinterpret_cast<const char*>(extension)) return true;
    }
    return false;
}

GlState probe(const Features& features) {
    GlState state;
    probe_capabilities(state, features);
    probe_draw_buffers(state);
    probe_viewports(state, features);
    probe_values(state, features);
    probe_units(state, features);
    return state;
}

std::string differences(const GlState& expected, const GlState& actual) {
    std::string text;
    for (const auto& [name, values] : expected) {
        const auto found = actual.find(name);
        if (found == actual.end()) {
            text += fmt::format("{} is missing\n", name);
        } else if (found->second != values) {
            text += fmt::format("{} is {}, expected {}\n", name, found->second, values);
        }
    }
    for (const auto& [name, values] : actual) {
        if (!expected.contains(name)) text += fmt::format("{} was not expected\n", name);
    }
    return text;
}

namespace {

/// Of a draw buffer behind those that passes draw to, or of a viewport behind the first: "GL_BLEND[6]".
bool is_beyond_passes(const std::string& name) {
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos) return false;
    const std::string base = name.substr(0, bracket);
    const int index = std::stoi(name.substr(bracket + 1));
    const bool is_of_buffer = base == "GL_BLEND" || base == "GL_COLOR_WRITEMASK";
    return (is_of_buffer && index >= glsolve::max_outputs) || (base == "GL_SCISSOR_TEST" && index > 0);
}

}  // namespace

GlState baseline_for(const GlState& host) {
    GlState baseline = host;
    for (auto& [name, values] : baseline) {
        if (kept.contains(base_name(name)) || is_beyond_passes(name)) continue;
        const auto exception = not_zero.find(base_name(name));
        std::fill(values.begin(), values.end(), exception != not_zero.end() ? exception->second : 0.0);
    }
    return baseline;
}

}  // namespace gl_state_probe
