#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <sstream>
#include <string_view>
#include <thread>

#include "core/matrix_market_support.hpp"
#include "io/text_source.hpp"

#if __has_include(<sys/stat.h>)
#include <sys/stat.h>
#endif
#if __has_include(<sys/resource.h>)
#include <sys/resource.h>

#include <csignal>
#endif

namespace tests_of_matrix_market_files {

using namespace glsolve;
using namespace matrix_market_test;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test, removed at the end.
class TemporaryFolder {
  public:
    TemporaryFolder() : path_(fs::temp_directory_path() / ("glsolve-test-" + std::to_string(std::random_device()()))) {
        fs::create_directory(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { fs::remove_all(path_); }

    fs::path operator/(const std::string& name) const { return path_ / name; }

    fs::path store(const std::string& name, const std::string& bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
        return path_ / name;
    }

    auto files() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }

  private:
    fs::path path_;
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void check_same(const CsrMatrix& A, const CsrMatrix& B) {
    CHECK(A.rows == B.rows);
    CHECK(A.columns == B.columns);
    CHECK(A.offsets == B.offsets);
    CHECK(A.column == B.column);
    CHECK(same_bits(A.value, B.value));
}

/// Finite doubles of every magnitude, and the extreme ones.
std::vector<double> all_kinds_of_doubles(std::size_t count) {
    using Limits = std::numeric_limits<double>;
    std::vector<double> values{0.0,  -0.0,    Limits::denorm_min(), -Limits::denorm_min(), Limits::min(), Limits::max(),
                               0.1,  1e308,   Limits::lowest(),     Limits::epsilon(),     1e22,          1e23,
                               1e-5, 2.5e-310};
    std::mt19937_64 random(7);
    while (values.size() < count) {
        const std::uint64_t bits = random();
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (std::isfinite(value)) values.push_back(value);
    }
    return values;
}

CsrMatrix random_matrix(Index rows, Index columns, std::size_t count) {
    std::mt19937 random(5);
    std::vector<Triplet> entries;
    for (const double value : all_kinds_of_doubles(count)) {
        entries.push_back({static_cast<Index>(random() % static_cast<unsigned>(rows)),
                           static_cast<Index>(random() % static_cast<unsigned>(columns)), value});
    }
    CsrMatrix A = csr_from_triplets(rows, columns, entries);
    for (double& value : A.value) value = std::isfinite(value) ? value : 1.0;
    return A;
}

}  // namespace

TEST_CASE("Matrix Market: gzip data", "[matrix_market]") {
    const std::string text = coordinate + "2 2 2\n1 1 1\n2 2 -2\n";
    const std::vector<double> expected{1, 0, 0, -2};
    CHECK(parsed(gzip(text)) == expected);
    CHECK(parsed(gzip(text.substr(0, 30)) + gzip(text.substr(30))) == expected);

    const TemporaryFolder folder;
    CHECK(dense(read_matrix_market(folder.store("a.mtx.gz", gzip(text)))) == expected);
    CHECK(dense(read_matrix_market(folder.store("packed_but_not_named_so.mtx", gzip(text)))) == expected);
    CHECK(dense(read_matrix_market(folder.store("plain.mtx.gz", text))) == expected);
}

TEST_CASE("Matrix Market: damaged gzip data are refused", "[matrix_market]") {
    std::string text = coordinate + "2000 2000 2000\n";
    for (int i = 1; i <= 2000; ++i) text += std::to_string(i) + " " + std::to_string(i * 7919 % 2000 + 1) + " 1.5\n";
    const std::string packed = gzip(text);
    REQUIRE(parse_matrix_market(packed).nonzeros() == 2000);
    for (const std::size_t length : {packed.size() - 1, packed.size() - 8, packed.size() / 2, std::size_t{12}}) {
        const std::string message = complaint([&] { parse_matrix_market(packed.substr(0, length), "m.mtx.gz"); });
        INFO(message);
        CHECK(message.find("m.mtx.gz:") == 0);
        CHECK(message.find("end early") != std::string::npos);
    }
    check_refused(packed.substr(0, packed.size() - 1), 2003, "end early");
    std::string corrupt = packed;
    corrupt[corrupt.size() - 6] ^= 1;
    check_refused(corrupt, 2003, "damaged");
    check_refused(packed + "garbage", 2003, "damaged");
    check_refused("\x1f\x8b", 1, "end early");
}

TEST_CASE("Matrix Market: all text before damage is handed out, whatever the size of the blocks", "[matrix_market]") {
    std::string text = coordinate;
    for (int i = 0; i < 3000; ++i) text += "% the same again\n";
    const std::string packed = gzip(text);
    const auto text_in_blocks = [](std::string_view bytes, std::size_t size) {
        const std::unique_ptr<TextSource> source = open_text(bytes);
        std::string result;
        std::vector<char> block(size);
        try {
            while (const std::size_t count = source->read(block)) result.append(block.data(), count);
        } catch (const DamagedText& damage) {
            result += damage.what();
        }
        return result;
    };
    for (std::size_t length = 2; length <= packed.size(); ++length) {
        const std::string_view part = std::string_view(packed).substr(0, length);
        const std::string whole = text_in_blocks(part, text.size() + 1);
        for (const std::size_t size : {1, 100, 4096}) CHECK(text_in_blocks(part, size) == whole);
    }
    CHECK(text_in_blocks(packed, 100) == text);
}

TEST_CASE("Matrix Market: files that cannot be read", "[matrix_market]") {
    const TemporaryFolder folder;
    const fs::path missing = folder / "missing.mtx";
    const std::string absent = complaint([&] { read_matrix_market(missing); });
    CHECK(absent.find(missing.string() + ": there is no such file") == 0);
    CHECK(complaint([&] { read_matrix_market(folder / ""); }).find("directory") != std::string::npos);
    CHECK(complaint([&] { read_matrix_market_vector(missing); }).find("no such file") != std::string::npos);
    const fs::path empty = folder.store("empty.mtx", "");
    CHECK(complaint([&] { read_matrix_market(empty); }).find(empty.string() + ":1: the file is empty") == 0);
    const fs::path wrong = folder.store("wrong.mtx", coordinate + "1 1 1\n1 2 1\n");
    CHECK(complaint([&] { read_matrix_market(wrong); }).find(wrong.string() + ":3: ") == 0);
}

TEST_CASE("Matrix Market: streams and pipes, which do not tell how much is to come", "[matrix_market]") {
    const CsrMatrix A = random_matrix(300, 200, 50'000);
    std::ostringstream written;
    write_matrix_market(written, A, "to a stream");
    for (const std::string& bytes : {written.str(), gzip(written.str())}) {
        std::istringstream stream(bytes);
        std::vector<double> shares;
        check_same(A, read_matrix_market(stream, "a stream", [&](double share) { shares.push_back(share); }));
        CHECK(shares.back() == 1);
    }
    // From where it stands to its end.
    std::istringstream behind("not a matrix\n" + array + "2 1\n1\n2\n");
    std::string line;
    std::getline(behind, line);
    CHECK(dense(read_matrix_market(behind)) == std::vector<double>{1, 2});

    const std::vector<double> values{1, -0.5};
    std::ostringstream vector;
    write_matrix_market(vector, values);
    CHECK(vector.str() == array + "2 1\n1\n-0.5\n");
    vector.setstate(std::ios::badbit);
    CHECK_THROWS_AS(write_matrix_market(vector, values), Error);

    const auto refused = [&](const std::string& text) {
        std::istringstream stream(text);
        return complaint([&] { read_matrix_market(stream, "a stream"); });
    };
    CHECK(refused("").find("a stream:1: the file is empty") == 0);
    // Room for what is declared is taken as it comes.
    CHECK(refused(coordinate + "9 9 1000000000000\n1 1 1\n").find("a stream:3: the file ends after 1 of") == 0);
    CHECK(refused(gzip(array + "2147483647 2147483647\n1\n")).find("a stream:3: the file ends after 1 of") == 0);
    CHECK(refused(coordinate + "2147483647 1 1\n1 1 1\n").find("a stream:2: ") == 0);

#if __has_include(<sys/stat.h>)
    const TemporaryFolder folder;
    for (const std::string& bytes : {written.str(), gzip(written.str())}) {
        const fs::path pipe = folder / "pipe.mtx";
        REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
        std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
        check_same(A, read_matrix_market(pipe));
        writer.join();
        fs::remove(pipe);
    }
#endif
}

TEST_CASE("Matrix Market: comments of any text stay comments", "[matrix_market]") {
    const TemporaryFolder folder;
    const CsrMatrix A = csr_from_triplets(1, 1, std::vector<Triplet>{{0, 0, 3}});
    write_matrix_market(folder / "a.mtx", A, "one\r2 2 2\r\nthree\n\r");
    check_same(A, read_matrix_market(folder / "a.mtx"));
}

TEST_CASE("Matrix Market: reading in many blocks, with progress", "[matrix_market]") {
    const TemporaryFolder folder;
    const CsrMatrix A = random_matrix(3000, 2000, 150'000);
    for (const std::string name : {"large.mtx", "large.mtx.gz"}) {
        write_matrix_market(folder / name, A);
        std::vector<double> shares;
        check_same(A, read_matrix_market(folder / name, [&](double share) { shares.push_back(share); }));
        CHECK(shares.size() >= 3);
        CHECK(std::is_sorted(shares.begin(), shares.end()));
        CHECK(shares.front() > 0);
        CHECK(shares.back() == 1);
    }
    CHECK(folder.files() == 2);
}

TEST_CASE("Matrix Market: matrices come back exactly", "[matrix_market]") {
    const TemporaryFolder folder;
    for (const CsrMatrix& A : {random_matrix(40, 70, 2000), random_matrix(1, 1, 15), csr_from_triplets(0, 0, {}),
                               csr_from_triplets(5, 0, {}), csr_from_triplets(0, 5, {})}) {
        for (const std::string name : {"a.mtx", "a.mtx.gz"}) {
            write_matrix_market(folder / name, A, "two lines\nof comment\n\n");
            check_same(A, read_matrix_market(folder / name));
        }
    }
    CHECK(folder.files() == 2);
}

TEST_CASE("Matrix Market: vectors come back exactly", "[matrix_market]") {
    const TemporaryFolder folder;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5000}}) {
        std::vector<double> vector = all_kinds_of_doubles(size);
        vector.resize(size);
        for (const std::string name : {"v.mtx", "v.mtx.gz"}) {
            write_matrix_market(folder / name, vector, "a vector");
            CHECK(same_bits(vector, read_matrix_market_vector(folder / name)));
        }
    }
}

TEST_CASE("Matrix Market: vectors of either format, and nothing else", "[matrix_market]") {
    const TemporaryFolder folder;
    const auto read = [&](const std::string& text) { return read_matrix_market_vector(folder.store("v.mtx", text)); };
    CHECK(read(array + "3 1\n1\n0\n3\n") == std::vector<double>{1, 0, 3});
    CHECK(read(coordinate + "3 1 2\n3 1 3\n1 1 1\n") == std::vector<double>{1, 0, 3});
    CHECK(read("%%MatrixMarket matrix array real symmetric\n1 1\n4\n") == std::vector<double>{4});
    CHECK(complaint([&] { read(array + "1 2\n1\n2\n"); }).find("v.mtx:2: 2 columns") != std::string::npos);
    CHECK(complaint([&] { read(coordinate + "2 0 0\n"); }).find("0 columns") != std::string::npos);
}

TEST_CASE("Matrix Market: dense matrices are written column by column", "[matrix_market]") {
    const TemporaryFolder folder;
    const std::vector<double> values{1, 2, 3, 4, 5, 6};
    write_matrix_market(folder / "D.mtx", values, "dense", 2);
    CHECK(dense(read_matrix_market(folder / "D.mtx")) == std::vector<double>{1, 4, 2, 5, 3, 6});
    for (const Index columns : {-1, 0, 4}) {
        CHECK_THROWS_AS(write_matrix_market(folder / "no.mtx", values, "", columns), InvalidInput);
    }
    CHECK(folder.files() == 1);
}

TEST_CASE("Matrix Market: what is written is plain to read", "[matrix_market]") {
    const TemporaryFolder folder;
    write_matrix_market(folder / "a.mtx", csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 0.1}, {1, 0, -3}}),
                        "a\nb");
    std::ifstream file(folder / "a.mtx", std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    CHECK(text == coordinate + "% a\n% b\n2 2 2\n1 2 0.1\n2 1 -3\n");
}

