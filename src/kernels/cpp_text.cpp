#include "kernels/cpp_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <sstream>

#include "base/pattern.hpp"

namespace glsolve::inline v0_1 {
namespace {

using std::string;
using std::string_view;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Lines stay where they are.
string without_comments(string_view text) {
    string out;
    for (std::size_t i = 0; i < text.size();) {
        const string_view rest = text.substr(i);
        if (rest.starts_with("//")) {
            i = std::min(text.find('\n', i), text.size());
        } else if (rest.starts_with("/*")) {
            const std::size_t end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
            out += ' ';
            for (; i < end; ++i) out += text[i] == '\n' ? "\n" : "";
        } else {
            out += text[i++];
        }
    }
    return out;
}

/// Members of structures, which may have the names of swizzles.
std::set<string> members_of(const string& text) {
    static const Pattern structure(R"(struct \w+ \{([^}]*)\})"), word(R"(\w+)");
    std::set<string> names;
    for (const Pattern::Groups& found : structure.all_in(text)) {
        for (const Pattern::Groups& name : word.all_in(found[1])) names.insert(name[0]);
    }
    return names;
}

/// "zw" -> "2, 3"; empty: no swizzle.
string numbers_of_swizzle(string_view letters) {
    if (letters.size() > 4) return "";
    for (const string_view all : {"xyzw", "rgba", "stpq"}) {
        if (letters.find_first_not_of(all) != string_view::npos) continue;
        string numbers;
        for (const char letter : letters) numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", all.find(letter));
        return numbers;
    }
    return "";
}

/// Goes through a text token by token.
class Tokens {
  public:
    Tokens(string_view text, Reals reals, const std::set<string>& members)
        : text_(text), doubles_(reals == Reals::doubles), members_(members) {}

    string rewritten() {
        while (at_ < text_.size()) {
            const char c = text_[at_], next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
            if (is_digit(c) || (c == '.' && is_digit(next))) {
                number();
            } else if (c == '.') {
                member();
            } else if (is_word(c)) {
                word();
            } else {
                out_ += c;
                ++at_;
            }
        }
        return std::move(out_);
    }

  private:
    string take_word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        return string(text_.substr(begin, at_ - begin));
    }
    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }

    /// 1.0 -> 1.0f, 1e-3 -> 1e-3f, unless all are doubles; integers stay.
    void number() {
        const std::size_t begin = at_;
        const bool hexadecimal = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
        const auto belongs = [&] {
            const char c = text_[at_], before = at_ > begin ? text_[at_ - 1] : '\0';
            return is_word(c) || c == '.'
                   || ((c == '-' || c == '+') && !hexadecimal && (before == 'e' || before == 'E'));
        };
        while (at_ < text_.size() && belongs()) ++at_;
        string digits(text_.substr(begin, at_ - begin));
        if (!hexadecimal && digits.find_first_of(".eE") != string::npos) {
            const bool wide = digits.ends_with("lf") || digits.ends_with("LF");
            if (wide) digits.erase(digits.size() - 2);
            const bool has_suffix = digits.back() == 'f' || digits.back() == 'F';
            if (doubles_ && has_suffix) digits.pop_back();
            if (!doubles_ && !wide && !has_suffix) digits += 'f';
        }
        out_ += digits;
    }

    /// v.zw -> v.pick<2, 3>(), v.r -> v.x
    void member() {
        ++at_;
        const string name = take_word();
        const string numbers = members_.contains(name) ? "" : numbers_of_swizzle(name);
        if (numbers.empty()) {
            out_.append(".").append(name);
        } else if (name.size() == 1) {
            out_.append(".").append(1, "xyzw"[numbers[0] - '0']);
        } else {
            out_ += fmt::format(".pick<{}>()", numbers);
        }
    }

    /// inout T x, out T x -> T& x; of an array the name is a reference anyway. in T x -> T x
    void word() {
        const string name = take_word();
        const bool by_reference = name == "inout" || name == "out";
        if (!by_reference && name != "in") {
            out_ += real(name);
            return;
        }
        skip_spaces();
        string type = take_word();
        while (type == "highp" || type == "mediump" || type == "lowp") {
            skip_spaces();
            type = take_word();
        }
        type = real(type);
        skip_spaces();
        const string argument = take_word();
        const bool array = at_ < text_.size() && text_[at_] == '[';
        out_ += fmt::format("{}{} {}", type, by_reference && !array ? "&" : "", argument);
    }

    /// float -> double, vec4 -> dvec4
    string real(const string& name) const {
        if (!doubles_) return name;
        if (name == "float") return "double";
        if (name == "uintBitsToFloat") return "uintBitsToReal";
        return name == "vec2" || name == "vec3" || name == "vec4" ? "d" + name : name;
    }

    string_view text_;
    bool doubles_;
    const std::set<string>& members_;
    std::size_t at_ = 0;
    string out_;
};

}  // namespace

CppText cpp_text(string_view glsl, Reals reals, const std::function<string(int)>& name_of) {
    static const Pattern prototype(R"(^(?!return\b|else\b)[A-Za-z_]\w* [A-Za-z_]\w*\([^(){}]*\);\s*)");
    static const Pattern array(R"(=\s*\w+\[\w*\]\(([^;]*)\);)");
    static const Pattern line_of(R"(^#line (\d+) (\d+)\s*)");
    CppText made;
    string kept, shared;
    int depth = 0;  // of braces: what stands within functions is no declaration of the struct
    std::istringstream lines(without_comments(glsl));
    for (string line; std::getline(lines, line); kept += '\n') {
        const bool outside = depth == 0;
        depth += static_cast<int>(std::ranges::count(line, '{') - std::ranges::count(line, '}'));
        if (const auto found = line_of.match(line)) {
            kept += fmt::format("#line {} \"{}\"", (*found)[1], name_of(std::stoi((*found)[2])));
        } else if (line.starts_with("uniform ")) {
            made.has_table = made.has_table || line.find("arg_table[") != string::npos;
        } else if (line.starts_with("shared ")) {
            shared += "__shared__ " + line.substr(7) + "\n";
        } else if (line.starts_with("#version") || line.starts_with("#extension") || line.starts_with("precision ")
                   || line.starts_with("layout(") || prototype.match(line)) {
            continue;
        } else {
            if (outside && line.starts_with("const ")) line.insert(0, "static ").replace(7, 5, "constexpr");
            kept += array.replace_all(line, "= {$1};");
        }
    }
    const std::set<string> members = members_of(kept);
    made.body = Tokens(kept, reals, members).rewritten();
    made.group_shared = Tokens(shared, reals, members).rewritten();
    return made;
}

}  // namespace glsolve::inline v0_1
