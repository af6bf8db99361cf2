/// Catch2, whichever of its two generations the system has (2.13 on Debian 12 and Ubuntu 22.04, 3 later).
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
