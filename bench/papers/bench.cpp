#include "bench.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>

#include "stopwatch.hpp"

namespace glsolve::bench {

std::optional<std::filesystem::path> Bench::matrix_file(const std::string& name) const {
    if (setting.matrices.empty()) return std::nullopt;
    for (const char* ending : {".mtx", ".mtx.gz"}) {
        if (std::filesystem::exists(setting.matrices / (name + ending))) return setting.matrices / (name + ending);
    }
    return std::nullopt;
}

void progress(std::string_view what) {
    static const Clock::time_point begin = Clock::now();
    fmt::print(stderr, "bench_papers, {:.0f} s: {}\n", seconds_since(begin), what);
}

}  // namespace glsolve::bench
