#include "base/loaded_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {
namespace {

std::string loader_error() {
    const char* text = dlerror();
    return text != nullptr ? text : "no reason given";
}

int flag_of(OwnNames names) {
    if (names == OwnNames::as_usual) return 0;
    // Sanitizers refuse a program that asks for it.
    for (const char* sanitizer : {"__asan_init", "__hwasan_init", "__msan_init", "__tsan_init"}) {
        if (dlsym(RTLD_DEFAULT, sanitizer) != nullptr) return 0;
    }
#if defined(RTLD_DEEPBIND)
    return RTLD_DEEPBIND;
#else
    return 0;
#endif
}

}  // namespace

LoadedLibrary::LoadedLibrary(const char* file, OwnNames names)
    : file_(file), handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL | flag_of(names))) {
    if (handle_ == nullptr) throw NoDevice(fmt::format("the library cannot be loaded: {}", loader_error()));
}

void* LoadedLibrary::address(const char* name) const {
    if (void* found = dlsym(handle_, name)) return found;
    throw NoDevice(fmt::format("{} has no {}", file_, name));
}

}  // namespace glsolve::inline v0_1
