// Opens a device and ends: what `glsolve solve` takes beside this is its own.
//
//   g++ -std=c++20 -O2 only_open.cpp -o only_open -ldl -lEGL
//   only_open cuda|opengl
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

namespace {

int failed(const char* what) {
    std::fprintf(stderr, "only_open: %s failed\n", what);
    return 1;
}

int open_cuda() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) return failed("libcuda.so.1");
    void* context = nullptr;
    const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
    const auto retain = reinterpret_cast<int (*)(void**, int)>(dlsym(library, "cuDevicePrimaryCtxRetain"));
    if (init(0) != 0) return failed("cuInit");
    return retain(&context, 0) == 0 ? 0 : failed("cuDevicePrimaryCtxRetain");
}

int open_opengl() {
    const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    const auto display_of =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    EGLDeviceEXT device = nullptr;
    EGLint count = 0;
    if (query == nullptr || display_of == nullptr || !query(1, &device, &count) || count < 1)
        return failed("eglQueryDevicesEXT");
    EGLDisplay display = display_of(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
    if (!eglInitialize(display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API)) return failed("eglInitialize");
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) return failed("eglChooseConfig");
    const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) ? 0 : failed("eglMakeCurrent");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "cuda") == 0) return open_cuda();
    if (argc == 2 && std::strcmp(argv[1], "opengl") == 0) return open_opengl();
    std::fprintf(stderr, "only_open cuda|opengl\n");
    return 2;
}
