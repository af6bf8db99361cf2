#include "cuda/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/version.hpp>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/pattern.hpp"
#include "cuda/program_text.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

/// Destroyed in any case.
struct OwnedProgram {
    explicit OwnedProgram(const Compiler& c) : compiler(c) {}
    ~OwnedProgram() {
        if (program != nullptr) compiler.DestroyProgram(&program);
    }
    OwnedProgram(const OwnedProgram&) = delete;
    OwnedProgram& operator=(const OwnedProgram&) = delete;

    const Compiler& compiler;
    nvrtcProgram program = nullptr;
};

/// "--gpu-architecture=sm_90": machine code; "=compute_89": an intermediate language, where the compiler knows no 90.
std::string architecture_option(const Compiler& compiler, int architecture) {
    int count = 0;
    compiler.GetNumSupportedArchs(&count);
    std::vector<int> known(static_cast<std::size_t>(std::max(count, 0)));
    if (count > 0) compiler.GetSupportedArchs(known.data());
    if (known.empty() || std::ranges::find(known, architecture) != known.end())
        return fmt::format("--gpu-architecture=sm_{}", architecture);
    int newest = known.front();
    for (const int each : known) {
        if (each <= architecture) newest = each;
    }
    return fmt::format("--gpu-architecture=compute_{}", newest);
}

template <class Size, class Get>
std::string text_of(nvrtcProgram program, const Size& size_of, const Get& get) {
    std::size_t size = 0;
    size_of(program, &size);
    std::string text(size, '\0');
    if (size > 0) get(program, text.data());
    return text;
}

}  // namespace

std::string identity_of(const Compiler& compiler) {
    static const std::size_t headers = [] {
        std::string all;
        for (const Header& header : program_headers()) all += header.text;
        return std::hash<std::string>{}(all);
    }();
    return fmt::format("glsolve {} headers {:016x} nvrtc {}.{} {}", GLSOLVE_VERSION, headers, compiler.major,
                       compiler.minor, fmt::join(compile_options, " "));
}

Compiled compile(const Compiler& compiler, const std::string& text, int architecture) {
    std::vector<std::string> header_texts, header_names;
    for (const Header& header : program_headers()) {
        header_names.emplace_back(header.name);
        header_texts.emplace_back(header.text);
    }
    const auto pointers = [](const std::vector<std::string>& strings) {
        std::vector<const char*> made;
        for (const std::string& s : strings) made.push_back(s.c_str());
        return made;
    };
    const std::vector<const char*> names = pointers(header_names), texts = pointers(header_texts);
    OwnedProgram owned(compiler);
    compiler.CreateProgram(&owned.program, text.c_str(), "program", static_cast<int>(names.size()), texts.data(),
                           names.data());
    const std::string target = architecture_option(compiler, architecture);
    std::vector<const char*> options(std::begin(compile_options), std::end(compile_options));
    options.push_back(target.c_str());
    const bool fine =
        compiler.CompileProgram(owned.program, static_cast<int>(options.size()), options.data()) == success;
    Compiled made;
    made.log = text_of(owned.program, compiler.GetProgramLogSize, compiler.GetProgramLog);
    if (!fine) return made;
    const bool machine_code = target.find("sm_") != std::string::npos;
    made.code = machine_code ? text_of(owned.program, compiler.GetCUBINSize, compiler.GetCUBIN)
                             : text_of(owned.program, compiler.GetPTXSize, compiler.GetPTX);
    return made;
}

std::string about_callers_source(const std::string& log) {
    static const Pattern message(R"(^operator\((\d+)\): (.*)$)");
    std::istringstream lines(log);
    std::string words;
    for (std::string line; std::getline(lines, line);) {
        if (const auto found = message.match(line)) words += fmt::format("\n  line {}: {}", (*found)[1], (*found)[2]);
    }
    return words;
}

}  // namespace glsolve::inline v0_1::cuda
