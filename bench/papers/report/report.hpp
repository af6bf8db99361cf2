/// What a run of bench_papers has found: blocks of text, tables and figures, paper by paper, and the papers' headlines
/// beside what was found here. It is kept as JSON, so that a report can be made on another machine, and of several
/// runs.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace glsolve::bench {

struct Heading {
    std::string title;
};
struct Text {
    std::string words;
    bool finding = false;  ///< what was found; else an explanation, which a report prints once
};
struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows = {};  ///< cells that are no numbers stand to the left
};

/// Lines: points (x, y). Bars: point i of each curve stands over category i, its x does not count. Spans: each point is
/// (begin, end) on the lane of its curve.
enum class FigureKind : std::uint8_t { lines, bars, spans };
struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points = {};
    bool beside = false;  ///< lines: dashed, in the colour of the curve before, of which it is another view
};
struct Figure {
    std::string title;
    FigureKind kind = FigureKind::lines;
    std::string x_label, y_label;
    bool log_x = false, log_y = false;
    std::vector<std::string> categories = {};
    std::vector<Curve> curves = {};
    std::string file = {};  ///< where it has been drawn, as seen from the report; empty: nowhere
};
using Block = std::variant<Heading, Text, Table, Figure>;

/// A number that a paper prints, and ours.
struct Claim {
    std::string what;         ///< "single pass against n passes, n = 1024"
    std::string where;        ///< the backend
    double printed = 0;       ///< as the paper has it, or a target; more is better
    double found = 0;         ///< the same here; not finite: nothing was found, and no report has it
    bool timed = true;        ///< false: counted or computed
    std::string remark = {};  ///< why, where it is not reached
    bool target = false;      ///< the paper does not print that number: it is what is aimed at

    bool reached() const { return found >= printed; }
};

struct Section {
    std::string paper;  ///< its key: "2009"
    std::vector<Block> blocks = {};
    std::vector<Claim> claims = {};

    /// A Heading, Text, Table or Figure.
    template <class Kind>
    void add(Kind block) {
        blocks.emplace_back(std::move(block));
    }
};

struct Run {
    std::string date, command, machine;
    std::vector<std::string> devices = {};  ///< a line each, those that are absent with the reason
    bool quick = false;
    double seconds = 0;
    std::vector<Section> sections = {};
};

std::string to_json(const Run& run);
/// Throws Error, which names the file, where it is none that to_json has made.
Run read_run(const std::string& file);

/// The earlier run, to which a later one on the same machine adds its sections. Throws Error for another machine, or
/// where only one of them is quick.
Run continued(Run earlier, const Run& now);

/// A table's number in three digits: "0.0123", "1.23", "1230".
std::string digits(double number);
/// In the unit that suits: "1.23 s", "12.3 ms", "4.56 us".
std::string in_seconds(double seconds);

}  // namespace glsolve::bench
