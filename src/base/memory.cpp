#include "base/memory.hpp"

#include <limits>
#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#endif

namespace glsolve::inline v0_1 {

std::int64_t peak_memory() {
#if defined(__linux__)
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0) return std::int64_t{usage.ru_maxrss} * 1024;
#endif
    return 0;
}

std::uint64_t memory_limit() {
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
#if defined(__linux__)
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) limit = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
    rlimit own{};
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY) {
        limit = std::min<std::uint64_t>(limit, own.rlim_cur);
    }
    std::uint64_t of_container = 0;  // the file says "max" where there is none
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_container) limit = std::min(limit, of_container);
#endif
    return limit;
}

}  // namespace glsolve::inline v0_1
