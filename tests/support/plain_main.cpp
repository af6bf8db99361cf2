// Runs tests that need no device, or open their own: where no other file has a main program.
#include "support/run_tests.hpp"

int main(int argc, char** argv) { return glsolve::test::run_tests(argc, argv); }
