// Files of NumPy and SciPy: what they have written is read, what is written is read again, and damage is told.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/numpy_files.hpp>
#include <iterator>
#include <random>

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace tests_of_numpy_files {

using namespace glsolve;
namespace fs = std::filesystem;

namespace {

struct Folder : test::Folder {
    Folder() { fs::create_directory(path); }
};

/// By SciPy 1.10 and NumPy 1.24.
fs::path data(const char* name) { return fs::path(GLSOLVE_SOURCE_FOLDER) / "tests" / "data" / name; }

std::string contents(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void check_same(const CsrMatrix& A, const CsrMatrix& B) {
    CHECK(A.rows == B.rows);
    CHECK(A.columns == B.columns);
    CHECK(A.offsets == B.offsets);
    CHECK(A.column == B.column);
    CHECK(A.value == B.value);
}

}  // namespace

TEST_CASE("matrices of scipy are read", "[core][numpy]") {
    const CsrMatrix expected =
        csr_from_triplets(3, 4, std::vector<Triplet>{{0, 0, 1.5}, {0, 2, -2}, {1, 3, 4}, {2, 0, 0.25}, {2, 1, 3}});
    check_same(read_npz(data("csc_deflated_float32.npz")), expected);
    check_same(read_npz(data("coo_stored.npz")), expected);
}

TEST_CASE("an array of numpy is read column by column", "[core][numpy]") {
    const DenseMatrix read = read_npy(data("c_order.npy"));
    CHECK(read.rows == 2);
    CHECK(read.columns == 3);
    CHECK(read.values == std::vector<double>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("what is written for numpy is read again", "[core][numpy]") {
    const Folder folder;
    for (const CsrMatrix& A : {poisson2d(40), convection_diffusion(9), CsrMatrix{3, 2, {0, 0, 1, 1}, {1}, {-0.5}},
                               CsrMatrix{0, 0, {0}, {}, {}}}) {
        write_npz(folder / "A.npz", A);
        check_same(read_npz(folder / "A.npz"), A);
    }
    std::vector<double> values(60000);
    std::mt19937 random(1);
    for (double& value : values) value = std::uniform_real_distribution<double>(-1, 1)(random);
    for (const Index columns : {1, 3}) {
        write_npy(folder / "x.npy", values, columns);
        const DenseMatrix read = read_npy(folder / "x.npy");
        CHECK(read.values == values);
        CHECK(read.columns == columns);
    }
    CHECK_THROWS_AS(write_npy(folder / "y.npy", values, 7), InvalidInput);
    CHECK_FALSE(fs::exists(folder / "y.npy"));
}

TEST_CASE("damaged files of numpy are refused, wherever they are damaged", "[core][numpy]") {
    const Folder folder;
    write_npz(folder / "A.npz", poisson2d(5));
    for (const fs::path& file : {folder / "A.npz", data("csc_deflated_float32.npz")}) {
        const std::string whole = contents(file);
        const CsrMatrix A = read_npz(file);
        for (std::size_t k = 0; k < whole.size(); ++k) {
            std::string damaged = whole;
            damaged[k] = static_cast<char>(damaged[k] ^ 0x55);
            std::ofstream(folder / "damaged.npz", std::ios::binary) << damaged;
            std::ofstream(folder / "cut.npz", std::ios::binary) << whole.substr(0, k);
            CHECK_THROWS_AS(read_npz(folder / "cut.npz"), InvalidInput);
            try {
                check_same(read_npz(folder / "damaged.npz"), A);  // dates and versions are not looked at
            } catch (const InvalidInput& refused) {
                CHECK_THAT(refused.what(), StartsWith((folder / "damaged.npz").string() + ": "));
            }
        }
    }
    const std::string array = contents(data("c_order.npy"));
    for (std::size_t k = 0; k < array.size(); ++k) {
        std::ofstream(folder / "cut.npy", std::ios::binary) << array.substr(0, k);
        CHECK_THROWS_AS(read_npy(folder / "cut.npy"), InvalidInput);
    }
    CHECK_THROWS_WITH(read_npz(folder / "absent.npz"), ContainsSubstring("absent.npz"));
    CHECK_THROWS_WITH(read_npz(data("c_order.npy")), ContainsSubstring("no archive"));
}

}  // namespace tests_of_numpy_files
