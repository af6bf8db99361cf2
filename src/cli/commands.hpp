/// The commands of the program. Each returns the exit code; errors are exceptions.
#pragma once

#include "cli/arguments.hpp"

namespace glsolve::cli {

int solve(const SolveArguments& arguments);
int compare(const CompareArguments& arguments);
int analyze(const AnalyzeArguments& arguments);
int convert(const ConvertArguments& arguments);
int warm(const WarmArguments& arguments);
int info(const InfoArguments& arguments);
int driver_report();
int generate(const GenerateArguments& arguments);

}  // namespace glsolve::cli
