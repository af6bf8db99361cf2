#include "kernels/shared_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "kernels/shader_source.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::array<Input, max_inputs> inputs{
    Input{"input_0"}, Input{"input_1"}, Input{"input_2"}, Input{"input_3"}, Input{"input_4"},  Input{"input_5"},
    Input{"input_6"}, Input{"input_7"}, Input{"input_8"}, Input{"input_9"}, Input{"input_10"}, Input{"input_11"}};
constexpr std::array<std::string_view, max_outputs> outputs{"output_0", "output_1", "output_2", "output_3", "output_4"};
constexpr std::array<std::string_view, max_integers> integers{"task",      "outputs",   "integer_2",  "integer_3",
                                                              "integer_4", "integer_5", "integer_6",  "integer_7",
                                                              "integer_8", "integer_9", "integer_10", "integer_11"};
constexpr std::array<std::string_view, 4> constants{"constant_0", "constant_1", "constant_2", "constant_3"};

/// Room for the arguments of each task.
void make_room(PassRow& program, const PassRow& task) {
    const auto grow = [](auto& part, const auto& all, std::size_t count) {
        part = std::span(all).first(std::max(part.size(), count));
    };
    grow(program.inputs, inputs, task.inputs.size());
    grow(program.outputs, outputs, task.outputs.size());
    grow(program.integers, integers, task.integers.size() + first_integer_of_task);
    grow(program.constants, constants, task.constants.size());
    program.guarded |= task.guarded;
}

/// All programs with tasks, and where each pass belongs.
struct Programs {
    std::vector<PassRow> rows;
    std::array<const PassRow*, pass_count> of_pass{};
    std::array<int, pass_count> task{};

    Programs() {
        for (const PassRow& row : pass_table()) {
            if (row.shares.empty()) continue;
            auto found = std::ranges::find(rows, row.shares, &PassRow::shares);
            if (found == rows.end()) {
                rows.push_back({.id = row.id, .name = row.shares, .file = "", .shares = row.shares});
                found = rows.end() - 1;
            }
            make_room(*found, row);
        }
        for (const PassRow& row : pass_table()) {
            const auto at = static_cast<std::size_t>(row.id);
            const auto before = pass_table().first(at);
            task[at] = static_cast<int>(std::ranges::count(before, row.shares, &PassRow::shares));
            of_pass[at] = row.shares.empty() ? &row : &*std::ranges::find(rows, row.shares, &PassRow::shares);
        }
    }
};

const Programs& programs() {
    static const Programs made;
    return made;
}

}  // namespace

const PassRow& program_row(const PassRow& row, bool branches) {
    return branches || row.shares == "texel" ? *programs().of_pass[static_cast<std::size_t>(row.id)] : row;
}
int task_of(const PassRow& row) { return programs().task[static_cast<std::size_t>(row.id)]; }

std::string files_of_tasks(const PassRow& program) {
    std::string words;
    for (const PassRow& row : pass_table()) {
        if (row.shares != program.shares) continue;
        words += fmt::format("{}{} shaders/pass/{}.glsl", words.empty() ? "" : ", ",
                             first_source_of_tasks + task_of(row), row.file);
    }
    return words;
}

std::string kernels_of_tasks(const PassRow& program) {
    std::string text, calls;
    for (const PassRow& row : pass_table()) {
        if (row.shares != program.shares) continue;
        std::string ends;
        const auto name = [&](std::string_view prefix, std::string_view own, std::string_view numbered,
                              std::string_view behind = "") {
            text += fmt::format("#define {0}{1}{3} {0}{2}{3}\n", prefix, own, numbered, behind);
            ends += fmt::format("#undef {}{}{}\n", prefix, own, behind);
        };
        name("", "kernel", row.name);
        for (std::size_t i = 0; i < row.inputs.size(); ++i) {
            name("in_", row.inputs[i].name, inputs[i].name);
            name("in_", row.inputs[i].name, inputs[i].name, "_clamped");
        }
        for (std::size_t i = 0; i < row.outputs.size(); ++i) name("out_", row.outputs[i], outputs[i]);
        for (std::size_t i = 0; i < row.integers.size(); ++i) {
            name("arg_", row.integers[i], integers[i + first_integer_of_task]);
        }
        for (std::size_t i = 0; i < row.constants.size(); ++i) name("arg_", row.constants[i], constants[i]);
        text += fmt::format("#line 1 {}\n{}{}", first_source_of_tasks + task_of(row),
                            shader_file(fmt::format("pass/{}.glsl", row.file)), ends);
        calls += fmt::format("    if (arg_task == {}) {}(at);\n", task_of(row), row.name);
    }
    return fmt::format("{}void kernel(ivec2 at) {{\n{}}}\n", text, calls);
}

}  // namespace glsolve::inline v0_1
