#include "opengl/describe_device.hpp"

#include <string>

namespace glsolve::inline v0_1::opengl {

DeviceInfo describe_device(const Functions& gl, const Features& features, const Context& context) {
    const auto text = [&](GLenum what) {
        const GLubyte* value = gl.GetString(what);
        return std::string(value != nullptr ? reinterpret_cast<const char*>(value) : "?");
    };
    DeviceInfo info;
    info.backend = BackendKind::opengl;
    info.context = context.description();
    info.number = context.device_number();
    info.pci_address = context.pci_address();
    info.renderer = text(GL_RENDERER);
    info.software = features.software;
    info.vendor = text(GL_VENDOR);
    info.version = text(GL_VERSION);
    info.stage = Stage::fragment;
    gl.GetIntegerv(features.texture_target == GL_TEXTURE_2D ? GL_MAX_TEXTURE_SIZE : GL_MAX_RECTANGLE_TEXTURE_SIZE,
                   &info.max_texture_size);
    if (features.tells_memory) {
        GLint kilobytes = 0;
        gl.GetIntegerv(GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM_NVX, &kilobytes);
        info.memory_bytes = std::int64_t{kilobytes} * 1024;
    }
    gl.GetIntegerv(GL_MAX_DRAW_BUFFERS, &info.max_outputs);
    gl.GetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS, &info.max_inputs);
    info.stages = {{.stage = Stage::fragment, .available = true, .missing = {}},
                   {.stage = Stage::compute, .available = features.compute, .missing = features.compute_missing}};
    return info;
}

}  // namespace glsolve::inline v0_1::opengl
