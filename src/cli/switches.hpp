/// The library's complaints in the program's language: members of Options are switches there.
#pragma once

#include <string>
#include <string_view>

namespace glsolve::cli {

/// "amg: steps is 17; ..." becomes "--amg-steps is 17; ...". Words that name no member stay.
std::string in_switches(std::string_view complaint);

}  // namespace glsolve::cli
