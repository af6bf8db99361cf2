// All five papers, quickly: what the report must hold on any machine. Times are not looked at, but for being there.
#include <cmath>
#include <glsolve/error.hpp>

#include "papers.hpp"
#include "run_papers.hpp"

namespace tests_of_quick_run {

using namespace glsolve;
using namespace glsolve::bench;
using namespace glsolve::test;

namespace {

/// One run for all tests of this file.
struct QuickRun {
    Folder folder;
    Result result = run_papers(fmt::format("--quick --rounds 1 --output '{}'", folder.path.string()));
    Run run = result.code == 0 ? read_run(folder / "results.json") : Run{};
};
const QuickRun& quick_run() {
    static const QuickRun run;
    return run;
}

template <class Kind>
std::vector<Kind> blocks_of(const Section& section) {
    std::vector<Kind> found;
    for (const Block& block : section.blocks) {
        if (const auto* of_kind = std::get_if<Kind>(&block)) found.push_back(*of_kind);
    }
    return found;
}

}  // namespace

TEST_CASE("bench_papers --quick has a section for each paper, none of which ended early", "[quick]") {
    const auto& [folder, result, run] = quick_run();
    INFO(result.err);
    REQUIRE(result.code == 0);
    CHECK(run.quick);
    CHECK(!run.date.empty());
    CHECK(run.command.find("--quick") != std::string::npos);
    REQUIRE(run.sections.size() == papers.size());
    for (std::size_t k = 0; k < papers.size(); ++k) {
        CHECK(run.sections[k].paper == papers[k].key);
        for (const Text& text : blocks_of<Text>(run.sections[k])) {
            INFO(text.words);
            CHECK(text.words.find("ended early") == std::string::npos);
        }
    }
}

TEST_CASE("bench_papers: tables are whole, figures have points", "[quick]") {
    const auto& [folder, result, run] = quick_run();
    REQUIRE(result.code == 0);
    for (const Section& section : run.sections) {
        INFO(section.paper);
        const std::vector<Table> tables = blocks_of<Table>(section);
        CHECK(tables.size() >= 3);
        for (const Table& table : tables) {
            INFO(table.head.front());
            CHECK(!table.rows.empty());
            for (const auto& row : table.rows) CHECK(row.size() == table.head.size());
        }
        const std::vector<Figure> figures = blocks_of<Figure>(section);
        CHECK(!figures.empty());
        for (const Figure& figure : figures) {
            INFO(figure.title);
            CHECK(!figure.curves.empty());
            for (const Curve& curve : figure.curves) {
                INFO(curve.name);
                CHECK(!curve.points.empty());
                for (const auto& [x, y] : curve.points) CHECK((std::isfinite(x) && std::isfinite(y)));
                if (figure.kind == FigureKind::bars) CHECK(curve.points.size() == figure.categories.size());
            }
        }
    }
}

TEST_CASE("bench_papers: what is counted or computed is as the papers say; what is timed has a time", "[quick]") {
    const auto& [folder, result, run] = quick_run();
    REQUIRE(result.code == 0);
    for (const Section& section : run.sections) {
        CHECK(!section.claims.empty());
        for (const Claim& claim : section.claims) {
            INFO(section.paper << ": " << claim.what << ", " << claim.where << ": " << claim.found << " against "
                               << claim.printed);
            CHECK(std::isfinite(claim.found));
            if (claim.timed) {
                CHECK(claim.found > 0);
            } else {
                CHECK(claim.reached());
            }
        }
    }
}

TEST_CASE("bench_papers: the report needs no network, and its pictures are there", "[quick]") {
    const auto& [folder, result, run] = quick_run();
    REQUIRE(result.code == 0);
    const std::string html = contents(folder.path / "report.html"), markdown = contents(folder.path / "report.md");
    CHECK(html.find("http") == std::string::npos);
    for (const Paper& paper : papers) {
        CHECK(html.find(html_text(paper.title)) != std::string::npos);
        CHECK(markdown.find(paper.title) != std::string::npos);
    }
    int pictures = 0;
    for (std::size_t at = 0; (at = html.find("img src=\"", at)) != std::string::npos; ++at) {
        const std::size_t begin = at + 9;
        const std::string file = html.substr(begin, html.find('"', begin) - begin);
        INFO(file);
        CHECK(contents(folder.path / file).find("</svg>") != std::string::npos);
        CHECK(markdown.find(file) != std::string::npos);
        ++pictures;
    }
    CHECK(pictures >= 10);
}

TEST_CASE("bench_papers --results makes one report of several runs", "[quick]") {
    const auto& [folder, result, run] = quick_run();
    REQUIRE(result.code == 0);
    const Folder both;
    const std::string file = folder / "results.json";
    CHECK(run_papers(fmt::format("--results '{}' '{}' --output '{}'", file, file, both.path.string())).code == 0);
    const std::string markdown = contents(both.path / "report.md");
    CHECK(markdown.find("### Run A: ") != std::string::npos);
    CHECK(markdown.find("### Run B: ") != std::string::npos);
}

}  // namespace tests_of_quick_run
