/// The heads of kernels, the comments that their files begin with: ../README.md says what they look like.
#pragma once

#include "text.hpp"

namespace glsolve::generator {

struct Item {
    string name, kind;  ///< "x" and "int", of x:int
    Words condition;    ///< "JACOBI" "and" "not" "FIELD"; none: always
};
using Items = std::vector<Item>;
Words names_of(const Items& items);

/// Heads have these words for lists.
inline const Words words_of_lists{"out",      "in",     "structure", "scalar", "integer", "constant",
                                  "compiled", "faster", "over",      "shares", "is"};
struct Lists {
    Items all[11];  ///< in this order

    Items& at(string_view word) {
        std::size_t i = 0;
        while (words_of_lists[i] != word) ++i;
        return all[i];
    }
    const Items& at(string_view word) const { return const_cast<Lists*>(this)->at(word); }
};
Lists chosen(const Lists& lists, const Words& defines);  ///< what of them holds where these are defined
bool says(const Lists& lists, string_view word);         ///< in "is", whatever its condition
inline const Words words_of_is{"guarded",      "each_apart", "two_float",      "in_parts", "elementwise",
                               "asynchronous", "ordered",    "writes_outside", "user_glsl"};

struct Variant {
    Words more;  ///< what it defines besides
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
