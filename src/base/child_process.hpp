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
    /// be started, in a child, and on other systems than Linux.
    static std::unique_ptr<ChildProcess> start(const std::string& program, const std::string& argument);
    /// The child sees the end of its input, and is waited for; or it is killed, if it was given up or fails to answer.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// False: it has ended, or does not answer within a minute.
    bool send(std::span<const char> bytes);
    bool receive(std::span<char> bytes);
    /// It answers, but not as it should.
    void give_up() { answers_ = false; }

  private:
    ChildProcess(int connection, int process) : connection_(connection), process_(process) {}

    int connection_, process_;
    bool answers_ = true;
};

/// Has ChildProcess::start started this process?
bool has_parent();
/// The same at the other end. False: the connection has ended.
bool send_to_parent(std::span<const char> bytes);
bool receive_from_parent(std::span<char> bytes);

}  // namespace glsolve::inline v0_1
