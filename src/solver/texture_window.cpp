#include "solver/texture_window.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

int log2_in(const TextureView& view) { return view.texel == Texel::four ? 2 : 0; }

/// The rectangle, with the sizes that were left open.
TextureView inside(TextureView view, Extent whole, std::string_view role) {
    if (view.width == 0) view.width = whole.width - view.x;
    if (view.height == 0) view.height = whole.height - view.y;
    if (view.x < 0 || view.y < 0 || view.width < 1 || view.height < 1 || view.width > whole.width - view.x
        || view.height > whole.height - view.y) {
        throw InvalidInput(
            fmt::format("{}: a rectangle of {} x {} texels at ({}, {}) is not inside texture {}, {} x {}", role,
                        view.width, view.height, view.x, view.y, view.texture, whole.width, whole.height));
    }
    return view;
}

/// A matrix leaves it to the texture how long rows are.
Numbering shaped(Numbering numbering, const TextureView& view) {
    if (numbering.columns > 0) return numbering;
    const Index columns = view.width << log2_in(view);
    return {numbering.unknowns, columns, view.height, 1, columns, view.height};
}

void check_sizes(const TextureView& view, const Numbering& numbering, const Numbering& given, std::string_view role) {
    const std::int64_t wanted = ((std::int64_t{given.unknowns} - 1) >> log2_in(view)) + 1;
    const std::int64_t lines = (wanted - 1) / view.width + 1;
    if (given.columns == 0 && lines != view.height) {
        throw InvalidInput(fmt::format(
            "{}: {} x {} texels of texture {} with {} each; the {} unknowns take {} texels, {} rows of these", role,
            view.width, view.height, view.texture, view.texel == Texel::four ? "four unknowns" : "one unknown",
            given.unknowns, wanted, lines));
    }
    const Index rows = numbering.height * numbering.planes;
    if (given.columns > 0 && (view.width << log2_in(view) != given.columns || view.height != rows)) {
        throw InvalidInput(
            fmt::format("{}: {} x {} texels of texture {} with {} each; the grid has rows of {} cells, and "
                        "{} of them",
                        role, view.width, view.height, view.texture,
                        view.texel == Texel::four ? "four cells" : "one cell", given.columns, rows));
    }
}

void check_components(const TextureView& view, int components, std::string_view role) {
    const int count = view.right_hand_sides;
    if (view.texel == Texel::four && (view.component != 0 || count != 1 || components != 4)) {
        throw InvalidInput(fmt::format(
            "{}: texture {} has {} components; four unknowns a texel take all of four, from component 0 on, of "
            "one right-hand side",
            role, view.texture, components));
    }
    if (view.component < 0 || count < 1 || count > 4 || view.component + count > components) {
        throw InvalidInput(
            fmt::format("{}: texture {} has {} components; {} from component {} on, counted from 0, were "
                        "asked for",
                        role, view.texture, components, count, view.component));
    }
}

}  // namespace

TextureWindow::TextureWindow(Backend& backend, const TextureView& view, const Numbering& numbering, TextureUse use,
                             std::string_view role)
    : backend_(backend), texture_(backend.adopt(view.texture, use, role, view.layer)) {
    try {
        view_ = inside(view, backend.extent(texture_), role);
        numbering_ = shaped(numbering, view_);
        check_components(view_, backend.components(texture_), role);
        check_sizes(view_, numbering_, numbering, role);
    } catch (...) {
        backend_.release(texture_);
        throw;
    }
}

std::int32_t TextureWindow::length_of(const Vector& x) const {
    return static_cast<std::int32_t>(numbering_.unknowns > 0 ? numbering_.unknowns : x.layout().length);
}

void TextureWindow::take(Vector& y, const ScalarArg& a, Mask mask, int column, bool finite) const {
    if (backend_.extent(mask.m) != backend_.extent(y.id())) throw Error("texture: a mask of another size");
    const Numbering& n = numbering_;
    backend_.encode(pass::texture_take{.y = y,
                                       .x = texture_,
                                       .m = mask.m,
                                       .a = a,
                                       .log2_width = y.layout().log2_width,
                                       .left = view_.x,
                                       .bottom = view_.y,
                                       .columns = n.columns,
                                       .pitch = n.pitch,
                                       .lines = n.lines,
                                       .height = n.height,
                                       .length = length_of(y),
                                       .log2_in = log2_in(view_),
                                       .component = view_.component + column,
                                       .finite = finite ? 1 : 0,
                                       .masked = mask.used ? 1 : 0});
}

void TextureWindow::put(const Vector& x, int column, StorageId refused) const {
    const Numbering& n = numbering_;
    const std::int32_t components = view_.texel == Texel::four ? 15 : 1 << (view_.component + column);
    backend_.encode(pass::texture_put{.y = texture_,
                                      .x = x,
                                      .left = view_.x,
                                      .bottom = view_.y,
                                      .columns = view_.width,
                                      .rows = view_.height,
                                      .log2_width = x.layout().log2_width,
                                      .pitch = n.pitch,
                                      .lines = n.lines,
                                      .height = n.height,
                                      .log2_in = log2_in(view_),
                                      .length = length_of(x),
                                      .components = components,
                                      .status = refused});
}

}  // namespace glsolve::inline v0_1
