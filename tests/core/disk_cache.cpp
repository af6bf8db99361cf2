// What is kept in files: whole, or not there.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/disk_cache.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"

namespace tests_of_disk_cache {

using namespace glsolve;
namespace fs = std::filesystem;
using test::Folder;

namespace {

fs::path only_file(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    REQUIRE(files.size() == 1);
    return files.front();
}

std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}
void write(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

}  // namespace

TEST_CASE("what is kept is found by its whole key, by this process and the next", "[core][disk_cache]") {
    const Folder folder;
    const std::string key = "what it is made of\nline 2", code("code\0with zeros\n", 16);
    DiskCache cache((folder.path / "below").string(), {}, "things", "test");
    CHECK(cache.find(key).empty());
    cache.keep(key, code);
    CHECK(cache.find(key) == code);
    CHECK(DiskCache((folder.path / "below").string(), {}, "things", "test").find(key) == code);
    CHECK(cache.find(key + "!").empty());
    CHECK(cache.find("what it is made of").empty());
    only_file(folder.path / "below");  // nothing unfinished is left
}

TEST_CASE("a damaged file counts as none, and is made anew", "[core][disk_cache]") {
    const Folder folder;
    const std::string key = "key", code(1000, 'c');
    DiskCache cache(folder.path.string(), {}, "things", "test");
    cache.keep(key, code);
    const fs::path file = only_file(folder.path);
    const std::string whole = read(file);
    for (std::size_t size = 0; size < whole.size(); size += 7) {
        write(file, whole.substr(0, size));
        CHECK(cache.find(key).empty());
    }
    std::string changed = whole;
    changed.back() = 'd';
    write(file, changed);
    CHECK(cache.find(key).empty());
    write(file, whole + "more");
    CHECK(cache.find(key).empty());
    cache.keep(key, code);
    CHECK(cache.find(key) == code);
}

TEST_CASE("many may keep the same at a time", "[core][disk_cache]") {
    const Folder folder;
    const std::string key = "key", code(100'000, 'c');
    std::vector<std::thread> threads;
    std::vector<int> wrong(8, 0);
    for (std::size_t t = 0; t < wrong.size(); ++t) {
        threads.emplace_back([&, t] {
            DiskCache cache(folder.path.string(), {}, "things", "test");
            for (int k = 0; k < 20; ++k) {
                cache.keep(key, code);
                wrong[t] += cache.find(key) == code ? 0 : 1;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>(8, 0));
    only_file(folder.path);
}

TEST_CASE("a folder that has grown too large loses what was not used for longest", "[core][disk_cache]") {
    const Folder folder;
    fs::create_directories(folder.path);
    const auto cache = [&] { return DiskCache(folder.path.string(), {}, "things", "test", 10'000); };
    write(folder.path / "notes.txt", std::string(20'000, 'n'));  // not ours
    const auto age = [&](int hours) {                            // of all that is there
        for (const auto& entry : fs::directory_iterator(folder.path)) {
            fs::last_write_time(entry.path(), fs::last_write_time(entry.path()) - std::chrono::hours(hours));
        }
    };
    for (int k = 0; k < 8; ++k) {
        cache().keep("key " + std::to_string(k), std::string(1000, 'c'));
        age(48);
    }
    CHECK(cache().find("key 0").size() == 1000);  // it is used, and so it is younger than the others
    cache().keep("another key", std::string(3000, 'd'));
    CHECK(cache().find("key 0").size() == 1000);
    CHECK(cache().find("key 1").empty());
    CHECK(cache().find("another key").size() == 3000);
    CHECK(fs::exists(folder.path / "notes.txt"));
}

TEST_CASE("what an interrupted process has left is not found, and goes with the rest", "[core][disk_cache]") {
    const Folder folder;
    DiskCache(folder.path.string(), {}, "things", "test").keep("key", std::string(1000, 'c'));
    const fs::path whole = only_file(folder.path);
    const fs::path unfinished = whole.string() + ".4711.0";
    fs::rename(whole, unfinished);
    write(unfinished, read(unfinished).substr(0, 500));
    CHECK(DiskCache(folder.path.string(), {}, "things", "test").find("key").empty());
    fs::last_write_time(unfinished, fs::last_write_time(unfinished) - std::chrono::hours(48));
    DiskCache(folder.path.string(), {}, "things", "test", 1500).keep("other", std::string(1200, 'd'));
    CHECK_FALSE(fs::exists(unfinished));
    CHECK(DiskCache(folder.path.string(), {}, "things", "test").find("other").size() == 1200);
}

TEST_CASE("a folder that cannot be written is told once, and is no error", "[core][disk_cache]") {
    const Folder folder;
    fs::create_directories(folder.path);
    write(folder.path / "file", "no folder");
    std::vector<std::string> warnings;
    DiskCache cache((folder.path / "file" / "below").string(), [&](const std::string& w) { warnings.push_back(w); },
                    "things", "test");
    cache.keep("key", "code");
    cache.keep("key", "code");
    CHECK(cache.find("key").empty());
    REQUIRE(warnings.size() == 1);
    CHECK_THAT(warnings[0], ContainsSubstring("file/below") && ContainsSubstring("cannot be kept"));
    DiskCache none(
        "", [&](const std::string& w) { warnings.push_back(w); }, "things", "test");
    none.keep("key", "code");
    CHECK(none.find("key").empty());
    CHECK(warnings.size() == 1);
}

}  // namespace tests_of_disk_cache
