/// Runs bench_papers as its users do.
#pragma once

#include "program/run_program.hpp"
#include "report/writers.hpp"
#include "support/catch.hpp"

namespace glsolve::test {

inline Result run_papers(const std::string& arguments) { return run_shell("\"$G\" " + arguments); }

}  // namespace glsolve::test
