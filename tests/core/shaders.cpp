// Every shader text is valid in every dialect we promise, by a compiler that is no driver's; the table, the folder and
// what is embedded agree.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "compilers/kernel_variants.hpp"
#include "device/pass_table.hpp"
#include "kernels/shader_source.hpp"
#include "kernels/shared_programs.hpp"
#include "support/catch.hpp"

using namespace glsolve;
namespace fs = std::filesystem;

namespace {

const fs::path source_folder = GLSOLVE_SOURCE_FOLDER;

/// The definitions under which a pass is used, with the tile of one that reduces.
std::vector<std::string> variants(const PassRow& row) {
    if (!row.reduces()) return test::kernel_variants(row);
    const std::string tile = "TILE_WIDTH 4\nTILE_HEIGHT 64\nMOST_AT_LAST 1024\n";
    if (!test::goes_on_to_the_end(row)) return {tile};
    return {tile, tile + "AT_ONCE 64\n"};
}

/// The rows of all passes by themselves, and those of the programs that several of them share.
std::vector<PassRow> all_programs() {
    std::vector<PassRow> rows(pass_table().begin(), pass_table().end());
    for (const PassRow& row : pass_table()) {
        if (has_tasks(program_row(row, true)) && task_of(row) == 0) rows.push_back(program_row(row, true));
    }
    return rows;
}

struct Text {
    std::string file;  // its end names the stage
    std::string source;
};

/// Every text of every pass under the headers 330, 300 es and 400, and the compute stage under 430; what is in two
/// floats also in doubles.
std::vector<Text> all_texts() {
    std::vector<Text> texts;
    const auto add = [&](const PassRow& row, std::string_view what, std::string source) {
        texts.push_back({fmt::format("{}.{}.{}", row.name, texts.size(), what), std::move(source)});
    };
    for (const PassRow& row : all_programs()) {
        for (const auto& [fetch, rectangles] : {std::pair{Fetch::sampled, false},
                                                {Fetch::texel, false},
                                                {Fetch::image, false},
                                                {Fetch::sampled, true},
                                                {Fetch::texel, true},
                                                {Fetch::image, true}}) {
            for (const std::string& definitions : variants(row)) {
                for (const auto& [version, embedded] :
                     {std::pair{"330 core", false}, {"300 es", true}, {"400 core", false}}) {
                    if (embedded && (rectangles || fetch == Fetch::image)) continue;
                    Dialect dialect;
                    dialect.version = version;
                    dialect.embedded = embedded;
                    dialect.fetch = fetch;
                    dialect.rectangles = rectangles;
                    add(row, "vert", vertex_source(row, dialect));
                    add(row, "frag", fragment_source(row, definitions, dialect));
                    for (const std::string_view sampler : test::other_samplers(row)) {
                        Dialect other = dialect;
                        other.formats.sampler = sampler;
                        add(row, "frag", fragment_source(row, definitions, other));
                    }
                    if (fetch != Fetch::image) continue;
                    dialect.formats.half_inputs = ~0u;
                    add(row, "frag", fragment_source(row, definitions, dialect));
                }
                Dialect dialect;
                if (row.writes_outside) dialect.formats.outside = "rg32ui";
                dialect.version = "430 core";
                dialect.fetch = fetch;
                dialect.rectangles = rectangles;
                add(row, "comp", compute_source(row, definitions, dialect));
                for (const std::string_view sampler : test::other_samplers(row)) {
                    Dialect other = dialect;
                    other.formats.sampler = sampler;
                    add(row, "comp", compute_source(row, definitions, other));
                }
                if (!row.two_float) continue;
                dialect.doubles = true;
                add(row, "comp", compute_source(row, definitions, dialect));
                dialect.version = "330 core";
                add(row, "frag", fragment_source(row, definitions, dialect));
            }
        }
    }
    return texts;
}

bool available(const char* program) {
    return std::system(fmt::format("command -v {} >/dev/null", program).c_str()) == 0;
}

}  // namespace

