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

namespace tests_of_shaders {

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

/// Ways to write a text down: of images, how they are fetched; rectangles or not; versions of GLSL and stages.
std::vector<Dialect> dialects() {
    std::vector<Dialect> all;
    for (const Fetch fetch : {Fetch::sampled, Fetch::texel, Fetch::image}) {
        for (const bool rectangles : {false, true}) {
            for (const std::string_view version : {"330 core", "300 es", "400 core", "430 core"}) {
                Dialect dialect;
                dialect.version = version;
                dialect.embedded = version == "300 es";
                dialect.fetch = fetch;
                dialect.rectangles = rectangles;
                if (!dialect.embedded || !(rectangles || fetch == Fetch::image)) all.push_back(dialect);
            }
        }
    }
    return all;
}

/// The texts of every pass: of its first definitions in each dialect, of the others in one, another one each time.
std::vector<Text> all_texts() {
    std::vector<Text> texts;
    const auto add = [&](const PassRow& row, std::string_view what, std::string source) {
        texts.push_back({fmt::format("{}.{}.{}", row.name, texts.size(), what), std::move(source)});
    };
    const auto add_all = [&](const PassRow& row, const std::string& definitions, Dialect dialect) {
        const bool computes = dialect.version == "430 core";
        if (row.needs_compute_stage() && !computes) return;
        const auto write = [&] {
            if (computes) {
                add(row, "comp", compute_source(row, definitions, dialect));
            } else {
                add(row, "frag", fragment_source(row, definitions, dialect));
            }
        };
        if (!computes) add(row, "vert", vertex_source(row, dialect));
        if (computes && row.writes_outside) dialect.formats.outside = "rg32ui";
        write();
        for (const std::string_view sampler : test::other_samplers(row)) {
            dialect.formats.sampler = sampler;
            write();
            dialect.formats.sampler = Dialect{}.formats.sampler;
        }
        if (!computes && dialect.fetch == Fetch::image) {
            dialect.formats.half_inputs = ~0u;
            write();
            dialect.formats.half_inputs = 0;
        }
        if (row.two_float && (computes || dialect.version == "330 core")) {
            dialect.doubles = true;
            write();
        }
    };
    const std::vector<Dialect> all = dialects();
    std::size_t turn = 0;
    for (const PassRow& row : all_programs()) {
        const std::vector<std::string> definitions = variants(row);
        for (const Dialect& dialect : all) add_all(row, definitions.front(), dialect);
        for (std::size_t i = 1; i < definitions.size(); ++i) {
            while (row.needs_compute_stage() && all[turn % all.size()].version != "430 core") ++turn;
            add_all(row, definitions[i], all[turn++ % all.size()]);
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
        CHECK_FALSE((row.two_float || row.each_apart || row.asynchronous || row.writes_outside || row.user_glsl));
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

}  // namespace tests_of_shaders
