#include "passes.hpp"

#include "kernels/cpp_text.hpp"

namespace glsolve::generator {
namespace {

Pass make_pass(const string& name, const string& kernel, const Lists& lists, const Words& base,
               const Variant& variant) {
    const Words defines = base + variant.more;
    Pass pass{name, kernel, defines, variant.more, variant.formula, lists, chosen(lists, defines)};
    // Which texts that kernels share stand in front of this one (../README.md says it as well).
    const Words integers = names_of(pass.lists.at("integer"));
    const bool is_product = has(integers, "differences");
    pass.places = has(integers, "log2_strip") ? "zones" : has(integers, "tile_height") ? "tiles" : "";
    pass.kind = is_product                      ? "product"
                : kernel == "reduce"            ? "reduction"
                : has(integers, "nx")           ? "lattice"
                : has(integers, "log2_entries") ? "rows"
                                                : "";
    pass.entries = has(integers, "log2_rest") ? "entries" : has(integers, "side") ? "blocks" : "";
    pass.ends = is_product ? "ending" : "";
    return pass;
}

/// All that is made of passes, one after the other.
class Table {
  public:
    Table(string folder, string output) : folder_(std::move(folder)), output_(std::move(output)) {}

    void read_shared_text(const string& file) {
        shared_.push_back(write_text(file));
        defined_by_shared_ = defined_by_shared_ + defines_in(shared_.back().without_comments);
    }
    void read_endings() {
        const string file = folder_ + "/ending.glsl";
        endings_ = read_head(file, read_file(file));
        for (const Block& block : endings_.blocks) add_ending(file, block, calls_of_endings_);
    }
    void read_kernel(const string& file) {
        const Head head = read_head(folder_ + "/" + file, read_file(folder_ + "/" + file));
        const string kernel = file.substr(5, file.find('.') - 5);
        Text text = write_text(file);
        text.known = head.defined;
        string in_cpp;
        for (const Block& block : head.blocks) {
            if (block.kind == "product") text.known = text.known + endings_.defined;
            const std::vector<Pass> passes =
                block.kind == "product" ? products_of(text.file, kernel, block) : variants_of(kernel, block);
            if (block.kind != "product") add_call(text.file, block, passes, calls_);
            for (const Pass& pass : passes) {
                add_row(pass);
                in_cpp += kernel_in_cpp(pass);
            }
        }
        known_ = known_ + text.known + defines_in(text.without_comments);
        text.known = text.known + defined_by_shared_;
        check_questions(text);
        write_if_new(output_ + "/kernels/" + kernel + ".cpp",
                     fill("// shaders/$1 in C++, made by shaders/generator.\n#include \"host/kernel.hpp\"\n\n"
                          "namespace glsolve::inline v0_1::GLSOLVE_HOST {\n\n$2}  // namespace glsolve::inline "
                          "v0_1::GLSOLVE_HOST\n",
                          {file, in_cpp}));
    }

    void write() {
        for (Text& text : shared_) {
            text.known = known_ + defined_by_shared_;
            check_questions(text);
        }
        Words endings;
        for (const Block& block : endings_.blocks) endings.push_back(block.name);
        const auto write = [&](const char* file, const char* pattern, std::initializer_list<string_view> parts) {
            write_if_new(output_ + file, "// Made by shaders/generator from the heads of the kernels; do not edit.\n"
                                             + fill(pattern, parts));
        };
        write("/pass_ids.hpp",
              "#pragma once\n\n#include <array>\n#include <cstdint>\n\nnamespace glsolve::inline v0_1 {\n\n"
              "enum class PassId : std::uint16_t {\n$1    count  // not a pass\n};\n\n"
              "/// What products with a matrix end in; a pass is a format and an ending.\n"
              "enum class Ending : std::uint8_t {\n    $2,\n    count  // not an ending\n};\n\n"
              "/// The passes of a format, by ending; PassId::count where it has none.\n"
              "using ProductPasses = std::array<PassId, static_cast<std::size_t>(Ending::count)>;\n\n"
              "namespace product_of {\n\n$3\n}  // namespace product_of\n\n}  // namespace glsolve::inline v0_1\n",
              {ids_, join(endings, ",\n    "), products_});
        write("/pass_rows.inc", "$1\nconstexpr PassRow table[] = {\n$2};\n", {arrays_, rows_});
        write("/pass_names.inc", "$1", {names_});
        write("/passes.hpp",
              "#pragma once\n\n#include \"device/pass_call.hpp\"\n\nnamespace glsolve::inline v0_1::pass {\n\n$1"
              "// --- products: of a matrix in any format\n"
              "namespace ending {\n\n$2}  // namespace ending\n\n}  // namespace glsolve::inline v0_1::pass\n",
              {calls_.structs, calls_of_endings_.structs});
        write("/passes.cpp",
              "#include \"passes.hpp\"\n\nnamespace glsolve::inline v0_1::pass {\n\n$1"
              "namespace ending {\n\n$2}  // namespace ending\n\n}  // namespace glsolve::inline v0_1::pass\n",
              {calls_.functions, calls_of_endings_.functions});
    }

  private:
    /// Writes text/NAME.hpp, and text/NAME.end.hpp, which undefines what that defines.
    Text write_text(const string& file) const {
        Text text{folder_ + "/" + file, without_comments(read_file(folder_ + "/" + file)), {}};
        string undefined;
        for (const string& define : defines_in(text.without_comments)) undefined += "#undef " + define + "\n";
        const string name = output_ + "/text/" + file.substr(0, file.find('.'));
        write_if_new(name + ".hpp", text_in_cpp(text));
        write_if_new(name + ".end.hpp", undefined);
        return text;
    }

