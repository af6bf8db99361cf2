/// Runs the program as its users do.
#pragma once

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace glsolve::test {

namespace fs = std::filesystem;

/// A folder of its own for each test.
struct Folder {
    fs::path path = fs::temp_directory_path() / fmt::format("glsolve-program-{}-{}", getpid(), ++count);
    static inline int count = 0;

    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
    std::string operator/(const std::string& name) const { return (path / name).string(); }
};

struct Result {
    int code = -1;
    std::string out, err;
};

inline std::string contents(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Runs a line of shell with output and errors piped. $G is the program. It remembers what it has done in this process
/// of tests, and nothing from before.
inline Result run_shell(const std::string& line) {
    static const Folder cache;
    const Folder folder;
    const std::string command = fmt::format("export G='{}' XDG_CACHE_HOME='{}'; {{ {}\n}} >'{}' 2>'{}' </dev/null",
                                            GLSOLVE_PROGRAM, cache.path.string(), line, folder / "out", folder / "err");
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(folder / "out"), contents(folder / "err")};
}

/// Runs `glsolve arguments` with output and errors piped.
inline Result run(const std::string& arguments, const std::string& environment = "") {
    return run_shell(fmt::format("{} \"$G\" {}", environment, arguments));
}

inline void write(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

}  // namespace glsolve::test
