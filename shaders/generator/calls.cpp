// For each pass a struct of its arguments, named as the kernel names them:
//
//     backend.encode(pass::cg_update{.y = y, .r = r, .sum = sum, .p = p, .q = q, .alpha = alpha});
//
// Those that every variant has must be given, or it does not compile. A variant is asked for by what only it has
// (JACOBI: `.d = d`); one that has nothing of its own by `.field = true`.
#include "passes.hpp"

namespace glsolve::generator {
namespace {

/// The fields of such a struct.
class Fields {
  public:
    Fields(const string& file, const Block& block) : file_(file), block_(block) {
        for (const char* word : {"out", "in"}) {
            for (const Item& item : block.lists.at(word)) {
                // An input and an output of one name are one field: the pass changes it.
                if (!has(known_, item.name) && !is_of_matrix(item)) add(item, "Operand", "Optional");
            }
        }
        for (const auto& [word, type] :
             {std::pair("scalar", "ScalarArg"), std::pair("integer", "std::int32_t"), std::pair("constant", "float")}) {
            for (const Item& item : block.lists.at(word)) {
                if (has(known_, item.name)) wrong("two arguments '" + item.name + "'");
                add(item, fill("Given<$1>", {type}), fill("OptionalNumber<$1>", {type}));
                if (!item.condition.empty()) numbers_.push_back(item.name);
            }
        }
    }
    /// What asks for a variant: the first argument that it alone has, else a field of its own.
    string asked_by(const string& variant) {
        for (const Item& item : optional_) {
            if (item.condition == Words{variant}) return "pass::given(" + item.name + ")";
        }
        const string field = lower(variant);
        if (has(known_, field) || field == "status" || field == "variant")
            wrong("an argument '" + field + "' and a variant " + variant);
        text_ += "    bool " + field + " = false;\n";
        return field;
    }
    string struct_with(string_view function) const {
        return fill("/// $1\nstruct $2 {\n$3$4    VariantId variant = {};\n\n    $5\n};\n\n",
                    {block_.variants[0].formula, block_.name, text_,
                     has_status_besides() ? "    Optional status = {};\n" : "", function});
    }

    string values(const Items& items) const {
        Words all;
        for (const Item& item : items) {
            const char* number_or_value = has(numbers_, item.name) ? "pass::needed($1, \"$1\")" : "pass::value($1)";
            all.push_back(fill(is_of_matrix(item) ? "matrix.$1" : number_or_value, {item.name}));
        }
        return "{" + join(all, ", ") + "}";
    }
    /// Those that a pass lacks, each with whether it is given: {"d", pass::given(d)}
    string others_than(const Lists& lists) const {
        Words used, all;
        for (const char* word : {"out", "in", "scalar", "integer", "constant"}) used = used + names_of(lists.at(word));
        if (says(lists, "guarded")) used.push_back("status");
        for (const string& name : names_of(optional_) + Words(has_status_besides() ? 1 : 0, "status")) {
            if (!has(used, name)) all.push_back(fill("{\"$1\", pass::given($1)}", {name}));
        }
        return join(all, ", ");
    }

  private:
    [[noreturn]] void wrong(const string& what) const { complain(file_, 1, "pass " + block_.name + " has " + what); }
    /// A product's operand says where its matrix is: the fields of an ending lack that.
    bool is_of_matrix(const Item& item) const {
        return block_.kind == "ending" && (item.name == "a" || item.name == "a_low" || item.name == "structure");
    }
    /// A status that is changed guards as well.
    bool has_status_besides() const { return says(block_.lists, "guarded") && !has(known_, "status"); }

    void add(const Item& item, const string& required, const string& optional) {
        known_.push_back(item.name);
        const bool always = item.condition.empty();
        text_ += fill(always ? "    $1 $2;\n" : "    $3 $2 = {};\n", {required, item.name, optional});
        if (!always) optional_.push_back(item);
    }

    string file_, text_;
    const Block& block_;
    Words known_, numbers_;
    Items optional_;
};

const char* status_of(const Lists& lists) { return says(lists, "guarded") ? "status" : "{}"; }

}  // namespace

/// `passes`: of the block's variants, each told from the others by a number: a bit for each definition.
void add_call(const string& file, const Block& block, const std::vector<Pass>& passes, Calls& calls) {
    Fields fields(file, block);
    Words names, variants, bits;
    for (const Pass& pass : passes) {
        names.push_back(pass.more.empty() ? "plain" : join(pass.more, " "));
        for (const string& variant : pass.more) {
            if (has(variants, variant)) continue;
            bits.push_back(fill("($1 ? $2 : 0)", {fields.asked_by(variant), std::to_string(1 << bits.size())}));
            variants.push_back(variant);
        }
    }
    string cases;
    for (const Pass& pass : passes) {
        int number = 0;
        for (std::size_t i = 0; i < variants.size(); ++i) number += has(pass.more, variants[i]) ? 1 << i : 0;
        const auto values = [&](const char* word) { return fields.values(pass.lists.at(word)); };
        string call = fill("make_call(PassId::$1, $2, $3, $4, $5, $6, $7, variant)",
                           {pass.name, values("out"), values("in"), values("scalar"), values("integer"),
                            values("constant"), status_of(pass.lists)});
        if (const string others = fields.others_than(pass.lists); !others.empty())
            call = "without(" + call + ", {" + others + "})";
        cases += fill(bits.empty() ? "    return $2;\n" : "        case $1:\n            return $2;\n",
                      {std::to_string(number), call});
    }
    calls.structs += fields.struct_with("operator PassCall() const;");
    calls.functions += fill(bits.empty() ? "$1::operator PassCall() const {\n$3}\n\n"
                                         : "$1::operator PassCall() const {\n    switch ($2) {\n$3        default:\n"
                                           "            no_such_variant(\"$1\", \"$4\");\n    }\n}\n\n",
                            {block.name, join(bits, " | "), cases, join(names, ", ")});
}

/// Of a pass of any format: the matrix has what stands in place of `structure`.
void add_ending(const string& file, const Block& block, Calls& calls) {
    const Fields fields(file, block);
    const Lists lists = chosen(block.lists, {});
    Items before, behind;
    bool is_behind = false;
    for (const Item& item : lists.at("in")) {
        if (item.name == "structure")
            is_behind = true;
        else
            (is_behind ? behind : before).push_back(item);
    }
    if (!is_behind) complain(file, 1, "ending " + block.name + " has no input 'structure'");
    const auto values = [&](const char* word) { return fields.values(lists.at(word)); };
    calls.structs += fields.struct_with("PassCall of(const ProductOperands& matrix) const;");
    calls.functions += fill(
        "PassCall $1::of(const ProductOperands& matrix) const {\n"
        "    return make_product(matrix, Ending::$1, $2, $3, $4, $5, $6, $7, variant);\n}\n\n",
        {block.name, values("out"), fields.values(before), fields.values(behind), values("integer"), values("constant"),
         status_of(lists)});
}

}  // namespace glsolve::generator
