/// Textures as a program that uses the library has them, and systems whose right-hand sides and solutions they hold.
#pragma once

#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "hostile_host.hpp"
#include "support/problems.hpp"

namespace texture_test {

using namespace glsolve;
using namespace state_guard_test;

/// After a host that sets everything has had its way.
inline void usual_pixel_state() {
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    for (const GLenum parameter :
         {GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS,
          GL_PACK_SKIP_IMAGES, GL_PACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES, GL_UNPACK_IMAGE_HEIGHT,
          GL_UNPACK_SWAP_BYTES, GL_UNPACK_LSB_FIRST, GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS,
          GL_UNPACK_SKIP_PIXELS}) {
        glPixelStorei(parameter, 0);
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (gl_state_probe::has_extension("GL_MESA_pack_invert")) glPixelStorei(GL_PACK_INVERT_MESA, GL_FALSE);
}

/// A texture of the program's.
struct Picture {
    GLuint name = 0;
    int width, height, components;

    Picture(int w, int h, int c, GLenum format, const std::vector<float>& texels) : width(w), height(h), components(c) {
        constexpr GLenum layouts[] = {GL_RED, GL_RG, GL_RGB, GL_RGBA};
        usual_pixel_state();
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), w, h, 0, layouts[c - 1], GL_FLOAT, texels.data());
        set_filter(GL_NEAREST);
    }
    void set_filter(GLint smaller) const {
        glBindTexture(GL_TEXTURE_2D, name);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, smaller);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
    ~Picture() { glDeleteTextures(1, &name); }

    std::vector<float> texels() const {
        constexpr GLenum layouts[] = {GL_RED, GL_RG, GL_RGB, GL_RGBA};
        std::vector<float> read(static_cast<std::size_t>(width * height * components));
        usual_pixel_state();
        glBindTexture(GL_TEXTURE_2D, name);
        glGetTexImage(GL_TEXTURE_2D, 0, layouts[components - 1], GL_FLOAT, read.data());
        glBindTexture(GL_TEXTURE_2D, 0);
        return read;
    }
};

struct Kind {
    const char* name;
    GLenum b_format, x_format;
    int b_components, x_components;
    Texel texel;
    int component;
};
inline constexpr Kind kinds[] = {{"R32F", GL_R32F, GL_R32F, 1, 1, Texel::one, 0},
                                 {"second of RG32F", GL_RG32F, GL_RG32F, 2, 2, Texel::one, 1},
                                 {"alpha of RGBA32F", GL_RGBA32F, GL_RGBA32F, 4, 4, Texel::one, 3},
                                 {"four of RGBA32F", GL_RGBA32F, GL_RGBA32F, 4, 4, Texel::four, 0},
                                 {"halves to R32F", GL_R16F, GL_R32F, 1, 1, Texel::one, 0},
                                 {"four halves to RGBA32F", GL_RGBA16F, GL_RGBA32F, 4, 4, Texel::four, 0}};

/// 12 x 10 unknowns in a texture with a frame of other things around them.
struct Example {
    static constexpr int columns = 12, rows = 10, left = 3, below = 2;
    Kind kind;
    int texels_wide = kind.texel == Texel::four ? columns / 4 : columns;
    int width = texels_wide + 5, height = rows + 4;
    std::vector<double> b, guess;
    std::vector<float> b_texels, x_texels;

    explicit Example(const Kind& k) : kind(k) {
        b_texels = numbers(kind.b_components, 1);
        x_texels = numbers(kind.x_components, 2);
        each([&](std::size_t texel, int lane) {
            b.push_back(static_cast<double>(b_texels[texel * stride_b() + place(lane)]));
        });
        each([&](std::size_t texel, int lane) {
            guess.push_back(static_cast<double>(x_texels[texel * stride_x() + place(lane)]));
        });
    }
    std::size_t stride_b() const { return static_cast<std::size_t>(kind.b_components); }
    std::size_t stride_x() const { return static_cast<std::size_t>(kind.x_components); }
    std::size_t place(int lane) const { return static_cast<std::size_t>(kind.component + lane); }
    /// Numbers that halves hold exactly.
    std::vector<float> numbers(int components, int seed) const {
        std::vector<float> made(static_cast<std::size_t>(width * height * components));
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i] = static_cast<float>(static_cast<int>(i * 37 + static_cast<std::size_t>(seed) * 11) % 64 - 31) / 16;
        }
        return made;
    }
    template <class Function>
    void each(const Function& f) const {
        for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column) {
                const int shift = kind.texel == Texel::four ? 2 : 0;
                const int texel = (below + row) * width + left + (column >> shift);
                f(static_cast<std::size_t>(texel), column & ((1 << shift) - 1));
            }
        }
    }
    TextureView view(GLuint name) const {
        return {.texture = name,
                .x = left,
                .y = below,
                .width = texels_wide,
                .height = rows,
                .texel = kind.texel,
                .component = kind.component};
    }
    /// What x holds now, and what is beside it must be what it was.
    std::vector<double> solution(const Picture& x) const {
        std::vector<float> now = x.texels();
        std::vector<double> found;
        each([&](std::size_t texel, int lane) {
            float& number = now[texel * stride_x() + place(lane)];
            found.push_back(static_cast<double>(number));
            number = x_texels[texel * stride_x() + place(lane)];
        });
        CHECK(now == x_texels);
        return found;
    }
};

/// 5-point, and not square, so that rows are told from columns.
inline CsrMatrix grid_matrix() {
    std::vector<Triplet> entries;
    constexpr Index columns = Example::columns, count = columns * Example::rows;
    for (Index i = 0; i < count; ++i) {
        entries.push_back({i, i, 4});
        if (i % columns > 0) entries.push_back({i, i - 1, -1});
        if (i % columns < columns - 1) entries.push_back({i, i + 1, -1});
        if (i >= columns) entries.push_back({i, i - columns, -1});
        if (i + columns < count) entries.push_back({i, i + columns, -1});
    }
    return csr_from_triplets(count, count, entries);
}

/// Rounding x to single precision makes residuals of this size.
inline double rounding(CsrView A, const std::vector<double>& x, const std::vector<double>& b) {
    double largest = 0, norm_b = 0;
    for (const double v : x) largest = std::max(largest, std::abs(v));
    for (const double v : b) norm_b += v * v;
    return 8 * largest * std::ldexp(1.0, -24) * std::sqrt(static_cast<double>(A.rows)) / std::sqrt(norm_b);
}

/// Who computes on textures: a stage of OpenGL's, or CUDA.
struct Way {
    Stage stage = Stage::automatic;
    bool cuda = false;

    operator Stage() const { return stage; }
    Device adopt() const {
        return cuda ? Device::open({.backend = BackendKind::cuda, .current = true})
                    : Device::adopt_current_opengl(stage);
    }
};
inline std::string_view name(const Way& way) { return way.cuda ? "cuda" : glsolve::name(way.stage); }

/// Those that there are on this machine.
inline std::vector<Way> stages(const CoreSession& session) {
    static const bool has_cuda = [] {
        try {
            Way{.cuda = true}.adopt();
            return true;
        } catch (const NoDevice&) {
            return false;
        }
    }();
    std::vector<Way> ways{{Stage::fragment}};
    if (session.features.compute) ways.push_back({Stage::compute});
    if (has_cuda) ways.push_back({.cuda = true});
    return ways;
}

inline Report polled(Solver& solver) {
    for (;;) {
        if (const auto report = solver.poll()) return *report;
    }
}

}  // namespace texture_test
