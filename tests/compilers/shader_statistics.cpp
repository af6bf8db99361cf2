#include "compilers/shader_statistics.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

namespace glsolve::test {
namespace {

/// A driver's words: the group of each pattern is the number; an empty pattern has none. Bytes of code stand for
/// instructions where only they are told.
struct Words {
    const char *shader, *instructions, *registers, *spills;
};

constexpr std::array drivers{
    Words{"SIMD\\d+ shader:", "(\\d+) inst", "", "(\\d+):\\d+ spills:fills"},
    Words{"Shader Stats:", "Code Size: (\\d+)", "VGPRS: (\\d+)", "Spilled VGPRs: (\\d+)"},
    Words{"\\d+ dw, \\d+ gprs", "(\\d+) dw", "(\\d+) gprs", ""},
    Words{"type: \\d+, local:", "inst: (\\d+)", "gpr: (\\d+)", "local: (\\d+)"},
};

std::optional<int> number(const std::string& message, const char* pattern) {
    std::smatch found;
    if (*pattern == 0 || !std::regex_search(message, found, std::regex(pattern))) return {};
    return std::stoi(found[1]);
}

void add(int& sum, std::optional<int> more) {
    if (more) sum = std::max(sum, 0) + *more;
}

}  // namespace

void ShaderStatistics::take(const std::string& message) {
    const auto of_driver =
        std::ranges::find_if(drivers, [&](const Words& w) { return std::regex_search(message, std::regex(w.shader)); });
    if (of_driver == drivers.end()) return;
    ++shaders;
    add(instructions, number(message, of_driver->instructions));
    registers = std::max(registers, number(message, of_driver->registers).value_or(-1));
    add(spills, number(message, of_driver->spills));
}

}  // namespace glsolve::test
