/// Ctrl-C while a command works: what is under way is ended in order, not torn off.
#pragma once

namespace glsolve::cli {

/// Takes SIGINT and SIGTERM from its beginning on. The first one is only remembered. More of them within a second
/// belong to it: `timeout` sends its signal to the program, and again to the group that the program is in. A later one
/// ends the program as usual, also when the object is no more.
class Interruption {
  public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    /// The signal that came, or 0.
    int signal() const;
};

}  // namespace glsolve::cli