    static std::vector<Pass> variants_of(const string& kernel, const Block& block) {
        std::vector<Pass> passes;
        for (const Variant& variant : block.variants) {
            string name = block.name;
            for (const string& define : variant.more) name += "_" + lower(define);
            passes.push_back(make_pass(name, kernel, block.lists, block.base, variant));
        }
        return passes;
    }

    /// The passes of a format: an ending each, with what the format adds to its lists.
    std::vector<Pass> products_of(const string& file, const string& kernel, const Block& own) {
        std::vector<Pass> passes;
        Words ids(endings_.blocks.size(), "PassId::count");
        for (const string& pair : own.endings) {
            Scanner rest{pair};
            const string_view ending = rest.take_until("=");
            std::size_t at = 0;
            while (at < ids.size() && endings_.blocks[at].name != ending) ++at;
            if (at == ids.size()) complain(file, 1, "'" + string(ending) + "' is no ending of ending.glsl");
            const Block& block = endings_.blocks[at];
            Lists lists = block.lists;
            lists.at("in").clear();
            for (const Item& item : block.lists.at("in"))
                lists.at("in") = lists.at("in") + (item.name == "structure" ? own.lists.at("structure") : Items{item});
            for (const char* word : {"integer", "compiled", "is"})
                lists.at(word) = own.lists.at(word) + block.lists.at(word);
            const string name = rest.rest.empty() ? own.name + "_" + block.name : string(rest.rest);
            passes.push_back(make_pass(name, kernel, lists, own.base + block.base, block.variants[0]));
            ids[at] = "PassId::" + name;
        }
        products_ += fill("inline constexpr ProductPasses $1{$2};\n", {own.name, join(ids, ", ")});
        return passes;
    }

    void add_row(const Pass& pass) {
        ids_ += "    " + pass.name + ",\n";
        names_ += "PASS(" + pass.name + ")\n";
        string formula;
        for (const char c : pass.formula) formula.append(c == '\\' || c == '"' ? "\\" : "") += c;
        rows_ += fill(
            "    {.id = PassId::$1,\n     .name = \"$1\",\n     .file = \"$2\",\n     .defines = \"$3\",\n"
            "     .formula = \"$4\"",
            {pass.name, pass.kernel, join(pass.defines, " "), formula});
        for (const char* word : {"out", "in", "scalar", "integer", "constant", "compiled"}) add_array(pass, word);
        add_member("integer_outputs", integers_among(pass.lists.at("out")));
        for (const string& word : words_of_is) add_member(word, says(pass.lists, word) ? "true" : "");
        const Items &over = pass.lists.at("over"), &shares = pass.lists.at("shares");
        add_member("domain", over.empty() ? "" : "Domain::" + over[0].name);
        add_text("shares", shares.empty() ? "" : shares[0].name);
        add_text("places", pass.places);
        add_text("kind", pass.kind);
        add_text("entries", pass.entries);
        add_text("ends", pass.ends);
        rows_ += "},\n";
    }
    /// A bit for each output that holds integers; empty: none does.
    static string integers_among(const Items& outputs) {
        unsigned bits = 0;
        for (std::size_t i = 0; i < outputs.size(); ++i) bits |= outputs[i].kind == "int" ? 1u << i : 0;
        return bits == 0 ? "" : std::to_string(bits);
    }
    void add_member(string_view member, const string& value) {
        if (!value.empty()) rows_ += fill(",\n     .$1 = $2", {member, value});
    }
    void add_text(string_view member, const string& text) {
        add_member(member, text.empty() ? "" : "\"" + text + "\"");
    }
    /// A list of the head; of `compiled`, which names flags as well, those.
    void add_array(const Pass& pass, const string& word) {
        Words all;
        for (const Item& item : pass.lists.at(word)) {
            if (word == "compiled" && item.kind != "flag") continue;
            const char* kind = item.kind == "int"       ? ", .integer = true"
                               : item.kind == "outside" ? ", .outside = true"
                                                        : "";
            all.push_back(fill(word == "in" ? "{.name = \"$1\"$2}" : "\"$1\"", {item.name, kind}));
        }
        if (all.empty()) return;
        const string member = word == "compiled" ? "flags" : word + (word == "in" || word == "out" ? "puts" : "s");
        arrays_ += fill("constexpr $1 $2_$3[] = {$4};\n",
                        {word == "in" ? "Input" : "std::string_view", pass.name, member, join(all, ", ")});
        add_member(member, pass.name + "_" + member);
    }

    string folder_, output_, ids_, names_, arrays_, rows_, products_;
    std::vector<Text> shared_;
    Words defined_by_shared_, known_;
    Head endings_;
    Calls calls_, calls_of_endings_;
};

}  // namespace

void write_passes(const string& folder, const Words& files, const string& output) {
    Table table(folder, output);
    const auto of_pass = [](const string& file) { return file.starts_with("pass/"); };
    for (const string& file : files) {
        if (!of_pass(file) && !file.starts_with("compute")) table.read_shared_text(file);
    }
    table.read_endings();
    for (const string& file : files) {
        // NAME.compute.glsl is another form of a kernel, with the same head.
        if (of_pass(file) && file.find(".compute.") == string::npos) table.read_kernel(file);
    }
    table.write();
}

}  // namespace glsolve::generator
