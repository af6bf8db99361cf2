// Every shader text is valid in every dialect we promise, by a compiler that is no driver's; the table, the folder and
// what is embedded agree.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "device/pass_table.hpp"
#include "kernels/shader_source.hpp"
#include "kernels/shared_programs.hpp"
#include "support/catch.hpp"

using namespace glsolve;
namespace fs = std::filesystem;

namespace {

const fs::path source_folder = GLSOLVE_SOURCE_FOLDER;

/// Each of `all`, and each with each of `more`.
std::vector<std::string> with(const std::vector<std::string>& all, const std::vector<std::string>& more) {
    std::vector<std::string> made = all;
    for (const std::string& a : all) {
        for (const std::string& m : more) made.push_back(a + m);
    }
    return made;
}

/// The definitions under which a pass is used.
std::vector<std::string> variants(const PassRow& row) {
    const std::vector<std::string> of_grids{"SPACE\n", "CONSTANT\n", "CONSTANT\nSPACE\n"};
    if (row.file == "grid") {
        const std::string first = row.chaotic ? "OWN_DIAGONAL\nFIRST_STEP 0\n" : "OWN_DIAGONAL\n";
        return with(with({first}, {"HAS_D\n"}), of_grids);
    }
    const std::vector<std::string> joined{"ALONG_X 2\nALONG_Y 1\nALONG_Z 2\n", "ALONG_X 1\nALONG_Y 2\nALONG_Z 1\n"};
    if (row.file.starts_with("grid_restrict_residual")) return with(joined, of_grids);
    if (row.file == "grid_coarsen") return joined;
    if (row.chaotic) {
        std::vector<std::string> all{"FIRST_STEP 0\n", "FIRST_STEP 0\nHAS_D\n"};
        if (row.file == "dia") {
            all.emplace_back(
                "COUNT 1\nOFFSETS 1\nTILES -1\nMEMBERS 1\nPOWERS 1\nLOG2_WIDTH 3\nGAPS ivec3(8,7,1)\nMAIN 1\n"
                "FIRST_STEP 2\n");
        }
        return all;
    }
    const auto has = [&](std::string_view define) { return row.defines.find(define) != row.defines.npos; };
    if (has("STEP") || has("DOTS")) return {"", "HAS_D\n"};
    if (row.file == "dia")
        return {"",
                "COUNT 5\nOFFSETS -12,-1,0,1,12\nTILES 0,1,-1,2,3\nMEMBERS 1,1,1,1,1\nPOWERS 0,0,0,0,0\nLOG2_WIDTH "
                "3\nMAIN 2\n"
                "GAPS ivec3(4,0,0),ivec3(4,0,0),ivec3(7,3,2),ivec3(4,0,0),ivec3(4,0,0)\n",
                "COUNT 1\nOFFSETS 1\nTILES -1\nMEMBERS 1\nPOWERS 1\nLOG2_WIDTH 3\nGAPS ivec3(8,7,1)\nMAIN 1\n"};
    if (row.file == "ell") return {"", "COUNT 5\n"};
    if (row.file == "basis_update" || row.file == "arnoldi_update") return {"", "ONE_COLUMN\n"};
    if (row.file == "sliced") return {"", "RUNS 5\nSINGLES 2\n", "RUNS 0\nSINGLES 0\n", "LONG\n"};
    if (row.file == "dense_partial")
        return {"", "COLUMNS 32\nSTEP 16\nLOG2_STRIP 2\n", "COLUMNS 16\nSTEP 4\nLOG2_STRIP 2\nA_LOW\n"};
    if (row.file == "sumVector") return {"", "A_LOW\n"};
    if (row.file == "krueger_diagonal") return {"", "FOURS\n"};
    if (row.file == "jordan_update") return {"PANEL 16\n"};
    if (row.file == "box_transfer")
        return {"STRIDE 3\nWIDE 5\nHIGH 5\nDEEP 1\n", "STRIDE 0\nWIDE 3\nSPLIT\n", "STRIDE 1\nWIDE 1\nSPLIT\n"};
    if (row.file == "gmres_solve") return {"BLOCKS 3\n"};
    if (row.reduces()) {
        const std::string tile = "TILE_WIDTH 4\nTILE_HEIGHT 64\nMOST_AT_LAST 1024\n";
        const bool first = row.defines.find("FIRST") != row.defines.npos || row.name == "sum";
        if (!first || row.defines.find("FIELDS") != row.defines.npos || row.name == "basis_dot_pair") return {tile};
        return {tile, tile + "AT_ONCE 64\n"};  // what reads vectors goes on to the end
    }
    return {""};
}

/// What else may stand behind a texture of the caller's that it reads.
std::vector<std::string_view> samplers(const PassRow& row) {
    if (!std::ranges::any_of(row.inputs, &Input::outside)) return {};
    return {"usampler2D", "sampler2DArray", "usampler2DArray", "sampler3D", "usampler3D"};
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
                    for (const std::string_view sampler : samplers(row)) {
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
                for (const std::string_view sampler : samplers(row)) {
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
