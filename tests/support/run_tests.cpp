#include "support/run_tests.hpp"

// All of Catch2, in this one file.
#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

int glsolve::test::run_tests(int argc, char** argv) { return Catch::Session().run(argc, argv); }
