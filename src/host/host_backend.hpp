/// The backend without a device: every pass in C++, done at once.
#pragma once

#include <memory>
#include <string>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// `choice`: why it was chosen, for DeviceInfo; empty when it was asked for.
namespace host {
std::unique_ptr<Backend> make_backend(std::string choice);
}
namespace host_doubles {
std::unique_ptr<Backend> make_backend(std::string choice);
}

}  // namespace glsolve::inline v0_1
