/// The program's switches for options of the library, and complaints in terms of them.
#pragma once

#include <string>
#include <string_view>

#include "options/option_table.hpp"

namespace glsolve::cli {

/// "--tolerance"; of a flag what makes it false, "--amg-no-half".
std::string switch_of(const OptionRow& row);

/// "amg: steps is 17; ..." becomes "--amg-steps is 17; ...". Words that name no member stay.
std::string in_switches(std::string_view complaint);

}  // namespace glsolve::cli
