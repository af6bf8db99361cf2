#pragma once

namespace glsolve::test {

/// Runs the tests that the command line selects; the number of failures.
int run_tests(int argc, char** argv);

}  // namespace glsolve::test
