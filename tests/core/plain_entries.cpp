// Files are read by all cores, streams line after line: both must make the same of the same text, and refuse it in the
// same words.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <glsolve/error.hpp>
#include <glsolve/matrix_market.hpp>
#include <iterator>
#include <optional>
#include <random>
#include <sstream>
#include <variant>

#include "support/catch.hpp"

namespace tests_of_plain_entries {

using namespace glsolve;
namespace fs = std::filesystem;

namespace {

struct File {
    fs::path path =
        fs::temp_directory_path() / fmt::format("glsolve-plain-{}-{}.mtx", getpid(), std::random_device{}());
    explicit File(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
    ~File() { fs::remove(path); }
};

/// The matrix, or what is said of it.
using Found = std::variant<CsrMatrix, std::string>;

template <class Read>
Found found(const Read& read) {
    try {
        return read();
    } catch (const InvalidInput& refused) {
        return std::string(refused.what());
    }
}

void check_same(const std::string& text) {
    const File file(text);
    std::istringstream stream(text);
    const Found by_all = found([&] { return read_matrix_market(file.path); });
    const Found by_lines = found([&] { return read_matrix_market(stream, file.path.string()); });
    REQUIRE(by_all.index() == by_lines.index());
    if (const auto* words = std::get_if<std::string>(&by_all)) {
        CHECK(*words == std::get<std::string>(by_lines));
        return;
    }
    const auto &A = std::get<CsrMatrix>(by_all), &B = std::get<CsrMatrix>(by_lines);
    CHECK(A.rows == B.rows);
    CHECK(A.columns == B.columns);
    CHECK(A.offsets == B.offsets);
    CHECK(A.column == B.column);
    CHECK(A.value == B.value);
}

enum class Order { rows, columns, none };

struct Kind {
    std::string field = "real", symmetry = "general";
    Order order = Order::none;
    std::string line_end = "\n";
    bool has_twins = false;  // several entries in one place
};

/// Lines of entries, without header and sizes.
std::vector<std::string> lines_of(const Kind& kind, Index rows, Index columns, std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<Index> any_row(1, rows), any_column(1, columns);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<std::pair<Index, Index>> places;
    while (places.size() < count) {
        Index i = any_row(random), j = any_column(random);
        if (kind.symmetry != "general" && i < j) std::swap(i, j);
        if (kind.symmetry == "skew-symmetric" && i == j) continue;
        places.emplace_back(i, j);
    }
    const auto by_columns = [](const auto& a, const auto& b) {
        return std::pair(a.second, a.first) < std::pair(b.second, b.first);
    };
    if (!kind.has_twins || kind.order == Order::rows) std::ranges::sort(places);
    if (!kind.has_twins) places.erase(std::ranges::unique(places).begin(), places.end());
    if (kind.order == Order::columns) std::ranges::sort(places, by_columns);
    if (kind.order == Order::none) std::ranges::shuffle(places, random);
    std::vector<std::string> lines;
    for (const auto& [i, j] : places) {
        const std::string value = kind.field == "pattern"   ? ""
                                  : kind.field == "integer" ? fmt::format(" {}", any_row(random))
                                                            : fmt::format(" {:.17g}", uniform(random));
        lines.push_back(fmt::format("{} {}{}", i, j, value));
    }
    return lines;
}

std::string text_of(const Kind& kind, Index rows, Index columns, const std::vector<std::string>& lines) {
    std::string text =
        fmt::format("%%MatrixMarket matrix coordinate {} {}{}% a comment{}{} {} {}{}", kind.field, kind.symmetry,
                    kind.line_end, kind.line_end, rows, columns, lines.size(), kind.line_end);
    for (const std::string& line : lines) text += line + kind.line_end;
    return text;
}

}  // namespace

TEST_CASE("all cores read what one reads line after line", "[core][matrix_market]") {
    for (const Order order : {Order::rows, Order::columns, Order::none}) {
        for (const bool has_twins : {false, true}) {
            for (const char* symmetry : {"general", "symmetric", "skew-symmetric"}) {
                for (const char* field : {"real", "integer", "pattern"}) {
                    if (field == std::string("pattern") && symmetry == std::string("skew-symmetric")) continue;
                    const Kind kind{field, symmetry, order, has_twins ? "\r\n" : "\n", has_twins};
                    CAPTURE(field, symmetry, has_twins, static_cast<int>(order));
                    check_same(text_of(kind, 300, 300, lines_of(kind, 300, 300, 4000, 5)));
                }
            }
        }
    }
    const Kind wide{};  // some pieces, and rows without entries
    check_same(text_of(wide, 70000, 900, lines_of(wide, 70000, 900, 150000, 6)));
    const Kind by_rows{.order = Order::rows};
    check_same(text_of(by_rows, 200000, 900, lines_of(by_rows, 200000, 900, 150000, 7)));
}

TEST_CASE("what is not plain is read, or refused, line after line", "[core][matrix_market]") {
    const Kind kind{.order = Order::rows};
    const std::vector<std::string> lines = lines_of(kind, 40000, 40000, 90000, 8);
    const auto with = [&](std::size_t at, const std::string& line) {
        std::vector<std::string> changed = lines;
        changed[at] = line;
        return text_of(kind, 40000, 40000, changed);
    };
    for (const std::size_t at : {std::size_t{0}, lines.size() / 2, lines.size() - 1}) {
        for (const char* line : {"",          "% 1 2 3",         "1 2",
                                 "1 2 3 4",   "0 1 1",           "1 0 1",
                                 "40001 1 1", "1 99999999999 1", "-1 1 1",
                                 "+1 1 1",    "1 1 +2.5",        "1 1 ++2",
                                 "1 1 1D3",   "1 1 1.0-100",     "1 1 inf",
                                 "1 1 nan",   "1 1 1e999",       "1 1 0x10",
                                 "1 1 1,5",   "1\t1\t1 \t",      "  7   8   9.5  ",
                                 "1 1 1\r",   "1 1\r1",          "1 1 1e-400",
                                 "1.0 1 1",   "1 1 1%"}) {
            CAPTURE(at, line);
            check_same(with(at, line));
        }
        check_same(with(at, std::string(5000, ' ') + "1 1 1"));
    }
    const std::string whole = text_of(kind, 40000, 40000, lines);
    check_same(whole.substr(0, whole.size() - 1));  // without its last line's end
    check_same(whole.substr(0, whole.size() - 5));  // a value that is cut off is another value
    check_same(whole.substr(0, whole.size() / 2));  // fewer entries than declared
    check_same(whole + "1 1 1\n");                  // more
    check_same(whole + "\n \n");
    check_same(whole + "% the end\n");
    std::vector<std::string> twins(lines.begin(), lines.begin() + 1000);
    twins.insert(twins.end(), {"7 7 1e308", "7 7 1e308"});
    check_same(text_of(kind, 40000, 40000, twins));
    const Kind half{.symmetry = "symmetric"};
    check_same(text_of(half, 40000, 40000, lines));  // on both sides of the diagonal
    const Kind skew{.symmetry = "skew-symmetric"};
    check_same(text_of(skew, 9, 9, {"2 1 5", "3 3 1"}));
}

TEST_CASE("a vector is the same, read by all cores", "[core][matrix_market]") {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> numbers(120000);
    std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} 1\n", numbers.size());
    for (double& number : numbers) {
        number = uniform(random);
        text += fmt::format("{:.17g}\n", number);
    }
    const File file(text);
    CHECK(read_matrix_market_vector(file.path) == numbers);
    const File cut_off(text.substr(0, text.size() / 2));
    CHECK_THROWS_WITH(read_matrix_market_vector(cut_off.path), ContainsSubstring("of 120000 entries"));
}

}  // namespace tests_of_plain_entries
