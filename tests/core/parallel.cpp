// Work that is divided among the cores.
#include "base/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

#include "support/catch.hpp"

namespace tests_of_parallel {

using namespace glsolve;

namespace {

constexpr std::size_t count = 100'000;

/// How often each item came by, in ranges of at least `grain`.
std::vector<int> visits(Offset grain) {
    std::vector<int> seen(count, 0);
    parallel_for(static_cast<Offset>(count), grain, [&](int, Offset begin, Offset end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) ++seen[i];
    });
    return seen;
}

}  // namespace

TEST_CASE("each item has its turn once", "[core][parallel]") {
    const std::vector<int> once(count, 1);
    for (const Offset grain : {Offset{1}, Offset{1000}, Offset{1'000'000}}) CHECK(visits(grain) == once);
    // Within another call, and beside calls of other threads.
    std::atomic<int> right = 0;
    parallel_for(8, 1, [&](int, Offset begin, Offset end) {
        for (Offset k = begin; k < end; ++k) right += visits(1) == once ? 1 : 0;
    });
    CHECK(right == 8);
    {
        std::vector<std::jthread> others;
        for (int t = 0; t < 4; ++t) {
            others.emplace_back([&] {
                for (int k = 0; k < 20; ++k) right += visits(1) == once ? 1 : 0;
            });
        }
    }
    CHECK(right == 88);
}

TEST_CASE("an exception comes out when all are done, and the next call works", "[core][parallel]") {
    for (int round = 0; round < 3; ++round) {
        std::atomic<int> others = 0;
        const int ranges = parallel_ranges(64, 1);
        CHECK_THROWS_AS(parallel_for(64, 1,
                                     [&](int range, Offset, Offset) {
                                         if (range == ranges - 1) throw std::runtime_error("the last one");
                                         ++others;
                                     }),
                        std::runtime_error);
        CHECK(others == ranges - 1);
        CHECK(visits(1) == std::vector<int>(count, 1));
    }
}

TEST_CASE("parts, and sums over them, are the same for any number of threads", "[core][parallel]") {
    const auto begins = [] {
        return parallel_parts(1'000'003, usual_grain, [](Offset begin, Offset) { return begin; });
    };
    const auto sum = [] { return parallel_sum(count, [](std::size_t i) { return 1.0 / static_cast<double>(i + 1); }); };
    const std::vector<Offset> parts = begins();
    CHECK(parts.size() == 30);  // of 2^15 items or more
    const double total = sum();
    for (const int threads : {1, 2, 16}) {
        const ThreadLimit limit(threads);
        CHECK(threads_in_use() == threads);
        CHECK(begins() == parts);
        CHECK(sum() == total);
    }
}

TEST_CASE("a limit of threads holds as long as it lives", "[core][parallel]") {
    const int before = threads_in_use();
    {
        const ThreadLimit limit(3);
        CHECK(parallel_ranges(100, 1) == 3);
        const ThreadLimit none(0);
        CHECK(threads_in_use() == 3);
        CHECK(visits(1) == std::vector<int>(count, 1));
    }
    CHECK(threads_in_use() == before);
}

}  // namespace tests_of_parallel
