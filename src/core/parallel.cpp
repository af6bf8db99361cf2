#include "core/parallel.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace glsolve::inline v0_1 {

int parallel_ranges(Offset count, Offset grain) {
    static const int cores = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 64);
    return std::clamp(static_cast<int>(std::min<Offset>(count / std::max<Offset>(grain, 1), cores)), 1, cores);
}

void parallel_for(Offset count, Offset grain, const std::function<void(int range, Offset begin, Offset end)>& work) {
    const int ranges = parallel_ranges(count, grain);
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(ranges));
    const auto run = [&](int range) {
        const auto first = [&](int k) { return count / ranges * k + count % ranges * k / ranges; };
        try {
            work(range, first(range), first(range + 1));
        } catch (...) {
            thrown[static_cast<std::size_t>(range)] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (int range = 1; range < ranges; ++range) {
            try {
                others.emplace_back(run, range);
            } catch (const std::system_error&) {  // no more threads are to be had
                run(range);
            }
        }
        run(0);
    }
    for (const std::exception_ptr& error : thrown) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace glsolve::inline v0_1
