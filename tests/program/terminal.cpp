// What is shown on a terminal while a command works, and nowhere else.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <regex>
#include <vector>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_terminal {

using namespace glsolve::test;

namespace {

/// Runs the program with a terminal of 200 columns for its standard error; what it shows there.
std::string shown_on_terminal(std::vector<std::string> arguments) {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    REQUIRE((grantpt(terminal) == 0 && unlockpt(terminal) == 0));
    const std::string name = ptsname(terminal);
    const winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
    arguments.insert(arguments.begin(), "glsolve");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        const int err = open(name.c_str(), O_RDWR | O_NOCTTY), null = open("/dev/null", O_RDWR);
        ioctl(err, TIOCSWINSZ, &size);
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        close(terminal);
        execv(GLSOLVE_PROGRAM, argv.data());
        _exit(127);
    }
    std::string shown;
    std::array<char, 4096> block{};
    // There is an error, and no end, when nobody has the other side any more.
    for (ssize_t count = 0; (count = read(terminal, block.data(), block.size())) > 0;) {
        shown.append(block.data(), static_cast<std::size_t>(count));
    }
    close(terminal);
    int status = 0;
    REQUIRE(waitpid(process, &status, 0) == process);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) <= 1));
    return shown;
}

}  // namespace

TEST_CASE("a long solve tells on a terminal how far it is, on one line", "[program][terminal]") {
    const Folder folder;
    REQUIRE(run("generate poisson2d 600 -o '" + folder / "a.mtx" + "'").code == 0);
    // Far from its end after so many seconds.
    const std::vector<std::string> solve{"solve",  folder / "a.mtx", "--backend", "host",      "--method",
                                         "jacobi", "--tolerance",    "1e-13",     "--seconds", "4",
                                         "--json", folder / "r"};
    const std::string shown = shown_on_terminal(solve);
    CAPTURE(shown);
    CHECK(std::regex_search(
        shown, std::regex("\riteration \\d+, residual \\d\\.\\d+e-?\\d+, \\d+ corrections; [\\d.e+]+ iterations/s, "
                          "each times \\d\\.\\d+")));
    CHECK(shown.find('\n') == std::string::npos);
    CHECK(shown.ends_with("\r\033[K"));  // and leaves nothing behind

    std::string line;
    for (const std::string& word : solve) line += "'" + word + "' ";
    CHECK(run(line).err.empty());  // a pipe
}

TEST_CASE("a short solve says nothing of iterations", "[program][terminal]") {
    const Folder folder;
    REQUIRE(run("generate poisson2d 8 -o '" + folder / "a.mtx" + "'").code == 0);
    CHECK_THAT(shown_on_terminal({"solve", folder / "a.mtx", "--backend", "host"}), !ContainsSubstring("iteration"));
    CHECK(shown_on_terminal({"solve", folder / "a.mtx", "--backend", "host", "--quiet"}).empty());
}

TEST_CASE("what auto takes is told on a terminal as it goes, and why", "[program][terminal]") {
    const Folder folder;
    REQUIRE(run("generate circuit 2000 -o '" + folder / "a.mtx" + "'").code == 0);
    const std::string shown =
        shown_on_terminal({"solve", folder / "a.mtx", "--backend", "host", "--forget", "--json", folder / "r"});
    CAPTURE(shown);
    CHECK(std::regex_search(shown, std::regex("(direct|gmres[^:]*): not symmetric .*predicted: ")));
    CHECK(shown_on_terminal({"solve", folder / "a.mtx", "--backend", "host", "--forget", "--quiet"}).empty());
    CHECK(run("solve '" + folder / "a.mtx" + "' --backend host --forget").err.empty());
}

}  // namespace tests_of_terminal
