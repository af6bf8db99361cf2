#include "papers/methods/plain_program.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "cuda/compile.hpp"

namespace glsolve::inline v0_1::cuda {

PlainProgram::PlainProgram(Context& context, const Compiler& compiler, const std::string& text, std::string_view name)
    : context_(context) {
    const Compiled compiled = compile(compiler, text, context.architecture());
    if (compiled.code.empty()) throw DeviceError(fmt::format("{} does not compile:\n{}", name, compiled.log));
    const Current current(context);
    context.driver().check(context.driver().ModuleLoadData(&module_, compiled.code.data()), name);
}

PlainProgram::~PlainProgram() {
    const CurrentIfPossible current(context_);
    context_.driver().ModuleUnload(module_);
}

CUfunction PlainProgram::kernel(const char* name) const {
    const Current current(context_);
    CUfunction found = nullptr;
    context_.driver().check(context_.driver().ModuleGetFunction(&found, module_, name), name);
    return found;
}

}  // namespace glsolve::inline v0_1::cuda
