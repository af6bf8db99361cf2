/// Passes over a texel or a few take next to no time, but their programs take as long to compile as others: those that
/// come together anyway (PassRow::shares) are tasks of one program, which its first integers tell apart. So are some
/// over all texels where branches are taken or not: software renderers go through all of them.
#pragma once

#include <string>

#include "device/pass_table.hpp"

namespace glsolve::inline v0_1 {

/// The row that the program of a pass is made of: its own, or that of all tasks, whose arguments are numbered.
/// `branches`: those that are not taken cost nothing.
const PassRow& program_row(const PassRow& row, bool branches);
inline bool has_tasks(const PassRow& program) { return program.file.empty(); }

/// What comes in front of a task's own integers: which of them it is, and how many outputs it has.
inline constexpr std::size_t first_integer_of_task = 2;
int task_of(const PassRow& row);

/// The texts of all tasks, for people.
std::string files_of_tasks(const PassRow& program);
/// In messages of compilers a task's text has this number and its own.
inline constexpr int first_source_of_tasks = 10;

/// The kernels of all tasks, and one that calls the one which is asked for.
std::string kernels_of_tasks(const PassRow& program);

}  // namespace glsolve::inline v0_1
