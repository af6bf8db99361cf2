/// What all papers' benchmarks are given.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cuda_libraries.hpp"
#include "named_devices.hpp"
#include "report/report.hpp"

namespace glsolve::bench {

struct Setting {
    bool quick = false;                   ///< smaller sizes, fewer rounds
    int rounds = 3;                       ///< of what is timed; the least time counts, or the median where that is said
    int threads = 1;                      ///< the cores of this machine, for peers that use all of them
    std::filesystem::path matrices = {};  ///< a folder of Matrix Market files; empty: none
};

struct Bench {
    const Setting& setting;
    std::vector<NamedDevice>& devices;
    const CudaLibraries* vendor;  ///< null: not there

    template <class Value>
    Value pick(Value full, Value quick) const {
        return setting.quick ? quick : full;
    }
    /// NAME.mtx or NAME.mtx.gz of the folder; none where it is not there.
    std::optional<std::filesystem::path> matrix_file(const std::string& name) const;
};

/// What is going on, and for how long, on standard error.
void progress(std::string_view what);

}  // namespace glsolve::bench
