/// Exceptions of glsolve: wrong use, bad input, absent devices. A numerical failure is never one of them: it is a
/// `Report` whose outcome says what happened.
#pragma once

#include <glsolve/export.hpp>
#include <stdexcept>
#include <string>

namespace glsolve::inline v0_1 {

/// Base of all exceptions that glsolve throws. `what()` says what is wrong, where, and what would be accepted.
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

/// The device that was asked for does not exist here or lacks a function, format or size that is needed.
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
