/// What the generator makes of a pass: a row of the pass table, the struct of its arguments, the kernel in C++.
#pragma once

#include "heads.hpp"

namespace glsolve::generator {

/// A variant of a block, or a product with an ending.
struct Pass {
    string name, kernel;  ///< the kernel's file: dia
    Words defines, more;  ///< all that it defines, and what of that is the variant's own
    string formula;
    Lists all, lists;  ///< of its head; and what of them holds where `defines` are defined
    string places = {}, kind = {}, entries = {},
           ends = {};  ///< texts that kernels share, which stand in front of this one
};

/// The structs of arguments, and what they become.
struct Calls {
    string structs, functions;
};
void add_call(const string& file, const Block& block, const std::vector<Pass>& passes, Calls& calls);
void add_ending(const string& file, const Block& block, Calls& calls);

/// A shader's text. `known`: what it may ask for by #if, #ifdef and #elif.
struct Text {
    string file, without_comments;
    Words known;
};
Words defines_in(const string& text);
string text_in_cpp(const Text& text);
void check_questions(const Text& text);
string kernel_in_cpp(const Pass& pass);  ///< a struct for each way in which switches may stand, and what runs it

/// All that follows from the heads of kernels, into the folder `output`. `files`: of `folder`.
void write_passes(const string& folder, const Words& files, const string& output);

}  // namespace glsolve::generator
