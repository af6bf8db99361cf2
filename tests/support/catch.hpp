/// Catch2, whichever of its two generations the system has (2.13 on Debian 12 and Ubuntu 22.04, 3 later). Tests take
/// from it the macros, `Approx`, and the matchers below, by the names that generation 3 has given them.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& words) { return Contains(words); }
}  // namespace Catch::Matchers
#endif

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::Equals;
using Catch::Matchers::Matches;
using Catch::Matchers::StartsWith;
