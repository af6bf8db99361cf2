#include "clone/cloning.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "clone/shaders.hpp"

namespace cloning {
namespace {

constexpr int iterations_a_frame = 4;

glsolve::Options solver_options(bool profile) {
    glsolve::Options options = glsolve::GridSolver::usual_options();  // conjugate gradients with multigrid
    options.precision = glsolve::Precision::single;
    options.tolerance = 1e-5;
    options.profile = profile;
    return options;
}

/// A picture as a texture of four floats a texel.
GLuint texture_of(const demo::Picture& picture, const char* what) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (std::max(picture.width, picture.height) > largest) {
        throw std::runtime_error(std::string("the ") + what + " is too large: up to " + std::to_string(largest)
                                 + " pixels a side are possible on this device");
    }
    return demo::make_texture(GL_RGBA32F, picture.width, picture.height, picture.texels.data());
}

/// How the bound texture is shown smaller or larger.
void make_smooth(GLint smaller) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, smaller);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (const GLenum along : {GLenum{GL_TEXTURE_WRAP_S}, GLenum{GL_TEXTURE_WRAP_T}}) {
        glTexParameteri(GL_TEXTURE_2D, along, GL_CLAMP_TO_EDGE);
    }
}

GLuint picture_texture(int width, int height) {
    const GLuint texture = demo::make_texture(GL_RGBA32F, width, height);
    make_smooth(GL_LINEAR);
    return texture;
}

}  // namespace

Cloning::Cloning(const Inputs& inputs, const Placement& first, bool profile)
    : source_width_(inputs.source.width),
      source_height_(inputs.source.height),
      target_width_(inputs.target.width),
      target_height_(inputs.target.height),
      source_(texture_of(inputs.source, "source")),
      target_(texture_of(inputs.target, "target")),
      cells_(demo::make_texture(GL_R32F, source_width_, source_height_)),
      b_(demo::make_texture(GL_RGBA32F, source_width_, source_height_)),
      v_(demo::make_texture(GL_RGBA32F, source_width_, source_height_)),
      pasted_(picture_texture(target_width_, target_height_)),
      cloned_(picture_texture(target_width_, target_height_)),
      to_cells_(demo::make_program(cells_shader)),
      to_b_(demo::make_program(right_side_shader)),
      to_picture_(demo::make_program(compose_shader)),
      into_cells_(demo::make_framebuffer(cells_)),
      into_b_(demo::make_framebuffer(b_)),
      into_pasted_(demo::make_framebuffer(pasted_)),
      into_cloned_(demo::make_framebuffer(cloned_)),
      device_(glsolve::Device::adopt_current_opengl()),
      solver_(device_, {.width = source_width_, .height = source_height_}, solver_options(profile)),
      placement_(first) {
    glBindTexture(GL_TEXTURE_2D, source_);  // it is shown small; levels other than 0 are for that only
    make_smooth(GL_LINEAR_MIPMAP_LINEAR);
    glGenerateMipmap(GL_TEXTURE_2D);
    place(first);
    solver_.warm_up(view(b_), view(v_));  // compiles and allocates, so that no frame does
}

void Cloning::use(GLuint program) const {
    glUseProgram(program);
    int unit = 0;
    for (const auto& [name, texture] :
         {std::pair("source", source_), std::pair("target", target_), std::pair("v", v_)}) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        glBindTexture(GL_TEXTURE_2D, texture);
        glUniform1i(glGetUniformLocation(program, name), unit++);
    }
    glUniform2i(glGetUniformLocation(program, "placed"), placement_.x, placement_.y);
}

/// The part of the source that lies in the target: first and last column and row.
std::array<int, 4> Cloning::overlap() const {
    return {std::max(0, -placement_.x), std::min(source_width_, target_width_ - placement_.x) - 1,
            std::max(0, -placement_.y), std::min(source_height_, target_height_ - placement_.y) - 1};
}

void Cloning::place(const Placement& placement) {
    placement_ = placement;
    if (overlap() != cells_of_) {  // else the mask has the same cells as before
        use(to_cells_);
        demo::draw(to_cells_, into_cells_, source_width_, source_height_);
        solver_.set_cells_from({.texture = cells_});
        cells_of_ = overlap();
    }
    use(to_b_);
    glUniform1i(glGetUniformLocation(to_b_, "mixed_gradients"), placement.mixed_gradients ? 1 : 0);
    demo::draw(to_b_, into_b_, source_width_, source_height_);
}

void Cloning::compose() {
    use(to_picture_);
    for (const auto& [cloned, into] : {std::pair(0, into_pasted_), std::pair(1, into_cloned_)}) {
        glUniform1i(glGetUniformLocation(to_picture_, "cloned"), cloned);
        demo::draw(to_picture_, into, target_width_, target_height_);
    }
    if (!mipmaps_) return;
    for (const GLuint picture : {pasted_, cloned_}) {
        glBindTexture(GL_TEXTURE_2D, picture);
        make_smooth(GL_LINEAR_MIPMAP_LINEAR);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
}

void Cloning::frame(const Placement& placement) {
    const bool moved = placement != placement_;
    if (moved) {
        place(placement);
        first_here_ = enqueued_ + 1;
        met_ = false;
    }
    if (!met_) {
        // The solution so far is the guess, as long as nothing moves.
        solver_.enqueue(view(b_), view(v_), {.iterations = iterations_a_frame, .zero_guess = moved, .history = true});
        ++enqueued_;
    }
    compose();
}

std::optional<glsolve::Report> Cloning::poll() {
    std::optional<glsolve::Report> report = solver_.poll();  // in the order of the frames
    if (report && ++told_ >= first_here_) met_ = report->converged();
    return report;
}

glsolve::Report Cloning::finish() {
    const glsolve::Report report = solver_.solve(view(b_), view(v_));
    compose();
    return report;
}

demo::Picture Cloning::read(GLuint picture) const {
    demo::Picture read{.width = target_width_, .height = target_height_, .texels = {}};
    read.texels.resize(4 * static_cast<std::size_t>(target_width_) * static_cast<std::size_t>(target_height_));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, picture == pasted_ ? into_pasted_ : into_cloned_);
    glReadPixels(0, 0, target_width_, target_height_, GL_RGBA, GL_FLOAT, read.texels.data());
    return read;
}

}  // namespace cloning
