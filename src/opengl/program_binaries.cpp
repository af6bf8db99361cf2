#include "opengl/program_binaries.hpp"

#include <fmt/format.h>

#include <cstring>
#include <glsolve/version.hpp>

namespace glsolve::inline v0_1::opengl {
namespace {

std::string text_of(const Functions& gl, GLenum name) {
    const GLubyte* const text = gl.GetString(name);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "";
}

}  // namespace

ProgramBinaries::ProgramBinaries(const Functions& gl, const Features& features, std::string_view folder,
                                 const std::function<void(const std::string&)>& warn)
    : gl_(&gl), disk_(folder, warn, "compiled programs", "opengl") {
    if (folder.empty() || !features.program_binaries) return;
    driver_ = fmt::format("glsolve {} {} | {} | {}", GLSOLVE_VERSION, text_of(gl, GL_VENDOR), text_of(gl, GL_RENDERER),
                          text_of(gl, GL_VERSION));
}

std::string ProgramBinaries::key_of(std::span<const std::pair<GLenum, std::string>> sources) const {
    if (driver_.empty()) return {};
    std::string key = driver_;
    for (const auto& [stage, source] : sources) key += fmt::format("\n{:x}\n{}", stage, source);
    return key;
}

bool ProgramBinaries::load(GLuint program, const std::string& key) const {
    if (key.empty()) return false;
    gl_->ProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    const std::string kept = disk_.find(key);
    if (kept.size() <= sizeof(GLenum)) return false;
    GLenum format = 0;
    std::memcpy(&format, kept.data(), sizeof format);
    // A driver may refuse what it has made itself, and a format that it does not know is an error besides.
    gl_->ProgramBinary(program, format, kept.data() + sizeof format, static_cast<GLsizei>(kept.size() - sizeof format));
    GLint linked = GL_FALSE;
    gl_->GetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked == GL_TRUE;
}

void ProgramBinaries::keep(GLuint program, const std::string& key) {
    GLint size = 0;
    gl_->GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &size);
    if (size <= 0) return;
    GLenum format = 0;
    std::string binary(sizeof format + static_cast<std::size_t>(size), '\0');
    GLsizei written = 0;
    gl_->GetProgramBinary(program, size, &written, &format, binary.data() + sizeof format);
    if (written <= 0) return;
    std::memcpy(binary.data(), &format, sizeof format);
    binary.resize(sizeof format + static_cast<std::size_t>(written));
    disk_.keep(key, binary);
}

}  // namespace glsolve::inline v0_1::opengl