TEST_CASE("Matrix Market: a failed write leaves nothing behind", "[matrix_market]") {
    const TemporaryFolder folder;
    const CsrMatrix A = random_matrix(50, 50, 500);
    const auto failure = [&](const fs::path& file) -> std::string {
        try {
            write_matrix_market(file, A);
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was thrown";
    };
    const fs::path nowhere = folder / "missing/a.mtx";
    CHECK(failure(nowhere).find(nowhere.string() + ": cannot be written: ") == 0);

    fs::create_directories(folder / "taken.mtx/inside");
    CHECK(failure(folder / "taken.mtx").find("cannot be written") != std::string::npos);
    CHECK(folder.files() == 1);

    CsrMatrix broken = A;
    broken.value[3] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(write_matrix_market(folder / "nan.mtx", broken), InvalidInput);
    CHECK_THROWS_AS(write_matrix_market(folder / "nan.mtx", broken.value), InvalidInput);
    CHECK(folder.files() == 1);
}

#if __has_include(<sys/resource.h>)
TEST_CASE("Matrix Market: a full disk is reported and the old file stays", "[matrix_market]") {
    const TemporaryFolder folder;
    const CsrMatrix A = random_matrix(300, 300, 20'000);
    const std::vector<double> old{1, 2, 3};
    // A limit on the size of files fails the way that a full disk does, at the same calls.
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    for (const std::string name : {"full.mtx", "full.mtx.gz"}) {
        write_matrix_market(folder / name, old);
        rlimit low = before;
        low.rlim_cur = 10'000;
        setrlimit(RLIMIT_FSIZE, &low);
        std::string message;
        try {
            write_matrix_market(folder / name, A);
        } catch (const Error& error) {
            message = error.what();
        }
        setrlimit(RLIMIT_FSIZE, &before);
        CHECK(message.find((folder / name).string() + ": cannot be written: ") == 0);
        CHECK(read_matrix_market_vector(folder / name) == old);
    }
    std::signal(SIGXFSZ, handler);
    CHECK(folder.files() == 2);
}
#endif

TEST_CASE("Matrix Market: real matrices", "[matrix_market]") {
    const char* const matrices = std::getenv("GLSOLVE_MATRICES");
    if (!matrices) {
        WARN("GLSOLVE_MATRICES names no folder of matrices: skipped");
        return;
    }
    const TemporaryFolder folder;
    for (const fs::directory_entry& file : fs::directory_iterator(matrices)) {
        if (file.path().filename().string().find(".mtx") == std::string::npos) continue;
        INFO(file.path().string());
        try {
            const CsrMatrix A = read_matrix_market(file.path());
            REQUIRE_NOTHROW(check(A));
            write_matrix_market(folder / "copy.mtx", A);
            check_same(A, read_matrix_market(folder / "copy.mtx"));
        } catch (const InvalidInput& error) {
            CHECK(std::string(error.what()).find("complex") != std::string::npos);
        }
    }
}

}  // namespace tests_of_matrix_market_files
