#include "heads.hpp"

namespace glsolve::generator {
namespace {

const Words kinds_of_blocks{"pass", "ending", "product"}, kinds_of_items{"int", "outside", "switch", "flag", "list"};
const Words words_of_products{"structure", "integer", "compiled", "faster", "is"};
const Words words_of_endings{"out", "in", "integer", "constant", "compiled", "faster", "is"};

bool consists_of(string_view word, string_view letters) {
    return !word.empty() && word.find_first_not_of(letters) == string_view::npos;
}
/// JACOBI
bool is_define(string_view word) {
    return consists_of(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") && word[0] >= 'A' && word[0] <= 'Z';
}
bool are_defines(const Words& words) {
    for (const string& word : words) {
        if (!is_define(word)) return false;
    }
    return true;
}

/// JACOBI and not FIELD or LAST
bool is_condition(const Words& words) {
    for (std::size_t i = 0;; ++i) {
        if (i < words.size() && words[i] == "not") ++i;
        if (i == words.size() || !is_define(words[i])) return false;
        if (++i == words.size()) return true;
        if (words[i] != "and" && words[i] != "or") return false;
    }
}
/// `and` binds more than `or`.
bool holds(const Words& condition, const Words& defines) {
    bool any = false, term = true, negated = false;
    for (const string& word : condition) {
        if (word == "or") {
            any = any || term;
            term = true;
        } else if (word == "not") {
            negated = true;
        } else if (word != "and") {
            term = term && has(defines, word) != negated;
            negated = false;
        }
    }
    return any || term;
}

class Reader {
  public:
    explicit Reader(const string& file) : file_(file) {}

    Head read(string_view text) {
        for (Scanner lines{text}; lines.rest.starts_with("//"); ++line_) read_line(string(lines.take_line()));
        line_ = 1;
        check_conditions();
        if (head_.blocks.empty()) wrong("the head names no pass");
        return std::move(head_);
    }

  private:
    [[noreturn]] void wrong(const string& why) const { complain(file_, line_, why); }

    void read_line(const string& line) {
        Scanner rest{line};
        const string word(rest.take("// ") ? rest.take_word() : "");
        if (has(kinds_of_blocks, word) && rest.take(" ")) {
            begin_block(word, line, rest);
            takes_variants_ = true;
        } else if (takes_variants_ && read_variant(line)) {
            return;  // the next line may be one, too
        } else if (consists_of(word, "abcdefghijklmnopqrstuvwxyz_") && rest.take(": ")) {
            takes_variants_ = false;
            read_list(word, rest.rest);
        } else if (takes_variants_ && line != "//") {
            wrong("'" + line
                  + "' stands where variants do ('//     DEFINES: formula'), or lists; lines cannot be wrapped");
        } else {
            takes_variants_ = false;
        }
    }

    /// pass NAME (DEFINES): formula
    void begin_block(const string& kind, const string& line, Scanner rest) {
        Block block{.kind = kind, .name = string(rest.take_word()), .lists = common_};
        if (rest.take(" (")) block.base = split(rest.take_until(")"));
        if (block.name.empty() || !are_defines(block.base) || !rest.take(": "))
            wrong("'" + line + "' is no 'pass NAME: formula' or 'pass NAME (DEFINES): formula'");
        if (kind == "product")
            block.endings = split(rest.rest);
        else
            block.variants.push_back({{}, string(rest.rest)});
        head_.blocks.push_back(std::move(block));
    }
    ///     DEFINES: formula
    bool read_variant(string_view line) {
        Scanner rest{line};
        if (!rest.take("//  ") || line.find(": ") == string_view::npos) return false;
        rest.skip_spaces();
        const Words more = split(rest.take_until(": "));
        if (more.empty() || !are_defines(more)) return false;
        Block& block = head_.blocks.back();
        if (block.kind == "product") wrong("a product has endings, and no variants");
        block.variants.push_back({more, string(rest.rest)});
        return true;
    }
    /// WORD: x, y z if JACOBI and not FIELD
    void read_list(const string& word, string_view text) {
        if (!has(words_of_lists, word))
            wrong("'" + word + ":' is not known; a head has " + join(kinds_of_blocks + words_of_lists, " "));
        const Items items = read_items(text);
        for (const Item& item : items) {
            if (word == "is" && !has(words_of_is, item.name))
                wrong("'is: " + item.name + "': known are " + join(words_of_is, " "));
            if (word == "over" && item.name != "input" && item.name != "window" && item.name != "ranges")
                wrong("'over:' takes input, window or ranges");
        }
        const string kind = head_.blocks.empty() ? "" : head_.blocks.back().kind;
        const Words& takes = kind == "product"  ? words_of_products
                             : kind == "ending" ? words_of_endings
                                                : words_of_lists;
        if (!has(takes, word)) wrong("'" + word + ":' is nothing that a " + kind + " says: it has " + join(takes, " "));
        Items& known = (kind.empty() ? common_ : head_.blocks.back().lists).at(word);
        for (const Item& item : items) known.push_back(item);
    }
    Items read_items(string_view text) const {
        Items items;
        for (const string& part : split(text, ",")) {
            const std::size_t begin = std::min(part.find_first_not_of(' '), part.size()), at = part.rfind(" if ");
            const string names = part.substr(begin, std::min(at, part.find_last_not_of(' ') + 1) - begin);
            const Words condition = split(at == string::npos ? "" : string_view(part).substr(at + 4));
            if (at != string::npos && !is_condition(condition))
                wrong("'if " + join(condition, " ") + "': a condition has names of variants, 'not', 'and' and 'or'");
            for (const string& name : names.empty() ? Words{""} : split(names)) {
                Scanner rest{name};
                const string bare(rest.take_word()), kind(rest.take(":") ? rest.rest : "");
                if (bare.empty() || Scanner::is_digit(name[0]) || (name != bare && !has(kinds_of_items, kind))) {
                    wrong("'" + names + "': a list has names, with :int, :outside, :switch, :flag or :list behind them, "
                          "and 'if ...'");
                }
                items.push_back({bare, kind, condition});
            }
        }
        return items;
    }

    /// Conditions name what some pass of the file defines.
    void check_conditions() {
        Words all;
        for (const Block& block : head_.blocks) {
            for (const Variant& variant : block.variants) all = all + block.base + variant.more;
            head_.defined = head_.defined + block.base;
            for (const char* word : {"compiled", "faster"}) {
                for (const Item& item : block.lists.at(word)) {
                    if (item.kind == "switch") all.push_back(item.name);
                    if (item.kind != "flag") head_.defined.push_back(item.name);
                }
            }
        }
        head_.defined = head_.defined + all;
        for (const Block& block : head_.blocks) {
            for (const string& word : words_of_lists) {
                for (const Item& item : block.lists.at(word)) check_condition(block, word, item, all);
            }
        }
    }
    void check_condition(const Block& block, const string& word, const Item& item, const Words& all) const {
        for (const Item& other : block.lists.at("compiled")) {
            if (item.kind == "switch" && other.kind == "switch" && has(item.condition, other.name))
                wrong("'" + item.name + ":switch|" + other.name + "': a switch cannot hang on another one");
        }
        for (const string& name : item.condition) {
            if (name != "and" && name != "or" && name != "not" && !has(all, name))
                wrong("'if " + name + "' in '" + word + ":': no pass of this file defines that");
        }
    }

    string file_;
    int line_ = 1;
    Head head_;
    Lists common_;
    bool takes_variants_ = false;
};

}  // namespace

Words names_of(const Items& items) {
    Words names;
    for (const Item& item : items) names.push_back(item.name);
    return names;
}
bool says(const Lists& lists, string_view word) { return has(names_of(lists.at("is")), word); }
Lists chosen(const Lists& lists, const Words& defines) {
    Lists those;
    for (const string& word : words_of_lists) {
        for (const Item& item : lists.at(word)) {
            if (holds(item.condition, defines)) those.at(word).push_back(item);
        }
    }
    return those;
}
Head read_head(const string& file, string_view text) { return Reader(file).read(text); }

}  // namespace glsolve::generator
