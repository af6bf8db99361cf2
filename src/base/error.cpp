#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {

// Defined here so that each class has one home for its type information: exceptions cross the border of a shared
// library.
Error::~Error() = default;
InvalidInput::~InvalidInput() = default;
NoDevice::~NoDevice() = default;
DeviceError::~DeviceError() = default;

}  // namespace glsolve::inline v0_1
