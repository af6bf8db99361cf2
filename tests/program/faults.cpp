// What goes wrong around the program: full disks, closed pipes, Ctrl-C. Files are whole or absent.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_faults {

using namespace glsolve;
using namespace glsolve::test;
namespace fs = std::filesystem;

namespace {

/// No file may grow beyond 512 bytes, as on a full disk.
const std::string full_disk = "trap '' XFSZ; ulimit -f 1;";

std::size_t files_in(const Folder& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()));
}

/// Has the process a handler of its own for SIGINT?
bool takes_interrupts(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("SigCgt:", 0) != 0) continue;
        return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1) != 0;
    }
    return false;
}

/// Starts the program, with nothing on its standard streams.
pid_t start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "glsolve");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const auto test_handler = std::signal(SIGINT, SIG_DFL);  // the child shall not begin with the test's
    const pid_t process = fork();
    if (process == 0) {
        const int null = open("/dev/null", O_RDWR);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, stream);
        execv(GLSOLVE_PROGRAM, argv.data());
        _exit(127);
    }
    std::signal(SIGINT, test_handler);
    return process;
}

/// Its exit code; -1: it did not end by itself.
int exit_code(pid_t process) {
    int status = 0;
    REQUIRE(waitpid(process, &status, 0) == process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void sleep_for(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

/// Runs the program, sends it a signal as soon as it takes SIGINT, and `again` a little later; returns its exit code.
int exit_code_after(int signal, bool again, const std::vector<std::string>& arguments) {
    const pid_t process = start(arguments);
    while (!takes_interrupts(process)) {
        REQUIRE(waitpid(process, nullptr, WNOHANG) == 0);
        sleep_for(5);
    }
    REQUIRE(kill(process, signal) == 0);
    if (again) {
        sleep_for(5);  // else the two might come as one
        REQUIRE(kill(process, signal) == 0);
    }
    return exit_code(process);
}

}  // namespace

TEST_CASE("a full disk is named, and leaves the old file or none", "[program][faults]") {
    const Folder folder;
    SECTION("generate") {
        for (const char* name : {"a.mtx", "a.mtx.gz"}) {
            const Result r = run("generate random-spd 3000 30000 -o '" + folder / name + "'", full_disk);
            CHECK(r.code == 2);
            CHECK_THAT(r.err, ContainsSubstring(name) && ContainsSubstring("cannot be written"));
            CHECK(files_in(folder) == 0);
        }
    }
    SECTION("solve: the solution, the report and the picture") {
        REQUIRE(run("generate poisson2d 40 -o '" + folder / "a.mtx" + "'").code == 0);
        for (const std::string& output :
             std::vector<std::string>{"-o '" + folder / "x.mtx" + "'", "--json '" + folder / "r.json" + "'",
                                      "--plot '" + folder / "p.svg" + "'"}) {
            for (const char* name : {"x.mtx", "r.json", "p.svg"}) write(folder / name, "old");
            const Result r = run("solve '" + folder / "a.mtx" + "' --backend host --quiet " + output, full_disk);
            if (r.err.find("gnuplot-nox") != std::string::npos) continue;  // not installed
            CHECK(r.code == 2);
            CHECK_FALSE(r.err.empty());
            CHECK(files_in(folder) == 4);
            for (const char* name : {"x.mtx", "r.json", "p.svg"}) CHECK(contents(folder / name) == "old");
        }
    }
    SECTION("standard output") {
        if (!fs::exists("/dev/full")) return;
        REQUIRE(run("generate poisson2d 10 -o '" + folder / "a.mtx" + "'").code == 0);
        for (const char* arguments : {"", " --json -"}) {
            const std::string command = "'" GLSOLVE_PROGRAM "' solve '" + folder / "a.mtx" + "' --backend host"
                                        + arguments + " >/dev/full 2>'" + folder / "err" + "'";
            const int status = std::system(command.c_str());
            CHECK(WEXITSTATUS(status) == 2);
            CHECK_FALSE(contents(folder / "err").empty());
        }
    }
}

TEST_CASE("an answer that is not finite is no reason to write nothing", "[program][faults]") {
    const Folder folder;
    // The squares of these numbers leave the range of double precision: whatever a method makes of that, files are
    // written, their numbers are finite, and the exit code says how it ended.
    for (const double size : {1e-160, 1e-165, 1e155, 1e300}) {
        CsrMatrix A = poisson2d(5);
        for (double& value : A.value) value *= size;
        write_matrix_market(folder / "A.mtx", A);
        write_matrix_market(folder / "b.mtx", std::vector<double>(25, size));
        for (const char* method : {"cg", "cgnr", "gmres", "minres", "bicgstab", "direct"}) {
            CAPTURE(size, method);
            const Result r = run("solve '" + folder / "A.mtx" + "' -b '" + folder / "b.mtx" + "' --backend host -o '"
                                 + folder / "x.mtx" + "' --json '" + folder / "r.json" + "' --method " + method);
            CAPTURE(r.err);
            CHECK((r.code == 0 || r.code == 1));
            const auto report = nlohmann::json::parse(contents(folder / "r.json"));
            CHECK((report["status"] == "converged") == (r.code == 0));
            CHECK(read_matrix_market_vector(folder / "x.mtx").size() == 25);  // throws for NaN
            for (const char* name : {"x.mtx", "r.json"}) fs::remove(folder.path / name);
        }
    }
}

TEST_CASE("a signal ends a solve in order: cancelled, with a report, exit code 130 or 143", "[program][faults]") {
    const Folder folder;
    REQUIRE(run("generate poisson2d 600 -o '" + folder / "a.mtx" + "'").code == 0);
    const std::string json = folder / "r.json", solution = folder / "x.mtx";
    const std::vector<std::string> solve{
        "solve", folder / "a.mtx", "--backend", "host",   "--method", "cg", "--preconditioner",
        "none",  "--tolerance",    "1e-13",     "--json", json,       "-o", solution};
    SECTION("Ctrl-C") { CHECK(exit_code_after(SIGINT, false, solve) == 130); }
    SECTION("timeout, which sends its signal to the program and to its group") {
        CHECK(exit_code_after(SIGTERM, true, solve) == 143);
    }
    const auto report = nlohmann::json::parse(contents(json));
    CHECK(report["status"] == "cancelled");
    CHECK_FALSE(report["reason"].get<std::string>().empty());
    CHECK(read_matrix_market_vector(solution).size() == 360'000);
    CHECK(files_in(folder) == 3);
}

TEST_CASE("Ctrl-C while a solver is set up ends the program at once: there is no answer to be written",
          "[program][faults]") {
    const Folder folder;
    REQUIRE(run("generate random-spd 4000 20000 -o '" + folder / "a.mtx" + "'").code == 0);
    REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
    const pid_t process = start({"solve", folder / "pipe", "--backend", "host", "--method", "direct", "--direct-form",
                                 "inverse", "--json", folder / "r.json", "-o", folder / "x.mtx"});
    write(folder / "pipe", contents(folder / "a.mtx"));
    sleep_for(500);  // to read what came takes milliseconds, to invert 4,000 rows much longer
    REQUIRE(kill(process, SIGINT) == 0);
    int status = 0;
    REQUIRE(waitpid(process, &status, 0) == process);
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGINT));
    CHECK(files_in(folder) == 2);
}

TEST_CASE("Ctrl-C ends a comparison in order: what has been measured is written", "[program][faults][compare]") {
    const Folder folder;
    REQUIRE(run("generate poisson2d 600 -o '" + folder / "a.mtx" + "'").code == 0);
    const std::string json = folder / "r.json";
    CHECK(exit_code_after(SIGINT, false,
                          {"compare", folder / "a.mtx", "--methods", "cg,gmres", "--backends", "host",
                           "--preconditioners", "none", "--tolerance", "1e-13", "--json", json})
          == 130);
    const auto report = nlohmann::json::parse(contents(json));
    CHECK(report["left_out"].get<std::size_t>() >= 1);
    CHECK(report["runs"].size() + report["left_out"].get<std::size_t>() == 2);
    for (const auto& entry : report["runs"]) CHECK(entry["status"] == "cancelled");
}

}  // namespace tests_of_faults
