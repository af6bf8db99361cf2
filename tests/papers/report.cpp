// Reports: kept, written, and refused.
#include <glsolve/error.hpp>
#include <regex>

#include "run_papers.hpp"

namespace tests_of_report {

using namespace glsolve;
using namespace glsolve::bench;
using namespace glsolve::test;

namespace {

Run sample() {
    Run run{.date = "2026-01-02",
            .command = "bench_papers --paper 2009",
            .machine = "a processor, 2 cores in use",
            .devices = {"host: reference"},
            .seconds = 1.5};
    Section section{.paper = "2009"};
    section.add(Heading{"A & B"});
    section.add(Text{"1 < 2, with `code`"});
    section.add(Text{.words = "A finding", .finding = true});
    section.add(Table{{"name", "number"}, {{"a|b", "1.5"}, {"c", "-"}}});
    section.add(
        Figure{.title = "Curves",
               .x_label = "x",
               .y_label = "y",
               .log_y = true,
               .curves = {{"one", {{1, 10}, {2, 100}}}, {"zero has no place on a logarithm", {{1, 0}, {2, 5}}}}});
    section.add(Figure{.title = "Bars",
                       .kind = FigureKind::bars,
                       .x_label = "",
                       .y_label = "y",
                       .categories = {"it's", "two"},
                       .curves = {{"a", {{0, 1}, {0, 2}}}, {"b", {{0, 3}, {0, 4}}}}});
    section.add(Figure{.title = "Spans",
                       .kind = FigureKind::spans,
                       .x_label = "us",
                       .y_label = "",
                       .curves = {{"lane", {{0, 1}, {2, 3}}}}});
    section.claims.push_back({.what = "counted", .where = "host", .printed = 1, .found = 1, .timed = false});
    section.claims.push_back({.what = "faster", .where = "host", .printed = 4.4, .found = 2, .remark = "one core"});
    run.sections.push_back(section);
    return run;
}

}  // namespace

TEST_CASE("A run comes back from JSON as it was", "[report]") {
    const Folder folder;
    const Run run = sample();
    write(folder / "results.json", to_json(run));
    const Run back = read_run(folder / "results.json");
    CHECK(to_json(back) == to_json(run));
    CHECK(back.sections.at(0).claims.at(1).printed == 4.4);
    CHECK(std::get<Table>(back.sections.at(0).blocks.at(3)).rows.at(0).at(0) == "a|b");
    CHECK(!back.sections.at(0).claims.at(1).reached());
}

TEST_CASE("What could not be measured is left out of JSON, and what is there can be read", "[report]") {
    const Folder folder;
    Run run = sample();
    const double unknown = std::nan("");
    Section& section = run.sections.front();
    section.claims.front().found = unknown;
    for (Block& block : section.blocks) {
        if (auto* figure = std::get_if<Figure>(&block)) figure->curves.front().points.front().second = unknown;
    }
    write(folder / "results.json", to_json(run));
    const Section back = read_run(folder / "results.json").sections.at(0);
    CHECK(back.claims.size() == section.claims.size() - 1);
    const auto points = [&](FigureKind kind) {
        for (const Block& block : back.blocks) {
            const auto* figure = std::get_if<Figure>(&block);
            if (figure != nullptr && figure->kind == kind) return figure->curves.front().points;
        }
        return std::vector<std::pair<double, double>>{};
    };
    CHECK(points(FigureKind::lines) == std::vector<std::pair<double, double>>{{2, 100}});
    CHECK(points(FigureKind::bars) == std::vector<std::pair<double, double>>{{0, 0}, {0, 2}});
}

TEST_CASE("A file that is no run is refused by its name", "[report]") {
    const Folder folder;
    CHECK_THROWS_WITH(read_run(folder / "none.json"), ContainsSubstring("none.json"));
    write(folder / "other.json", "{\"date\": 5}");
    CHECK_THROWS_WITH(read_run(folder / "other.json"), ContainsSubstring("other.json"));
    write(folder / "torn.json", to_json(sample()).substr(0, 200));
    CHECK_THROWS_WITH(read_run(folder / "torn.json"), ContainsSubstring("torn.json"));
}

TEST_CASE("A later run on the same machine adds its sections to an earlier one", "[report]") {
    Run later = sample();
    later.date = "2026-01-03";
    later.command = "bench_papers --paper hec --add";
    later.devices = {"host: reference", "cuda: a GPU"};
    const Run both = continued(sample(), later);
    CHECK(both.date == "2026-01-02, 2026-01-03");
    CHECK(both.command == "bench_papers --paper 2009; bench_papers --paper hec --add");
    CHECK(both.devices == later.devices);
    CHECK(both.sections.size() == 1);
    later.machine = "another, 4 cores in use";
    CHECK_THROWS_WITH(continued(sample(), later), ContainsSubstring("another"));
    later = sample();
    later.quick = true;
    CHECK_THROWS_WITH(continued(sample(), later), ContainsSubstring("quick"));
}

TEST_CASE("Markdown and HTML keep what their own signs would spoil", "[report]") {
    const Section section = sample().sections.front();
    const std::string markdown = to_markdown(section), html = to_html(section);
    CHECK(markdown.find("| a\\|b | 1.5 |") != std::string::npos);
    CHECK(markdown.find("|---|---:|") != std::string::npos);
    CHECK(html.find("<h4>A &amp; B</h4>") != std::string::npos);
    CHECK(html.find("1 &lt; 2, with <code>code</code>") != std::string::npos);
    CHECK(html.find("<td>1.5</td>") != std::string::npos);
}

TEST_CASE("A report has its headlines, and a picture for each figure", "[report]") {
    const Folder folder;
    write_report(folder.path, {sample(), sample()});
    const std::string markdown = contents(folder.path / "report.md");
    CHECK(markdown.find("|  | the paper, or (aim) | A, host | B, host |") != std::string::npos);
    CHECK(markdown.find("| faster | 4.4 | 2 below [1] | 2 below [1] |") != std::string::npos);
    CHECK(markdown.find("[1] one core") < markdown.find("## Checks"));
    CHECK(markdown.find("| counted | 1 | 1 | 1 |") > markdown.find("## Checks"));
    const auto twice = [&](const std::string& words) { return markdown.find(words) != markdown.rfind(words); };
    CHECK(markdown.find("1 < 2, with `code`") != std::string::npos);
    CHECK_FALSE(twice("1 < 2, with `code`"));  // an explanation
    CHECK(twice("A finding"));
    for (const char* name : {"2009-A-1.svg", "2009-A-2.svg", "2009-A-3.svg", "2009-B-3.svg"}) {
        INFO(name);
        CHECK(contents(folder.path / "pictures" / name).find("</svg>") != std::string::npos);
        CHECK(markdown.find(std::string("pictures/") + name) != std::string::npos);
    }
}

TEST_CASE("A device without a number has a dash, and two numbers of one name stand in two rows", "[report]") {
    Run first = sample(), second = sample();
    first.sections.front().claims = {{.what = "faster", .where = "cuda", .printed = 2, .found = 3},
                                     {.what = "faster", .where = "cuda", .printed = 2, .found = 4},
                                     {.what = "smaller", .where = "cuda", .printed = 5, .found = 6, .target = true}};
    const ClaimsTable made = claims_table({first, second}, "2009", true);
    CHECK(made.table.head == std::vector<std::string>{"", "the paper, or (aim)", "A, cuda", "B, host"});
    CHECK(made.table.rows
          == std::vector<std::vector<std::string>>{{"faster", "2", "3", "-"},
                                                   {"faster", "2", "4", "-"},
                                                   {"smaller", "(5)", "6", "-"},
                                                   {"faster", "4.4", "-", "2 below [1]"}});
    CHECK(made.notes == std::vector<std::string>{"one core"});
    CHECK(claims_table({first, second}, "hec", true).table.rows.empty());
}

TEST_CASE("Numbers in three digits, seconds in the unit that suits", "[report]") {
    CHECK(digits(1234.5) == "1234");
    CHECK(digits(12.345) == "12.3");
    CHECK(digits(0.012345) == "0.0123");
    CHECK(digits(std::nan("")) == "-");
    CHECK(in_seconds(2.5) == "2.5 s");
    CHECK(in_seconds(0.0025) == "2.5 ms");
    CHECK(in_seconds(2.5e-6) == "2.5 us");
    CHECK(in_seconds(0) == "-");
}

TEST_CASE("bench_papers refuses what it does not know, and says what there is", "[report]") {
    const Folder folder;
    const std::string output = fmt::format(" --output '{}'", folder / "report");
    const Result paper = run_papers("--paper 1999" + output);
    CHECK(paper.code == 2);
    CHECK_THAT(paper.err, ContainsSubstring("1999") && ContainsSubstring("chebyshev") && ContainsSubstring("hec"));
    const Result backend = run_papers("--backend vulkan" + output);
    CHECK(backend.code == 2);
    CHECK_THAT(backend.err, ContainsSubstring("vulkan") && ContainsSubstring("opengl-fragment"));
    CHECK(run_papers("--results nothing.json" + output).code == 2);
    write(folder / "file", "");
    const Result folder_in_file = run_papers(fmt::format("--paper 2009 --output '{}'", folder / "file/report"));
    CHECK(folder_in_file.code == 2);
    CHECK_THAT(folder_in_file.err, ContainsSubstring("--output") && ContainsSubstring("file/report"));
    write(folder / "wrong.json", "[]");
    const Result results = run_papers(fmt::format("--results '{}'{}", folder / "wrong.json", output));
    CHECK(results.code == 2);
    CHECK_THAT(results.err, ContainsSubstring("wrong.json"));
}

TEST_CASE("scripts/papers.sh --help lists all options, and builds nothing", "[report]") {
    const Folder folder;
    write(folder / "cmake", "#!/bin/sh\necho built >&2\nexit 1\n");
    fs::permissions(folder / "cmake", fs::perms::owner_all);
    const Result script = run_shell(fmt::format("PATH='{}':\"$PATH\" '{}/scripts/papers.sh' --quick --help",
                                                folder.path.string(), GLSOLVE_SOURCE_FOLDER));
    CHECK(script.code == 0);
    CHECK(script.err.empty());
    const std::string program = run_papers("--help").out;
    const std::regex option("--[a-z]+");
    int options = 0;
    for (std::sregex_iterator found(program.begin(), program.end(), option), end; found != end; ++found, ++options) {
        CHECK_THAT(script.out, ContainsSubstring(found->str()));
    }
    CHECK(options >= 9);
}

}  // namespace tests_of_report
