// The kernels in C++, for the host (../README.md, "In C++"). A kernel is a struct there, whose body is the text of the
// shader: what GLSL calls global is its own.
#include "kernels/cpp_text.hpp"

#include "passes.hpp"

namespace glsolve::generator {
namespace {

/// What a device or a stage defines (src/kernels).
const Words defined_everywhere{"DOUBLE_REALS", "HAS_DOUBLES", "HAS_PRECISE", "ZEROS_OUTSIDE", "GROUP_SIZE",
                               "AT_ONCE",      "TEAM",        "HAS_NUMBERS", "HAS_RUNS"};

/// A mistake where `found`, a piece of its text, stands.
[[noreturn]] void complain_of(const Text& text, string_view found, const string& why) {
    const auto begin = text.without_comments.begin();
    const auto line =
        std::count(begin, begin + static_cast<std::ptrdiff_t>(text.without_comments.find(found)), '\n') + 1;
    complain(text.file, static_cast<int>(line), "'" + string(found) + "': " + why + "; shaders/README.md, \"In C++\"");
}

/// What is left of a text but for what C++ cannot have, if that stands at its front: ", out T" or "v.xy =".
string_view behind_what_is_not_cpp(Scanner rest) {
    if (rest.take("(") || rest.take(",")) {
        rest.skip_spaces();
        rest.take("const ");
        if (!rest.take("in ") && !rest.take("out ")) return {};
    } else {
        const string_view swizzle = rest.take(".") ? rest.take_word() : "";
        if (swizzle.size() < 2 || swizzle.find_first_not_of("xyzw") != string_view::npos) return {};
        rest.skip_spaces();
        if (!rest.rest.empty() && string_view("-+*/").find(rest.rest[0]) != string_view::npos) rest.take(1);
        if (!rest.take("=") || rest.rest.starts_with('=')) return {};
    }
    rest.take(1);
    return rest.rest;
}

/// The directives of a text that begin so: "#if TWICE".
Words directives(const string& text, const Words& words) {
    Words found;
    for (Scanner rest{text}; rest.take_until("#"), !rest.rest.empty();) {
        Scanner line = rest;
        if (has(words, line.take_word())) found.push_back("#" + string(rest.take_line()));
    }
    return found;
}

string members_of(const Items& items, const char* pattern) {
    string members;
    for (std::size_t i = 0; i < items.size(); ++i) members += fill(pattern, {items[i].name, std::to_string(i)});
    return members;
}

string outputs_of(const Items& items) {
    string members;
    for (const Item& item : items)
        members += fill(item.kind == "int" ? "    ivec4 out_$1 = ivec4(0);\n" : "    vec4 out_$1 = vec4(0.0f);\n",
                        {item.name});
    return members;
}

string inputs_of(const Pass& pass) {
    string members;
    int i = 0;
    for (const Item& item : pass.lists.at("in")) {
        if (item.kind == "int") {
            members +=
                fill("    int in_$1_number(int i) const { return t_$2.number(i); }\n", {item.name, std::to_string(i)});
        } else {
            members += fill(
                "    Real in_$1_number(int i) const { return t_$2.number(i); }\n"
                "    vec4 in_$1_run(int i) const { return t_$2.run(i); }\n",
                {item.name, std::to_string(i)});
        }
        const bool is_shared = says(pass.lists, "asynchronous") && item.name == "x";
        members += fill(
            is_shared ? "    vec4 in_x(ivec2 at) const { return load_shared(read_in(given.pass, local_step), at); }\n"
                        "    vec4 in_x_clamped(ivec2 at) const { return in_x(at); }\n"
                        "    Image<vec4> t_$3 = given.image<vec4>($3);\n"
                      : "    Image<$1> t_$3 = given.image<$1>($3);\n"
                        "    $1 in_$2(ivec2 at) const { return t_$3(at); }\n"
                        "    $1 in_$2_clamped(ivec2 at) const { return t_$3(at); }\n",
            {item.kind == "int" ? "ivec4" : "vec4", item.name, std::to_string(i++)});
    }
    return members;
}

const char* commit_of(const Lists& lists) {
    if (says(lists, "each_apart")) {
        return "    vec4 stopped_value = given.pass.stopped;\n"
               "    vec4 commit(vec4 before, vec4 after) const {\n"
               "        return mix(after, before, notEqual(stopped_value, vec4(0.0f)));\n    }\n";
    }
    return says(lists, "guarded")
               ? "    Real stopped_value = given.pass.stopped.x;\n"
                 "    vec4 commit(vec4 before, vec4 after) const { return stopped_value != 0 ? before : after; }\n"
               : "";
}

bool makes_ranges(const Lists& lists) { return !lists.at("over").empty() && lists.at("over")[0].name == "ranges"; }

/// A texel of output $2. Ranges are counted, and real numbers may stand behind others.
const char* store_at(const Lists& lists, const Item& output) {
    const bool integers = output.kind == "int";
    if (!makes_ranges(lists))
        return integers ? "        given.integers($2, at) = out_$1;\n" : "        given.output($2, at) = out_$1;\n";
    return integers ? "        given.integers($2, place(t, arg_log2_entries)) = out_$1;\n"
                    : "        given.output($2, place(arg_first + t, arg_log2_entries)) = out_$1;\n";
}

/// Outputs that begin with `sum` hold terms, which are added up over a piece of a line; the others are stored.
string store_of(const Lists& lists) {
    string stored, added, sums;
    int i = 0, first = 0;
    for (const Item& item : lists.at("out")) {
        const auto filled = [&](const char* pattern) {
            return fill(pattern, {item.name, std::to_string(i), std::to_string(i - first)});
        };
        if (item.name.starts_with("sum")) {
            added += filled("        sums[$3] += out_$1;\n");
            sums += filled("        given.output($2, piece) = sums[$3];\n");
        } else {
            if (says(lists, "asynchronous") && i == 0) {
                stored += filled("        store_shared(written_in(given.pass, local_step), at, out_$1);\n");
            } else if (says(lists, "writes_outside")) {
                stored += filled(
                    "        for (int i = 0; i < 4 && !keeps; ++i) {\n"
                    "            if ((arg_components >> i & 1) != 0) given.output(0, at)[i] = out_$1[i];\n"
                    "        }\n");
            } else {
                stored += filled(store_at(lists, item));
            }
            first = i + 1;
        }
        ++i;
    }
    return fill(
        "    static constexpr int sum_count = $1;\n"
        "    static constexpr bool makes_ranges = $5;\n"
        "    void store_outputs($6) {\n$2    }\n"
        "    void add_terms(vec4* sums) const {\n$3    }\n"
        "    void store_sums(ivec2 piece, const vec4* sums) const {\n$4    }\n",
        {std::to_string(i - first), stored, added, sums, makes_ranges(lists) ? "true" : "false",
         makes_ranges(lists) ? "int t" : "ivec2 at"});
}

/// With `switches` defined beside its own definitions.
string struct_of(const Pass& pass, const string& name, const Words& switches) {
    const Words defines = pass.defines + switches;
    // Numbers lie one behind the other, and may be read so; not where threads write them meanwhile.
    const Words ways_to_read = says(pass.lists, "asynchronous") ? Words{} : Words{"HAS_NUMBERS", "HAS_RUNS"};
    string begin, end, members, body;
    for (const string& define : defines + ways_to_read) {
        begin += "#define " + define + "\n";
        end += "#undef " + define + "\n";
    }
    const Lists lists = chosen(pass.all, defines);
    for (const Item& item : lists.at("compiled")) {
        if (item.kind == "switch" || item.kind == "list") continue;  // the text asks for them
        members += fill(item.kind == "flag" ? "    bool defined_$1 = given.pass.definitions.has(\"$1\");\n"
                                            : "    int defined_$1 = given.defined(\"$1\");\n",
                        {item.name});
        begin += fill("#undef $1\n#define $1 defined_$1\n", {item.name});
        end += "#undef " + item.name + "\n";
    }
    members += inputs_of(pass) + members_of(pass.lists.at("scalar"), "    vec4 scalar_$1 = given.scalar($2);\n")
               + members_of(pass.lists.at("integer"), "    int arg_$1 = given.integer($2);\n")
               + members_of(pass.lists.at("constant"), "    Real arg_$1 = given.constant($2);\n")
               + commit_of(pass.lists) + outputs_of(pass.lists.at("out"));
    for (const string& text : {string("prelude"), string(says(pass.lists, "two_float") ? "two_float" : ""), pass.places,
                               pass.kind, pass.entries, pass.ends, "pass/" + pass.kernel}) {
        if (text.empty()) continue;
        body += "#include \"text/" + text + ".hpp\"\n";
        end.insert(0, "#include \"text/" + text + ".end.hpp\"\n");
    }
    if (says(pass.lists, "user_glsl")) {
        body +=
            "    unknowns apply(ivec2 at) { return x(at); }  // the caller's words are GLSL's\n"
            "    unknowns diagonal(ivec2 at) { return inside(at); }\n";
    }
    return fill(
        "$1namespace {\nstruct $2 : Kernel {\n    static constexpr bool asynchronous = $3;\n    using Kernel::Kernel;\n"
        "$4$5$6};\n}  // namespace\n$7\n",
        {begin, name, says(pass.lists, "asynchronous") ? "true" : "false", members, body, store_of(pass.lists), end});
}

}  // namespace

Words defines_in(const string& text) {
    Words names;
    for (const string& line : directives(text, {"define"})) {
        Scanner rest{line};
        rest.take_until(" ");
        if (const string name(rest.take_word()); !has(names, name)) names.push_back(name);
    }
    return names;
}

string text_in_cpp(const Text& text) {
    for (Scanner rest{text.without_comments}; !rest.rest.empty(); rest.take(1)) {
        const string_view behind = behind_what_is_not_cpp(rest);
        if (behind.data() == nullptr) continue;
        complain_of(text, rest.take(rest.rest.size() - behind.size()), "this cannot be translated to C++");
    }
    // #line: where compilers say that mistakes are.
    const auto no_name = [](int) { return string(); };
    return "#line 1 \"" + text.file + "\"\n"
           + cpp_text(text.without_comments, Reals::either, no_name, Definitions::given).body;
}

void check_questions(const Text& text) {
    const Words own = defines_in(text.without_comments);
    for (const string& question : directives(text.without_comments, {"if", "elif", "ifdef", "ifndef"})) {
        const bool asks_for_values = !question.starts_with("#ifdef") && !question.starts_with("#ifndef");
        bool is_asked_for_value = asks_for_values;
        Scanner rest{question};
        for (rest.take_until(" "); !rest.rest.empty();) {
            const string name(rest.take_word());
            if (name.empty()) {
                rest.take(1);
            } else if (name == "defined") {
                is_asked_for_value = false;
            } else if (!Scanner::is_digit(name[0])) {
                // A number of `compiled:` is a variable in C++, of which the preprocessor knows nothing.
                if (is_asked_for_value && !has(own, name))
                    complain_of(text, question, "'#if' cannot ask for the value of " + name);
                // A definition that no head names would do nothing on devices that compile C++.
                if (!has(text.known + own + defined_everywhere, name))
                    complain_of(
                        text, question,
                        "no head names " + name + " in 'compiled:' or 'faster:', or it is a flag, asked for by 'if'");
                is_asked_for_value = asks_for_values;
            }
        }
    }
}

string kernel_in_cpp(const Pass& pass) {
    const Items& compiled = pass.lists.at("compiled");
    Words switches, quoted;
    for (const Item& item : compiled) {
        if (item.kind != "switch") continue;
        switches.push_back(item.name);
        quoted.push_back("\"" + item.name + "\"");
    }
    string structs, cases;
    for (unsigned mask = 0; mask < 1u << switches.size(); ++mask) {
        Words on;
        string name = pass.name + "_kernel";
        for (std::size_t bit = 0; bit < switches.size(); ++bit) {
            if ((mask >> bit & 1) == 0) continue;
            on.push_back(switches[bit]);
            name += "_" + switches[bit];
        }
        structs += struct_of(pass, name, on);
        cases += fill("        case $1: return run<$2>(pass);\n", {std::to_string(mask), name});
    }
    return structs
           + fill("void $1(const Pass& pass) {\n    switch (pass.switches({$2})) {\n$3    }\n}\n\n",
                  {pass.name, join(quoted, ", "), cases});
}

}  // namespace glsolve::generator
