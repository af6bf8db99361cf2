// Textures as programs have them beside those of 32 bits: halves to write into, masks in bytes, layers of arrays and
// slices of textures in space. What cannot be used is refused by OpenGL's own names.
#include <algorithm>
#include <bit>
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>

#include "opengl/outside_textures.hpp"
#include "texture_support.hpp"

namespace tests_of_texture_formats {

using namespace texture_test;

namespace {

/// Several pictures in one texture.
struct Layers {
    GLenum target;
    int width, height, depth;
    GLuint name = 0;

    Layers(GLenum t, int w, int h, int d, GLenum format, const std::vector<float>& texels)
        : target(t), width(w), height(h), depth(d) {
        usual_pixel_state();
        glGenTextures(1, &name);
        glBindTexture(target, name);
        const bool whole = format == GL_R8UI;
        std::vector<unsigned char> bytes(texels.begin(), texels.end());
        const void* data = whole ? static_cast<const void*>(bytes.data()) : texels.data();
        glTexImage3D(target, 0, static_cast<GLint>(format), w, h, d, 0, whole ? GL_RED_INTEGER : GL_RED,
                     whole ? GL_UNSIGNED_BYTE : GL_FLOAT, data);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glBindTexture(target, 0);
    }
    Layers(const Layers&) = delete;
    Layers& operator=(const Layers&) = delete;
    ~Layers() { glDeleteTextures(1, &name); }

