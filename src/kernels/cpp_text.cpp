#include "kernels/cpp_text.hpp"

#include <algorithm>
#include <utility>

#include "kernels/scanner.hpp"

namespace glsolve::inline v0_1 {
namespace {

using std::string;
using std::string_view;

/// Members of structures, which may have the names of swizzles: " hi lo s ".
string members_of(string_view text) {
    string names = " ";
    for (Scanner all{text}; all.take_until("struct "), !all.rest.empty();) {
        all.take_word();
        if (!all.take(" {")) continue;
        for (Scanner members{all.take_until("}")}; !members.rest.empty(); members.take(1)) {
            names.append(members.take_word()) += ' ';
        }
    }
    return names;
}

/// #line 7 2 -> #line 7 "shaders/pass/dia.glsl"; else nothing
string line_of_source(Scanner line, const std::function<string(int)>& name_of) {
    if (!line.take("#line ")) return "";
    const string number(line.take_word());
    if (!line.take(" ") || line.rest.empty() || !Scanner::is_digit(line.rest[0])) return "";
    return "#line " + number + " \"" + name_of(std::stoi(string(line.rest))) + "\"";
}

/// vec4 f(ivec2 at);
bool is_prototype(Scanner line) {
    const string_view type = line.take_word();
    if (type.empty() || type == "return" || type == "else" || !line.take(" ")) return false;
    if (line.take_word().empty() || !line.take("(")) return false;
    if (line.take_until(")").find_first_of("({}") != string_view::npos || !line.take(";")) return false;
    line.skip_spaces();
    return line.rest.empty();
}

/// Goes through a text token by token.
class Translation {
  public:
    Translation(Reals reals, Definitions definitions, string members)
        : reals_(reals), given_(definitions == Definitions::given), members_(std::move(members)) {}

    string of(string_view text) const {
        string out;
        for (Scanner in{text}; !in.rest.empty();) {
            const char c = in.rest[0], next = in.rest.size() > 1 ? in.rest[1] : '\0';
            if (Scanner::is_digit(c) || (c == '.' && Scanner::is_digit(next))) {
                out += number(in);
            } else if (c == '.') {
                out += member(in);
            } else if (Scanner::is_word(c)) {
                out += word(in);
            } else {
                out += in.take(1);
            }
        }
        return out;
    }

  private:
    /// 1.0 -> 1.0f, 1e-3 -> 1e-3f, unless all are doubles; integers stay.
    string number(Scanner& in) const {
        const bool hexadecimal = in.rest.starts_with("0x") || in.rest.starts_with("0X");
        std::size_t end = 0;
        for (char before = '\0'; end < in.rest.size(); before = in.rest[end++]) {
            const char c = in.rest[end];
            const bool sign = (c == '-' || c == '+') && !hexadecimal && (before == 'e' || before == 'E');
            if (!Scanner::is_word(c) && c != '.' && !sign) break;
        }
        string digits(in.take(end));
        if (hexadecimal || digits.find_first_of(".eE") == string::npos) return digits;
        const bool wide = digits.ends_with("lf") || digits.ends_with("LF");
        if (wide) digits.erase(digits.size() - 2);
        const bool has_suffix = digits.back() == 'f' || digits.back() == 'F';
        if (reals_ != Reals::floats && has_suffix) digits.pop_back();
        if (reals_ == Reals::either && !wide) return string("REAL(").append(digits).append(")");
        return reals_ == Reals::floats && !wide && !has_suffix ? digits + 'f' : digits;
    }

    /// v.zw -> v.pick<2, 3>(), v.r -> v.x. Texts of the build's have the letters x, y, z and w only: structures that
    /// they share stand elsewhere, and may have members r and s.
    string member(Scanner& in) const {
        in.take(1);
        const string_view name = in.take_word();
        string numbers;
        for (const string_view all : {"xyzw", "rgba", "stpq"}) {
            if (name.empty() || name.size() > 4 || name.find_first_not_of(all) != string_view::npos) continue;
            if ((given_ && all[0] != 'x') || members_.find(' ' + string(name) + ' ') != string::npos) break;
            if (name.size() == 1) return string(".") + "xyzw"[all.find(name)];
            for (const char letter : name) numbers.append(numbers.empty() ? "" : ", ") += "0123"[all.find(letter)];
        }
        return numbers.empty() ? string(".").append(name) : string(".pick<").append(numbers).append(">()");
    }

