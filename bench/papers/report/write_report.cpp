// The two files and the pictures of a report: what is in them, in which order.
#include <fmt/format.h>

#include <fstream>
#include <glsolve/error.hpp>
#include <map>
#include <set>

#include "cli/gnuplot.hpp"
#include "papers.hpp"
#include "writers.hpp"

namespace glsolve::bench {
namespace {

namespace fs = std::filesystem;

void save(const fs::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw Error(fmt::format("{}: cannot be written", file.string()));
}

/// Draws all figures of all runs. Why there are none, or not all; empty: all are there.
std::string draw_all(const fs::path& folder, std::vector<Run>& runs) {
    try {
        cli::require_gnuplot();
    } catch (const Error& missing) {
        return missing.what();
    }
    fs::create_directories(folder / "pictures");
    std::string failure;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        std::map<std::string, int> numbers;
        for (Section& section : runs[r].sections) {
            int& number = numbers[section.paper];
            for (Block& block : section.blocks) {
                auto* figure = std::get_if<Figure>(&block);
                if (figure == nullptr || figure->curves.empty()) continue;
                const std::string name = fmt::format("{}-{}-{}.svg", section.paper, letter(r), ++number);
                try {
                    draw(folder / "pictures" / name, *figure);
                    figure->file = "pictures/" + name;
                } catch (const Error& failed) {  // the report shall not be lost with it
                    failure = failed.what();
                }
            }
        }
    }
    return failure;
}

Table runs_table(const std::vector<Run>& runs) {
    Table table{{"run", "date", "machine", "devices", "command", "took"}};
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const Run& run = runs[r];
        table.rows.push_back({letter(r) + (run.quick ? ", quick: smaller sizes than the papers'" : ""), run.date,
                              run.machine, fmt::format("{}", fmt::join(run.devices, "; ")),
                              fmt::format("`{}`", run.command), fmt::format("{:.0f} s", run.seconds)});
    }
    return table;
}

/// The same text in one of two languages.
class Page {
  public:
    Page(bool html, std::string_view title) : html_(html) {
        if (html_) {
            text_ = fmt::format(
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>\n"
                "body {{ font: 16px/1.5 sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }}\n"
                "table {{ border-collapse: collapse; display: block; overflow-x: auto; font-size: 14px; }}\n"
                "th, td {{ border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: right; vertical-align: top; }}\n"
                "td.words {{ text-align: left; }}\nth {{ background: #eee; }}\nimg {{ max-width: 100%; }}\n"
                "</style>\n</head>\n<body>\n",
                html_text(title));
        }
        heading(1, title);
    }
    void heading(int level, std::string_view title) {
        text_ += html_ ? fmt::format("<h{0}>{1}</h{0}>\n", level, html_text(title))
                       : fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(level), '#'), title);
    }
    void words(std::string_view text) {
        text_ += html_ ? fmt::format("<p>{}</p>\n", html_text(text)) : fmt::format("{}\n\n", text);
    }
    void table(const Table& table) { text_ += html_ ? to_html(table) : to_markdown(table) + "\n"; }
    void section(const Section& section) { text_ += html_ ? to_html(section) : to_markdown(section); }
    /// Paper by paper.
    void claims(const std::vector<Run>& runs, bool timed) {
        for (const Paper& paper : papers) {
            const ClaimsTable made = claims_table(runs, paper.key, timed);
            if (made.table.rows.empty()) continue;
            heading(3, paper.title);
            table(made.table);
            for (std::size_t k = 0; k < made.notes.size(); ++k) words(fmt::format("[{}] {}", k + 1, made.notes[k]));
        }
    }
    std::string text() const { return html_ ? text_ + "</body>\n</html>\n" : text_; }

  private:
    bool html_;
    std::string text_;
};

/// Without explanations that were given before; those that it gives are added to them.
Section without(Section section, std::set<std::string>& said) {
    std::erase_if(section.blocks, [&](const Block& block) {
        const auto* text = std::get_if<Text>(&block);
        return text != nullptr && !text->finding && !said.insert(text->words).second;
    });
    return section;
}

std::string page(bool html, const std::vector<Run>& runs, const std::string& no_pictures) {
    Page page(html, "The five papers, measured again");
    page.words(
        "Each table and figure of the five papers that glsolve implements, beside what the paper prints. "
        "`bench_papers` made this page. Each explanation is printed once, above the first table that it belongs to.");
    if (!no_pictures.empty()) page.words("Pictures are missing: " + no_pictures);
    page.table(runs_table(runs));
    page.heading(2, "Headlines");
    page.words(
        "Ratios of times: more is better. Both sides of a ratio were measured in the same run, on the same machine. A "
        "column is a run and a device. A number in parentheses is what glsolve aims at, not the paper's. `below`: "
        "less than the paper or the aim; a number in brackets leads to the reason under the table.");
    page.claims(runs, true);
    page.heading(2, "Checks");
    page.words("Counts and computed numbers, no times. Where yes or no is the answer, 1 is yes.");
    page.claims(runs, false);
    for (const Paper& paper : papers) {
        bool begun = false;
        std::set<std::string> said;
        for (std::size_t r = 0; r < runs.size(); ++r) {
            for (const Section& section : runs[r].sections) {
                if (section.paper != paper.key) continue;
                if (!std::exchange(begun, true)) {
                    page.heading(2, paper.title);
                    page.words(fmt::format("Source: {}. Its devices: {}.", paper.source, paper.device));
                    page.words(fmt::format("What has changed since: {}", paper.since));
                }
                page.heading(3, fmt::format("Run {}: {}, {}", letter(r), runs[r].machine, runs[r].date));
                page.section(without(section, said));
            }
        }
    }
    return page.text();
}

}  // namespace

void write_report(const fs::path& folder, std::vector<Run> runs) {
    fs::create_directories(folder);
    const std::string no_pictures = draw_all(folder, runs);
    save(folder / "report.md", page(false, runs, no_pictures));
    save(folder / "report.html", page(true, runs, no_pictures));
}

}  // namespace glsolve::bench
