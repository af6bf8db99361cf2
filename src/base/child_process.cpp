#include "base/child_process.hpp"

#if defined(__linux__)
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <vector>
#endif

namespace glsolve::inline v0_1 {

#if defined(__linux__)
namespace {

// A child has it in its environment: it starts none itself, whatever it does.
constexpr const char *mark = "GLSOLVE_CHILD", *set_mark = "GLSOLVE_CHILD=1";

std::vector<char*> environment_of_child() {
    std::vector<char*> words;
    for (char** word = environ; *word != nullptr; ++word) words.push_back(*word);
    words.push_back(const_cast<char*>(set_mark));
    words.push_back(nullptr);
    return words;
}

bool send_all(int connection, std::span<const char> bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return true;
}

bool receive_all(int connection, std::span<char> bytes) {
    while (!bytes.empty()) {
        const ssize_t received = ::recv(connection, bytes.data(), bytes.size(), 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(received));
    }
    return true;
}

/// The child's end becomes its standard input; what it prints goes nowhere.
struct FileActions {
    explicit FileActions(int connection) {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, connection, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    ~FileActions() { posix_spawn_file_actions_destroy(&actions); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;

    posix_spawn_file_actions_t actions{};
};

}  // namespace

std::unique_ptr<ChildProcess> ChildProcess::start(const std::string& program, const std::string& argument) {
    std::array<int, 2> ends{};
    if (std::getenv(mark) != nullptr || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return nullptr;
    const timeval most_silence{.tv_sec = 60, .tv_usec = 0};
    for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO}) {
        setsockopt(ends[0], SOL_SOCKET, option, &most_silence, sizeof(most_silence));
    }
    const FileActions files(ends[1]);
    std::string name = program, word = argument;
    const std::array<char*, 3> words{name.data(), word.data(), nullptr};
    pid_t process = 0;
    const bool runs =
        posix_spawn(&process, program.c_str(), &files.actions, nullptr, words.data(), environment_of_child().data())
        == 0;
    close(ends[1]);
    if (runs) return std::unique_ptr<ChildProcess>(new ChildProcess(ends[0], process));
    close(ends[0]);
    return nullptr;
}

ChildProcess::~ChildProcess() {
    if (!answers_) kill(process_, SIGKILL);
    shutdown(connection_, SHUT_RDWR);  // also where another process has inherited it
    close(connection_);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

bool ChildProcess::send(std::span<const char> bytes) {
    answers_ = answers_ && send_all(connection_, bytes);
    return answers_;
}
bool ChildProcess::receive(std::span<char> bytes) {
    answers_ = answers_ && receive_all(connection_, bytes);
    return answers_;
}

bool has_parent() {
    struct stat status {};
    return std::getenv(mark) != nullptr && fstat(STDIN_FILENO, &status) == 0 && S_ISSOCK(status.st_mode);
}
bool send_to_parent(std::span<const char> bytes) { return send_all(STDIN_FILENO, bytes); }
bool receive_from_parent(std::span<char> bytes) { return receive_all(STDIN_FILENO, bytes); }
#else
std::unique_ptr<ChildProcess> ChildProcess::start(const std::string& /*program*/, const std::string& /*argument*/) {
    return nullptr;
}
ChildProcess::~ChildProcess() = default;
bool ChildProcess::send(std::span<const char> /*bytes*/) { return false; }
bool ChildProcess::receive(std::span<char> /*bytes*/) { return false; }
bool has_parent() { return false; }
bool send_to_parent(std::span<const char> /*bytes*/) { return false; }
bool receive_from_parent(std::span<char> /*bytes*/) { return false; }
#endif

}  // namespace glsolve::inline v0_1