    /// inout T x, out T x -> T& x; of an array the name is a reference anyway. in T x -> T x
    string word(Scanner& in) const {
        const string_view name = in.take_word();
        if (name != "inout" && name != "out" && name != "in") return declaration(real(name), in);
        string_view type;
        do {
            in.skip_spaces();
            type = in.take_word();
        } while (type == "highp" || type == "mediump" || type == "lowp");
        in.skip_spaces();
        const string_view argument = in.take_word();
        const bool array = in.rest.starts_with('[');
        return real(type) + (name != "in" && !array ? "& " : " ") + string(argument);
    }

    /// The word `type`, or what it begins:
    ///                              constant                  given
    ///     T c[N] = T[N](LIST);     T c[N] = {LIST};          List<T> c = given.list<T>("LIST", N);
    ///     vec4 y[N];               vec4 y[N];                Array<vec4> y{N};
    string declaration(const string& type, Scanner& in) const {
        Scanner ahead = in;
        ahead.skip_spaces();
        const string name(ahead.take_word());
        if (name.empty() || !ahead.take("[")) return type;
        const string_view count = ahead.take_until("]");
        if (ahead.take(";")) {
            if (!given_ || (type.find("vec") > 1 && type != "float" && type != "int")) return type;
            in = ahead;
            return "Array<" + type + "> " + name + "{" + of(count) + "};";
        }
        ahead.skip_spaces();
        if (!ahead.take("=")) return type;
        ahead.skip_spaces();
        ahead.take_word();
        if (!ahead.take("[")) return type;
        ahead.take_word();
        if (!ahead.take("](")) return type;
        const string_view list = ahead.take_until(";");
        if (!list.ends_with(')')) return type;
        in = ahead;
        const string values = of(list.substr(0, list.size() - 1));
        if (!given_) return type + " " + name + "[" + of(count) + "] = {" + values + "};";
        return "List<" + type + "> " + name + " = given.list<" + type + ">(\"" + values + "\", " + of(count) + ");";
    }

    /// float -> double, vec4 -> dvec4; or float -> Real, and vec4 stays, which is a name for either
    string real(string_view name) const {
        if (reals_ == Reals::floats) return string(name);
        if (name == "float") return reals_ == Reals::either ? "Real" : "double";
        if (name == "uintBitsToFloat") return "uintBitsToReal";
        if (reals_ == Reals::either) return string(name);
        return string(name == "vec2" || name == "vec3" || name == "vec4" ? "d" : "").append(name);
    }

    Reals reals_;
    bool given_;
    string members_;
};

}  // namespace

string without_comments(string_view text) {
    string out;
    for (Scanner in{text}; !in.rest.empty();) {
        if (in.rest.starts_with("//")) {
            in.take(in.rest.find('\n'));
        } else if (in.take("/*")) {
            out += ' ';
            for (const char c : in.take_until("*/")) out += c == '\n' ? "\n" : "";
        } else {
            out += in.take(1);
        }
    }
    return out;
}

CppText cpp_text(string_view glsl, Reals reals, const std::function<string(int)>& name_of, Definitions definitions) {
    CppText made;
    string kept, shared;
    std::ptrdiff_t depth = 0;  // of braces: what stands within functions is no declaration of the struct
    const string text = without_comments(glsl);
    for (Scanner lines{text}; !lines.rest.empty(); kept += '\n') {
        Scanner line{lines.take_line()};
        const string_view all = line.rest;
        const bool outside = depth == 0;
        depth += std::count(all.begin(), all.end(), '{') - std::count(all.begin(), all.end(), '}');
        if (const string source = line_of_source(line, name_of); !source.empty()) {
            kept += source;
        } else if (line.take("uniform ")) {
            made.has_table = made.has_table || all.find("arg_table[") != string_view::npos;
        } else if (line.take("shared ")) {
            shared.append("__shared__ ").append(line.rest) += '\n';
        } else if (all.starts_with("#version") || all.starts_with("#extension") || all.starts_with("precision ")
                   || all.starts_with("layout(") || is_prototype(line)) {
            continue;
        } else {
            const bool constant = outside && definitions == Definitions::constant && line.take("const ");
            kept.append(constant ? "static constexpr " : "").append(line.rest);
        }
    }
    const Translation translation(reals, definitions, members_of(kept));
    made.body = translation.of(kept);
    made.group_shared = translation.of(shared);
    return made;
}

}  // namespace glsolve::inline v0_1
