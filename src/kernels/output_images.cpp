#include "kernels/output_images.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/shared_programs.hpp"

namespace glsolve::inline v0_1 {
namespace {

using std::string;
using std::string_view;

/// Asynchronous passes: y, which others read meanwhile, in two images that take turns, and p in one.
string asynchronous_images(const TextureWords& words) {
    return fmt::format(
        "layout(rgba32f) coherent uniform {0} i_y, i_y_other;\nlayout(rgba32f) uniform {0} i_p;\n"
        "vec4 out_y = vec4(0.0), out_p = vec4(0.0);\nint local_step = 0;\n"
        "bool swapped() {{ return (local_step & 1) == 1; }}\n"
        "vec4 in_x(ivec2 at) {{\n"
        "    if (swapped()) return imageLoad(i_y_other, at);\n"
        "    return imageLoad(i_y, at);\n"
        "}}\n"
        "vec4 in_x_clamped(ivec2 at) {{ return in_x(clamp(at, ivec2(0), u_domain - 1)); }}\n"
        "vec4 in_p(ivec2 at) {{ return imageLoad(i_p, at); }}\n"
        "void store_outputs(ivec2 at) {{\n"
        "    if (swapped()) {{\n"
        "        imageStore(i_y, at, out_y);\n"
        "    }} else {{\n"
        "        imageStore(i_y_other, at, out_y);\n"
        "    }}\n"
        "    imageStore(i_p, at, out_p);\n"
        "}}\n",
        words.image);
}

/// Ordered passes: y, which they write and read.
string ordered_image(const TextureWords& words, const Dialect& dialect) {
    return fmt::format(
        "layout(rgba32f) coherent uniform {0} i_y;\nvec4 out_y = vec4(0.0);\n"
        "vec4 in_y(ivec2 at) {{ return {1}(i_y, at); }}\n{2}"
        "void store_outputs(ivec2 at) {{ imageStore(i_y, at, out_y); }}\n",
        words.image, dialect.linear ? "load_of_group" : "imageLoad",
        dialect.linear ? "float in_y_number(int i) { return number_of_group(i_y, i); }\n" : "");
}

/// The compute stage's way into a texture of the caller's: of a texel only some components may be written, the others
/// keep their bits, and KEEP writes none.
string outside_image(const Dialect& dialect) {
    const bool one = dialect.formats.outside == "r32ui", two = dialect.formats.outside == "rg32ui";
    return fmt::format(
        "layout({}) uniform uimage2D i_y;\nvec4 out_y = vec4(0.0);\nbool keeps = false;\n#define KEEP {{ keeps = true; "
        "return; }}\n"
        "void store_outputs(ivec2 at) {{\n"
        "    bool kept = keeps;\n"
        "    keeps = false;\n"
        "    if (kept) return;\n"
        "    uvec4 after = floatBitsToUint(out_y);\n"
        "    if (arg_components != {}) {{\n"
        "        uvec4 written = uvec4(ivec4(0) - (ivec4(arg_components) >> ivec4(0, 1, 2, 3) & 1));\n"
        "        after = (after & written) | (imageLoad(i_y, at) & ~written);\n"
        "    }}\n"
        "    imageStore(i_y, at, after);\n"
        "}}\n",
        dialect.formats.outside,
        one   ? 1
        : two ? 3
              : 15);
}

/// Texels of ranges are counted; real numbers may stand behind others.
string_view place_of_output(const PassRow& row, std::size_t output) {
    if (row.domain != Domain::ranges) return "at";
    return row.makes_integers(output) ? "place(t, arg_log2_entries)" : "place(arg_first + t, arg_log2_entries)";
}

/// An image for each output, which is only written.
string plain_images(const PassRow& row, const TextureWords& words) {
    string text, store;
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        const bool whole = row.makes_integers(i);
        const string_view name = row.outputs[i];
        text += fmt::format("layout({1}) writeonly uniform {2}{0} i_{3};\n{2}vec4 out_{3} = {2}vec4(0);\n", words.image,
                            whole ? "rgba32i" : "rgba32f", whole ? "i" : "", name);
        const string only = has_tasks(row) ? fmt::format("if (arg_outputs > {}) ", i) : "";
        if (!is_sum(name))
            store += fmt::format("    {0}imageStore(i_{1}, {2}, out_{1});\n", only, name, place_of_output(row, i));
    }
    return text
           + fmt::format("void store_outputs({}) {{\n{}}}\n", row.domain == Domain::ranges ? "int t" : "ivec2 at",
                         store);
}

/// Sums, which are the last outputs: a work group adds up the terms of its texels, and stores one texel of each.
string sums_of_groups(const PassRow& row) {
    const auto sums = std::count_if(row.outputs.begin(), row.outputs.end(), is_sum);
    if (sums == 0) return "";
    string add_terms, store_sums;
    for (std::int64_t k = 0; k < sums; ++k) {
        const string_view name = row.outputs[row.outputs.size() - static_cast<std::size_t>(sums - k)];
        add_terms += fmt::format("    terms[{}] += out_{};\n", k, name);
        store_sums += fmt::format("    imageStore(i_{}, group, sums[{}]);\n", name, k);
    }
    return fmt::format(
        "void add_terms(inout vec4 terms[{0}]) {{\n{1}}}\nvoid store_sums(ivec2 group, vec4 sums[{0}]) {{\n{2}}}\n",
        sums, add_terms, store_sums);
}

}  // namespace

TextureWords texture_words(const Dialect& dialect) {
    return dialect.rectangles ? TextureWords{"sampler2DRect", "image2DRect", ""}
                              : TextureWords{"sampler2D", "image2D", ", 0"};
}

string output_images(const PassRow& row, const Dialect& dialect) {
    const TextureWords words = texture_words(dialect);
    if (row.asynchronous) return asynchronous_images(words);
    if (row.ordered) return ordered_image(words, dialect);
    if (row.writes_outside) return outside_image(dialect);
    return plain_images(row, words) + sums_of_groups(row);
}

}  // namespace glsolve::inline v0_1
