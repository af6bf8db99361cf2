/// Exceptions of glsolve: wrong use, bad input, missing devices. A numerical failure is not an exception; the outcome
/// in `Report` says what happened.
#pragma once

#include <glsolve/export.hpp>
#include <stdexcept>
#include <string>

namespace glsolve::inline v0_1 {

/// Base class of all exceptions of glsolve. `what()` says what is wrong, where, and what would be accepted.
class GLSOLVE_API Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
    ~Error() override;
};

/// The caller's data or arguments cannot be used: a bad file, a wrong size, an unknown name.
class GLSOLVE_API InvalidInput : public Error {
  public:
    using Error::Error;
    ~InvalidInput() override;
};

/// The requested device does not exist on this machine, or lacks a function, format or size that is needed.
class GLSOLVE_API NoDevice : public Error {
  public:
    using Error::Error;
    ~NoDevice() override;
};

/// The device failed while working: a shader did not compile, memory ran out, the context was lost.
class GLSOLVE_API DeviceError : public Error {
  public:
    using Error::Error;
    ~DeviceError() override;
};

}  // namespace glsolve::inline v0_1
