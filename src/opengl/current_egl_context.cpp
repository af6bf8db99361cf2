// EGL's part in telling contexts apart: also where glsolve opens none by EGL itself, since hosts do. No header is
// needed.
#include <glsolve/error.hpp>

#include "base/loaded_library.hpp"
#include "opengl/egl_context.hpp"

namespace glsolve::inline v0_1::opengl {

void* current_egl_context() {
    using GetCurrentContext = void*();
    static GetCurrentContext* const get_current_context = []() -> GetCurrentContext* {
        try {
            GetCurrentContext* found = nullptr;
            LoadedLibrary(egl_library).find(found, "eglGetCurrentContext");
            return found;
        } catch (const NoDevice&) {
            return nullptr;  // and so there is no context of EGL's
        }
    }();
    return get_current_context != nullptr ? get_current_context() : nullptr;
}

}  // namespace glsolve::inline v0_1::opengl
