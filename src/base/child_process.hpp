/// A process of its own that works for this one. Both send bytes over one connection, and each has to know how many
/// come.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace glsolve::inline v0_1 {

class ChildProcess {
  public:
    /// Starts the program of that file with one argument; its standard input is the connection. Nothing where it cannot
    /// be started, and on other systems than Linux.
    static std::unique_ptr<ChildProcess> start(const std::string& program, const std::string& argument);
    /// The child sees the end of its input, and is waited for.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// False: it has ended.
    bool send(std::span<const char> bytes);
    bool receive(std::span<char> bytes);

  private:
    ChildProcess(int connection, int process) : connection_(connection), process_(process) {}

    int connection_, process_;
};

/// Is this process one that ChildProcess::start has started?
bool has_parent();
/// The same at the other end. False: the connection has ended.
bool send_to_parent(std::span<const char> bytes);
bool receive_from_parent(std::span<char> bytes);

}  // namespace glsolve::inline v0_1