    std::vector<float> texels() const {
        std::vector<float> read(static_cast<std::size_t>(width * height * depth));
        usual_pixel_state();
        glBindTexture(target, name);
        glGetTexImage(target, 0, GL_RED, GL_FLOAT, read.data());
        glBindTexture(target, 0);
        return read;
    }
};

constexpr Kind half_kinds[] = {{"R16F", GL_R32F, GL_R16F, 1, 1, Texel::one, 0},
                               {"second of RG16F", GL_RG16F, GL_RG16F, 2, 2, Texel::one, 1},
                               {"alpha of RGBA16F", GL_RGBA32F, GL_RGBA16F, 4, 4, Texel::one, 3},
                               {"four of RGBA16F", GL_RGBA32F, GL_RGBA16F, 4, 4, Texel::four, 0}};

/// 1: an unknown, 0: a solid.
std::vector<float> mask(int columns, int rows) {
    std::vector<float> cells(static_cast<std::size_t>(columns * rows), 1.0f);
    for (int i = 0; i < columns * rows; ++i) {
        if (i * 7 % 11 == 3 || i % columns == 4) cells[static_cast<std::size_t>(i)] = 0;
    }
    return cells;
}

}  // namespace

TEST_CASE("Halves are written, each the single number rounded to one of its neighbours",
          "[opengl][textures][formats]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    for (const Way stage : stages(*session)) {
        Device device = stage.adopt();
        Solver solver(device, A, {.tolerance = 1e-5});
        for (const Kind& kind : half_kinds) {
            CAPTURE(name(stage), kind.name);
            Kind single = kind;
            single.x_format = kind.x_components == 1 ? GL_R32F : kind.x_components == 2 ? GL_RG32F : GL_RGBA32F;
            const Example example(kind), reference(single);
            const Picture b(example.width, example.height, kind.b_components, kind.b_format, example.b_texels),
                x(example.width, example.height, kind.x_components, kind.x_format, example.x_texels),
                x_single(example.width, example.height, kind.x_components, single.x_format, example.x_texels);
            for (const Setting& setting : hostile_settings(*session)) setting.set();
            const auto before = session->state();
            const Budget budget{.iterations = 60};
            solver.enqueue(example.view(b.name), example.view(x.name), budget);
            CHECK(differences(before, session->state()) == "");
            const Report report = polled(solver);
            INFO(report.reason);
            CHECK(report.outcome == Outcome::met_on_device);
            solver.enqueue(example.view(b.name), example.view(x_single.name), budget);
            CHECK(polled(solver).outcome == Outcome::met_on_device);
            const std::vector<double> halves = example.solution(x), singles = reference.solution(x_single);
            REQUIRE(halves.size() == singles.size());
            int rounded = 0;
            for (std::size_t i = 0; i < halves.size(); ++i) {
                REQUIRE(std::abs(halves[i] - singles[i]) <= std::ldexp(std::abs(singles[i]), -10) + 0x1p-24);
                rounded += halves[i] != singles[i] ? 1 : 0;
            }
            CHECK(rounded > 0);
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("Masks in bytes are the cells that they say", "[opengl][textures][formats]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int columns = 10, rows = 7;
    const std::vector<float> cells = mask(columns, rows);
    std::vector<Cell> solids;
    for (const float each : cells) solids.push_back(each > 0 ? Cell::unknown : Cell::solid);
    const Grid grid{.width = columns, .height = rows, .x_walls = {Wall::dirichlet, Wall::neumann}, .shift = 0.5};
    struct Bytes {
        const char* name;
        GLenum internal, layout;
        int components, component;
        unsigned char one;
    };
    const Bytes formats[] = {{"R8", GL_R8, GL_RED, 1, 0, 255},
                             {"RG8", GL_RG8, GL_RG, 2, 1, 255},
                             {"RGB8", GL_RGB8, GL_RGB, 3, 2, 255},
                             {"RGBA8", GL_RGBA8, GL_RGBA, 4, 3, 255},
                             {"R8UI", GL_R8UI, GL_RED_INTEGER, 1, 0, 1},
                             {"R8UI of 255", GL_R8UI, GL_RED_INTEGER, 1, 0, 255},
                             {"RG8UI", GL_RG8UI, GL_RG_INTEGER, 2, 1, 3},
                             {"RGBA8UI", GL_RGBA8UI, GL_RGBA_INTEGER, 4, 2, 200}};
    for (const Way stage : stages(*session)) {
        Device device = stage.adopt();
        GridSolver expected(device, grid), solver(device, grid);
        expected.set_cells(solids);
        const CsrMatrix A = expected.matrix();
        for (const Bytes& f : formats) {
            CAPTURE(name(stage), f.name);
            std::vector<unsigned char> texels(cells.size() * static_cast<std::size_t>(f.components), 77);
            for (std::size_t i = 0; i < cells.size(); ++i) {
                texels[i * static_cast<std::size_t>(f.components) + static_cast<std::size_t>(f.component)] =
                    cells[i] > 0 ? f.one : 0;
            }
            usual_pixel_state();
            glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
            GLuint texture = 0;
            glGenTextures(1, &texture);
            glBindTexture(GL_TEXTURE_2D, texture);
            glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(f.internal), columns, rows, 0, f.layout, GL_UNSIGNED_BYTE,
                         texels.data());  // whose filter asks for levels that it has not
            glBindTexture(GL_TEXTURE_2D, 0);
            solver.set_cells({});
            solver.set_cells_from({.texture = texture, .component = f.component});
            const CsrMatrix made = solver.matrix();
            CHECK(made.offsets == A.offsets);
            CHECK(made.column == A.column);
            CHECK(made.value == A.value);
            CHECK(session->errors.take() == "");
            // b is no mask.
            CHECK_THROWS_WITH(
                solver.enqueue({.texture = texture}, {.texture = texture}),
                ContainsSubstring("is of format") && ContainsSubstring("8") && ContainsSubstring("32F or 16F"));
            glDeleteTextures(1, &texture);
        }
        for (const GLenum target : {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D}) {
            CAPTURE(name(stage), target);
            std::vector<float> all(cells.size() * 3, 1.0f);
            std::copy(cells.begin(), cells.end(), all.begin() + static_cast<std::ptrdiff_t>(2 * cells.size()));
            glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
            for (const GLenum format : {GL_R8UI, GL_R8, GL_R16F}) {
                CAPTURE(format);
                usual_pixel_state();
                glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
                std::vector<float> padded = all;
                GLuint texture = 0;
                glGenTextures(1, &texture);
                glBindTexture(target, texture);
                const std::vector<unsigned char> bytes(all.begin(), all.end());
                glTexImage3D(target, 0, static_cast<GLint>(format), columns, rows, 3, 0,
                             format == GL_R8UI ? GL_RED_INTEGER : GL_RED,
                             format == GL_R8UI ? GL_UNSIGNED_BYTE : GL_FLOAT,
                             format == GL_R8UI ? static_cast<const void*>(bytes.data()) : padded.data());
                glBindTexture(target, 0);
                solver.set_cells({});
                solver.set_cells_from({.texture = texture, .layer = 2});
                CHECK(solver.matrix().value == A.value);
                CHECK(session->errors.take() == "");
                glDeleteTextures(1, &texture);
            }
        }
    }
}

TEST_CASE("Layers and slices are read and written like textures of their own", "[opengl][textures][formats]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    constexpr int columns = Example::columns, rows = Example::rows, depth = 4;
    constexpr std::size_t layer_size = std::size_t{columns} * rows;
    std::vector<float> numbers;
    for (std::size_t i = 0; i < layer_size * depth; ++i) {
        numbers.push_back(static_cast<float>(static_cast<int>(i * 37 % 64) - 31) / 16);
    }
    const GLenum target = GENERATE(as<GLenum>{}, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D);
    const GLenum format = GENERATE(as<GLenum>{}, GL_R32F, GL_R16F);
    for (const Way stage : stages(*session)) {
        CAPTURE(name(stage), target, format);
        Device device = stage.adopt();
        Solver solver(device, A, {.tolerance = 1e-5});
        const Layers b(target, columns, rows, depth, GL_R32F, numbers),
            x(target, columns, rows, depth, format, numbers);
        for (const int layer : {2, 0, 3}) {
            CAPTURE(layer);
            const std::vector<float> old = x.texels();
            for (const Setting& setting : hostile_settings(*session)) setting.set();
            const TextureView right{.texture = b.name, .layer = 3 - layer}, found{.texture = x.name, .layer = layer};
            solver.warm_up(right, found);
            CHECK(x.texels() == old);
            for (const Setting& setting : hostile_settings(*session)) setting.set();
            const auto before = session->state();
            solver.enqueue(right, found, {.iterations = 60});
            CHECK(differences(before, session->state()) == "");
            const Report report = polled(solver);
            INFO(report.reason);
            CHECK(report.outcome == Outcome::met_on_device);
            const std::vector<float> now = x.texels();
            const auto part = [&](const std::vector<float>& all, int which) {
                const auto first =
                    all.begin() + static_cast<std::ptrdiff_t>(layer_size * static_cast<std::size_t>(which));
                return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(layer_size));
            };
            for (int other = 0; other < depth; ++other) {
                if (other != layer) CHECK(part(now, other) == part(old, other));
            }
            const std::vector<double> solution = part(now, layer), b_there = part(numbers, 3 - layer);
            const double halves = format == GL_R16F ? 0x1p13 : 1;  // times as far from one another
            CHECK(test::true_residual(A, solution, b_there) <= 1e-5 + halves * rounding(A, solution, b_there));
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("What cannot be used is named as OpenGL names it", "[opengl][textures][formats]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, grid_matrix(), {});
    constexpr int columns = Example::columns, rows = Example::rows;
    const std::vector<float> numbers(static_cast<std::size_t>(4 * columns * rows), 1.0f);
    const Picture good(columns, rows, 1, GL_R32F, numbers);
    const TextureView fits{.texture = good.name};
    const auto refused_x = [&](const TextureView& x, const std::string& why) {
        CAPTURE(why);
        CHECK_THROWS_WITH(solver.enqueue(fits, x), ContainsSubstring(why));
        CHECK_THROWS_WITH(solver.enqueue(fits, x), StartsWith("x: texture"));
        CHECK_THROWS_AS(solver.enqueue(fits, x), InvalidInput);
    };
    struct Named {
        GLenum internal, layout, type;
        const char* name;
    };
    for (const Named& f : {Named{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, "RGBA8"},
                           {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, "SRGB8_ALPHA8"},
                           {GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT, "R11F_G11F_B10F"},
                           {GL_RGB9_E5, GL_RGB, GL_FLOAT, "RGB9_E5"},
                           {GL_R32I, GL_RED_INTEGER, GL_INT, "R32I"},
                           {GL_RG16, GL_RG, GL_UNSIGNED_SHORT, "RG16"},
                           {GL_RGB32F, GL_RGB, GL_FLOAT, "RGB32F"},
                           {GL_RGB16F, GL_RGB, GL_FLOAT, "RGB16F"},
                           {GL_R8_SNORM, GL_RED, GL_BYTE, "R8_SNORM"},
                           {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, "DEPTH_COMPONENT24"},
                           {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, "DEPTH_COMPONENT32F"}}) {
        GLuint texture = 0;
        usual_pixel_state();
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(f.internal), columns, rows, 0, f.layout, f.type,
                     numbers.data());
        glBindTexture(GL_TEXTURE_2D, 0);
        refused_x({.texture = texture}, std::string("is of format ") + f.name + "; a solution takes R, RG or RGBA");
        glDeleteTextures(1, &texture);
    }
    const Layers array(GL_TEXTURE_2D_ARRAY, columns, rows, 4, GL_R32F, numbers),
        space(GL_TEXTURE_3D, columns, rows, 4, GL_R32F, numbers);
    if (session->features.binds_by_unit) {
        refused_x({.texture = array.name}, "is a GL_TEXTURE_2D_ARRAY; TextureView::layer says which");
        refused_x({.texture = space.name}, "is a GL_TEXTURE_3D; TextureView::layer says which");
        refused_x({.texture = session->host.rectangle}, "is a GL_TEXTURE_RECTANGLE, no GL_TEXTURE_2D");
        refused_x({.texture = good.name, .layer = 1}, "is a GL_TEXTURE_2D and has no layer 1");
        CHECK(session->errors.take() == "");
    }
    refused_x({.texture = array.name, .layer = 4}, "has 4 layers, counted from 0; there is no layer 4");
    refused_x({.texture = space.name, .layer = 7}, "has 4 layers, counted from 0; there is no layer 7");
    const Picture swizzled(columns, rows, 1, GL_R32F, numbers), levels(columns, rows, 1, GL_R32F, numbers);
    glBindTexture(GL_TEXTURE_2D, swizzled.name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_ONE);
    glBindTexture(GL_TEXTURE_2D, levels.name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 2);
    glBindTexture(GL_TEXTURE_2D, 0);
    refused_x({.texture = swizzled.name}, "has GL_TEXTURE_SWIZZLE_G GL_ONE; it has to be GL_GREEN");
    refused_x({.texture = levels.name}, "has GL_TEXTURE_BASE_LEVEL 2");
    CHECK(good.texels() == std::vector<float>(std::size_t{columns} * rows, 1.0f));
}

TEST_CASE("Without queries of textures by name the same is found out, if less is said", "[opengl][textures][formats]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    opengl::Features features = session->features;
    features.binds_by_unit = false;
    opengl::Barriers barriers(session->gl);
    opengl::Bindings bindings(session->gl, features, StatePolicy::restore);
    opengl::Textures textures(session->gl, features, barriers, bindings);
    opengl::OutsideTextures outside(session->gl, features, bindings, textures);
    const std::vector<float> numbers(64, 1.0f);
    const Picture flat(4, 4, 1, GL_R32F, numbers);
    const Layers array(GL_TEXTURE_2D_ARRAY, 4, 4, 4, GL_R32F, numbers), space(GL_TEXTURE_3D, 4, 4, 4, GL_R32F, numbers);
    CHECK(outside.look(flat.name, -1, TextureUse::written, "x").texture.target == GL_TEXTURE_2D);
    CHECK(outside.look(array.name, 1, TextureUse::written, "x").texture.target == GL_TEXTURE_2D_ARRAY);
    CHECK(outside.look(space.name, 3, TextureUse::read, "b").texture.target == GL_TEXTURE_3D);
    CHECK_THROWS_WITH(outside.look(array.name, -1, TextureUse::read, "b"),
                      ContainsSubstring("TextureView::layer says"));
    CHECK_THROWS_WITH(outside.look(flat.name, 0, TextureUse::read, "b"), ContainsSubstring("has no layer 0"));
    CHECK_THROWS_WITH(outside.look(session->host.rectangle, -1, TextureUse::read, "b"),
                      ContainsSubstring("is of another kind, no GL_TEXTURE_2D"));
    session->errors.take();  // these are how it was found out
    // In a context that raises none nothing is taken on trust.
    features.raises_errors = false;
    opengl::OutsideTextures blind(session->gl, features, bindings, textures);
    CHECK_THROWS_WITH(blind.look(flat.name, -1, TextureUse::written, "x"),
                      ContainsSubstring("x: texture") && ContainsSubstring("KHR_no_error"));
    CHECK(session->errors.take() == "");
}

}  // namespace tests_of_texture_formats