TEST_CASE("all GLSL passes glslangValidator", "[core][shaders]") {
    if (!available("glslangValidator")) {
        WARN("skipped: glslangValidator is not installed (package glslang-tools)");
        return;
    }
    const fs::path folder = fs::temp_directory_path() / fmt::format("glsolve-shaders-{}", std::random_device{}());
    fs::create_directories(folder);
    for (const Text& text : all_texts()) std::ofstream(folder / text.file) << text.source;
    // By xargs: they are more than fit into a line.
    const int result = std::system(fmt::format("cd {} && ls | xargs glslangValidator > ../{}.log 2>&1", folder.string(),
                                               folder.filename().string())
                                       .c_str());
    const fs::path log = folder.string() + ".log";
    std::ifstream stream(log);
    std::string line, errors;
    while (std::getline(stream, line)) {
        if (line.find("ERROR") != std::string::npos) errors += line + "\n";
    }
    INFO(errors);
    CHECK(result == 0);
    fs::remove_all(folder);
    fs::remove(log);
}

TEST_CASE("each pass has a shader and a test, and each shader is embedded", "[core][shaders]") {
    std::set<std::string> used;
    std::string tests;
    for (const auto& entry : fs::directory_iterator(source_folder / "tests/passes")) {
        std::ifstream stream(entry.path());
        tests.append(std::istreambuf_iterator<char>(stream), {});
    }
    for (const PassRow& row : pass_table()) {
        INFO(row.name);
        CHECK_FALSE(shader_file(fmt::format("pass/{}.glsl", row.file)).empty());
        CHECK_FALSE(row.formula.empty());
        CHECK(tests.find(fmt::format("[{}]", row.name)) != std::string::npos);
        used.insert(std::string(row.file));
    }
    for (const auto& entry : fs::recursive_directory_iterator(source_folder / "shaders")) {
        if (entry.path().extension() != ".glsl") continue;
        const std::string name = fs::relative(entry.path(), source_folder / "shaders").generic_string();
        INFO(name);
        std::ifstream stream(entry.path());
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        CHECK(shader_file(name) == text);  // embedded byte for byte
        if (name.starts_with("pass/")) CHECK(used.contains(name.substr(5, name.find('.') - 5)));
    }
}

TEST_CASE("the README of the shaders has the table that the build makes", "[core][shaders]") {
    std::ifstream stream(source_folder / "shaders/README.md");
    const std::string readme{std::istreambuf_iterator<char>(stream), {}};
    for (const PassRow& row : pass_table()) {
        INFO(row.name << ": cmake --build build/release --target shader_table writes it");
        std::string formula;
        for (const char c : row.formula) formula += c == '|' ? std::string("\\|") : std::string(1, c);
        const bool has_line = readme.find(fmt::format("| {} | {} | {} |", row.name, row.file, formula)) != readme.npos;
        const bool has_product = readme.find(fmt::format("| {}_... |", row.file)) != readme.npos
                                 && readme.find(fmt::format("| product | {} |", formula)) != readme.npos;
        CHECK((has_line || has_product));
    }
}

TEST_CASE("no pass needs more texture units than OpenGL 3.3 grants", "[core][shaders]") {
    for (const PassRow& row : all_programs()) {
        INFO(row.name);
        CHECK(row.inputs.size() + 2 * row.scalars.size() + (row.guarded ? 1 : 0) <= 16);
        CHECK(row.inputs.size() <= max_inputs);
        CHECK(row.outputs.size() <= max_outputs);
        CHECK(row.scalars.size() <= max_scalars);
        CHECK(row.integers.size() <= max_integers);
    }
}

TEST_CASE("what shares a program needs nothing that is compiled for a pass alone", "[core][shaders]") {
    int programs = 0;
    for (const PassRow& row : pass_table()) {
        if (row.shares.empty()) {
            CHECK(&program_row(row, true) == &row);
            continue;
        }
        CAPTURE(row.name);
        CHECK(row.scalars.empty());
        CHECK(row.defines.empty());
        CHECK(row.integers.size() + first_integer_of_task <= max_integers);
        CHECK_FALSE((row.two_float || row.each_apart || row.chaotic || row.writes_outside || row.user_glsl));
        CHECK_FALSE((row.has_sum() || row.domain == Domain::input));
        CHECK(variants(row) == std::vector<std::string>{""});
        for (const Input& input : row.inputs) CHECK_FALSE((input.integer || input.outside));
        const PassRow& program = program_row(row, true);
        CHECK(has_tasks(program));
        CHECK(program.inputs.size() >= row.inputs.size());
        CHECK(program.outputs.size() >= row.outputs.size());
        programs += task_of(row) == 0 ? 1 : 0;
    }
    CHECK(programs == 2);
}
