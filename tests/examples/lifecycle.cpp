// docs/embedding.md: create, resize, re-create, shut down, threads. The class stands there word for word.
#include <glsolve/glsolve.hpp>

class Pressure {
  public:
    void create() {  // your context is current, here and in every call
        device_ = glsolve::Device::adopt_current_opengl();
    }
    void resize(int width, int height, unsigned b, unsigned x) {  // first, and when the size changes
        solver_ = {};  // another size is another solver; the old one goes first, so that its memory is free
        solver_ = glsolve::GridSolver(device_, {.width = width, .height = height});
        solver_.warm_up({.texture = b}, {.texture = x});  // compiles and allocates now, so that no frame does
    }
    void frame(unsigned b, unsigned x) {  // textures of the same size, a texel for each cell
        solver_.enqueue({.texture = b}, {.texture = x}, {.iterations = 5});
    }
    void shut_down() {  // before your context goes, while it is current
        solver_ = {};
        device_ = {};
    }

  private:
    glsolve::Device device_;  // both are empty at first
    glsolve::GridSolver solver_;
};

#include <GL/glew.h>

#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "opengl/context.hpp"

namespace {

/// A texture of a program's.
struct Texture {
    GLuint name = 0;
    Texture(int width, int height, const std::vector<float>& texels) {
        glGenTextures(1, &name);
        glBindTexture(GL_TEXTURE_2D, name);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, texels.data());
    }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
    ~Texture() { glDeleteTextures(1, &name); }
};

/// Of a grid: b = 1 at the left side and -1 at the right one, and x.
struct Fields {
    Texture b, x;
    Fields(int width, int height) : b(width, height, sides(width, height)), x(width, height, zeros(width, height)) {}

  private:
    static std::vector<float> zeros(int width, int height) {
        return std::vector<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    }
    static std::vector<float> sides(int width, int height) {
        std::vector<float> b = zeros(width, height);
        const auto side = static_cast<std::size_t>(width);
        for (std::size_t row = 0; row < b.size(); row += side) b[row] = 1, b[row + side - 1] = -1;
        return b;
    }
};

/// After a frame of that size: is x larger on the left, as -div grad x = b has it?
bool solves(Pressure& pressure, int width, int height) {
    const Fields fields(width, height);
    pressure.resize(width, height, fields.b.name, fields.x.name);
    pressure.frame(fields.b.name, fields.x.name);
    std::vector<float> x(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    glBindTexture(GL_TEXTURE_2D, fields.x.name);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, x.data());
    return x.front() - x.back() > 0.9f * static_cast<float>(width - 1) && glGetError() == GL_NO_ERROR;
}

std::unique_ptr<glsolve::opengl::Context> open_context() {
    auto context = glsolve::opengl::open_headless_context("", false);
    context->make_current();
    return context;
}

std::size_t names_in_use() {
    std::size_t count = 0;
    for (GLuint name = 1; name < 10000; ++name) count += glIsTexture(name) + glIsProgram(name) + glIsBuffer(name);
    return count;
}

/// Everything that may happen to it, in a context of this thread's. False where something went wrong.
bool live() {
    Pressure pressure;
    for (int context = 0; context < 2; ++context) {  // a context goes, with all that is in it, and another one comes
        const auto mine = open_context();
        for (int again = 0; again < 2; ++again) {
            pressure.create();
            if (!solves(pressure, 32, 24) || !solves(pressure, 48, 40)) return false;
            pressure.shut_down();
            if (names_in_use() > 0) return false;
        }
        mine->restore();
    }
    return true;
}

}  // namespace

int main() try {
    open_context()->restore();
    bool other = false;
    std::thread thread([&] { other = live(); });
    const bool here = live();
    thread.join();
    std::printf("in this thread: %s; in another one at the same time: %s\n", here ? "right" : "wrong",
                other ? "right" : "wrong");
    return here && other ? 0 : 1;
} catch (const glsolve::NoDevice& absent) {
    std::puts(absent.what());
    return 4;  // CTest shows a skip
}
