#include "c/guarded.hpp"

#include <glsolve/version.hpp>
#include <new>
#include <string>

namespace glsolve::c {
namespace {

thread_local std::string last_error;

int failed(int code, const char* words) noexcept {
    try {
        last_error = words;
    } catch (...) {
        last_error.clear();
    }
    return code;
}

}  // namespace

int guarded_call(void (*call)(const void* work), const void* work) noexcept {
    try {
        call(work);
        return GLSOLVE_OK;
    } catch (const InvalidInput& e) {
        return failed(GLSOLVE_INVALID_INPUT, e.what());
    } catch (const NoDevice& e) {
        return failed(GLSOLVE_NO_DEVICE, e.what());
    } catch (const DeviceError& e) {
        return failed(GLSOLVE_DEVICE_ERROR, e.what());
    } catch (const std::bad_alloc&) {
        return failed(GLSOLVE_OUT_OF_MEMORY, "memory of the host ran out");
    } catch (const std::exception& e) {
        return failed(GLSOLVE_FAILED, e.what());
    } catch (...) {
        return failed(GLSOLVE_FAILED, "an exception of another kind");
    }
}

}  // namespace glsolve::c

const char* glsolve_last_error(void) { return glsolve::c::last_error.c_str(); }
const char* glsolve_version(void) { return GLSOLVE_VERSION; }
