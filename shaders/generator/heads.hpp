/// The heads of kernels, the comments that their files begin with: ../README.md says what they look like.
#pragma once

#include <map>

#include "text.hpp"

namespace glsolve::generator {

struct Item {
    string name, kind;  ///< "x" and "int", of x:int
    Words condition;    ///< "JACOBI" "and" "not" "FIELD"; none: always
};
using Items = std::vector<Item>;
Words names_of(const Items& items);

/// By the words that heads have for them: "out", "in" ... All of them are there.
using Lists = std::map<string, Items, std::less<>>;
Lists chosen(Lists lists, const Words& defines);  ///< what of them holds where these are defined
bool says(const Lists& lists, string_view word);  ///< in "is", whatever its condition
inline const Words words_of_is{"guarded", "each_apart", "two_float",      "in_parts", "elementwise",
                               "chaotic", "ordered",    "writes_outside", "user_glsl"};

struct Variant {
    Words defines;
    string formula;
};
/// A pass with its variants, the first of which is the pass itself; an ending; or a product, which has endings
/// ("ending=pass") and no variants.
struct Block {
    string kind, name;
    Words base = {};  ///< what all variants define
    Lists lists = {};
    std::vector<Variant> variants = {};
    Words endings = {};
};
struct Head {
    std::vector<Block> blocks;
    Words defined;  ///< what texts may ask for by #ifdef
};
Head read_head(const string& file, string_view text);  ///< What is not understood ends the build.

}  // namespace glsolve::generator
