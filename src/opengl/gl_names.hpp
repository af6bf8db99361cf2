/// OpenGL's names for its numbers, for messages.
#pragma once

#include <string>

#include "opengl/functions.hpp"

namespace glsolve::inline v0_1::opengl {

/// Of an internal format, without GL_: "R32F". What is not known is given as a number.
std::string format_name(GLenum internal);
/// Of a texture's target: "GL_TEXTURE_2D_ARRAY".
std::string target_name(GLenum target);
/// Of a component, as swizzles have them: "GL_RED".
std::string swizzle_name(GLenum component);
/// Of a framebuffer's status: "GL_FRAMEBUFFER_UNSUPPORTED".
std::string framebuffer_status_name(GLenum status);
/// Of an error: "GL_INVALID_OPERATION".
std::string error_name(GLenum error);

}  // namespace glsolve::inline v0_1::opengl
