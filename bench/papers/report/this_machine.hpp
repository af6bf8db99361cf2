/// What a report says of the run itself.
#pragma once

#include <string>

namespace glsolve::bench {

std::string today();  ///< "2026-01-31"
/// The processor's name, and how many cores are in use.
std::string machine(int threads);
/// As it can be typed again: words that a shell would take apart stand in quotes.
std::string command_of(int argc, char** argv);

}  // namespace glsolve::bench
