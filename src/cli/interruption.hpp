/// Ctrl-C while a command works: what is under way is ended in order, not torn off.
#pragma once

namespace glsolve::cli {

/// Takes SIGINT and SIGTERM while it lives. The first one is only remembered; a second one ends the program as usual.
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
