#include "compilers/kernel_variants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace glsolve::test {
namespace {

/// Each of `all`, and each with each of `more`.
std::vector<std::string> with(const std::vector<std::string>& all, const std::vector<std::string>& more) {
    std::vector<std::string> made = all;
    for (const std::string& a : all) {
        for (const std::string& m : more) made.push_back(a + m);
    }
    return made;
}

/// The definition of a diagonal's list: `one`, `count` times.
std::string list(std::string_view name, int count, std::string_view one) {
    std::string words = std::string(name) + " ";
    for (int i = 0; i < count; ++i) words.append(i == 0 ? "" : ",").append(one);
    return words + "\n";
}

/// The most that are constants of a shader (formats/dia_plan.cpp).
std::string many_diagonals() {
    return "COUNT 16\nLOG2_WIDTH 3\nMAIN 2\n" + list("OFFSETS", 16, "-3") + list("TILES", 16, "1")
           + list("MEMBERS", 16, "1") + list("POWERS", 16, "0") + list("GAPS", 16, "ivec3(7,3,2)");
}

/// What a format knows of a matrix when its shaders are compiled.
std::vector<std::string> of_format(std::string_view file) {
    if (file == "dia")
        return {"",
                "COUNT 5\nOFFSETS -12,-1,0,1,12\nTILES 0,1,-1,2,3\nMEMBERS 1,1,1,1,1\nPOWERS 0,0,0,0,0\nLOG2_WIDTH "
                "3\nMAIN 2\nGAPS ivec3(4,0,0),ivec3(4,0,0),ivec3(7,3,2),ivec3(4,0,0),ivec3(4,0,0)\n",
                "COUNT 1\nOFFSETS 1\nTILES -1\nMEMBERS 1\nPOWERS 1\nLOG2_WIDTH 3\nGAPS ivec3(8,7,1)\nMAIN 1\n",
                many_diagonals()};
    if (file == "ell") return {"", "COUNT 5\n", "COUNT 16\n", "REST\n", "COLUMNS_16\n", "COUNT 5\nCOLUMNS_16\n"};
    if (file == "csr") return {"", "REST\n", "COLUMNS_16\n"};
    if (file == "bcsr")
        return {"BLOCK_ROWS 2\nBLOCK_COLUMNS 2\n", "BLOCK_ROWS 3\nBLOCK_COLUMNS 3\n", "BLOCK_ROWS 4\nBLOCK_COLUMNS 4\n",
                "BLOCK_ROWS 4\nBLOCK_COLUMNS 1\n"};
    if (file == "sliced")
        return {"",
                "RUNS 5\nSINGLES 2\n",
                "RUNS 0\nSINGLES 0\n",
                "RUNS 11\nSINGLES 20\n",
                "LONG\n",
                "COLUMNS_16\n",
                "RUNS 5\nSINGLES 2\nCOLUMNS_16\n"};
    return {""};
}

/// The pass may scale by a diagonal.
bool takes_a_diagonal(const PassRow& row) {
    return row.defines.find("STEP") != row.defines.npos || row.defines.find("DOTS") != row.defines.npos;
}

}  // namespace

std::vector<std::string> kernel_variants(const PassRow& row) {
    const std::vector<std::string> of_grids{"SPACE\n", "CONSTANT\n", "CONSTANT\nSPACE\n"};
    if (row.file == "grid") {
        return with(with({"OWN_DIAGONAL\n"}, {"HAS_D\n"}), of_grids);
    }
    const std::vector<std::string> joined{"ALONG_X 2\nALONG_Y 1\nALONG_Z 2\n", "ALONG_X 1\nALONG_Y 2\nALONG_Z 1\n"};
    if (row.file.starts_with("grid_restrict_residual")) return with(joined, of_grids);
    if (row.file == "grid_coarsen") return joined;
    if (row.file == "dense_partial")
        return {"", "COLUMNS 32\nSTEP 16\nLOG2_STRIP 2\n", "COLUMNS 16\nSTEP 4\nLOG2_STRIP 2\nA_LOW\n"};
    if (row.file == "dense_reduce") return {"", "A_LOW\n"};
    if (row.name.starts_with("csr_rest") || row.name.starts_with("csr_transfer")) {
        std::vector<std::string> all{"", "COLUMNS_16\n"};
        if (row.two_float) all.emplace_back("A_LOW\n");
        return all;
    }
    if (row.kind == "product") {
        std::vector<std::string> all = of_format(row.file);
        if (row.asynchronous) {
            // Coefficients of the steps stand behind those of the diagonals, COUNT + 1.
            for (std::string& each : all) {
                const std::size_t count = row.file == "dia" ? each.find("COUNT ") : each.npos;
                each += fmt::format("FIRST_STEP {}\n", count == each.npos ? 0 : std::stoi(each.substr(count + 6)) + 1);
            }
        }
        return row.asynchronous || takes_a_diagonal(row) ? with(all, {"HAS_D\n"}) : all;
    }
    if (takes_a_diagonal(row)) return {"", "HAS_D\n"};
    if (row.file == "basis_update" || row.file == "arnoldi_update") return {"", "ONE_COLUMN\n"};
    if (row.file == "krueger_diagonal") return {"", "FOURS\n"};
    if (row.file == "jordan_update") return {"PANEL 16\n"};
    if (row.file == "lattice_weights") return {"OFF 1\n", "OFF 2\n", "OFF 3\n"};
    if (row.file == "box_transfer")
        return {"STRIDE 3\nWIDE 5\nHIGH 5\nDEEP 1\n", "STRIDE 0\nWIDE 3\nSPLIT\n", "STRIDE 1\nWIDE 1\nSPLIT\n"};
    if (row.file == "gmres_solve") return {"BLOCKS 3\n"};
    return {""};
}

bool goes_on_to_the_end(const PassRow& row) {
    const bool reads_vectors = row.defines.find("FIRST") != row.defines.npos || row.name == "sum";
    const bool several = row.defines.find("FIELDS") != row.defines.npos || row.name == "basis_dot_pair";
    return row.reduces() && reads_vectors && !several;
}

std::vector<std::string_view> other_samplers(const PassRow& row) {
    if (!std::ranges::any_of(row.inputs, &Input::outside)) return {};
    return {"usampler2D", "sampler2DArray", "usampler2DArray", "sampler3D", "usampler3D"};
}

}  // namespace glsolve::test
