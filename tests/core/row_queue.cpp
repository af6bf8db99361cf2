// Threads that make rows in the order of their levels.
#include "factors/rows_by_levels.hpp"

#include <glsolve/generate.hpp>
#include <stdexcept>
#include <thread>

#include "support/catch.hpp"

namespace tests_of_row_queue {

using namespace glsolve;

namespace {

/// Wide levels, so that several threads are worth their while where there are several cores.
FactorPattern wide_pattern() { return ilu_pattern(poisson2d(300), 1); }

/// As many threads as the queue wants; what work(...) was for each.
template <class MakeRow>
std::vector<Offset> in_threads(RowQueue& queue, const MakeRow& make_row) {
    std::vector<Offset> places(static_cast<std::size_t>(queue.threads()));
    std::vector<std::thread> threads;
    for (Offset& place : places) threads.emplace_back([&] { place = queue.work(make_row); });
    for (std::thread& thread : threads) thread.join();
    return places;
}

}  // namespace

TEST_CASE("Each row is made once, after those that it needs", "[factors]") {
    const FactorPattern pattern = wide_pattern();
    for (int round = 0; round < 5; ++round) {
        RowQueue queue(pattern);
        CHECK((queue.threads() > 1) == (std::thread::hardware_concurrency() > 1));
        std::vector<std::atomic<int>> made(static_cast<std::size_t>(pattern.rows()));
        std::atomic<int> too_early = 0;
        const std::vector<Offset> places = in_threads(queue, [&](Index i) {
            const auto row = static_cast<std::size_t>(i);
            for (Offset e = pattern.lower.offsets[row]; e < pattern.lower.offsets[row + 1]; ++e)
                too_early += made[static_cast<std::size_t>(pattern.lower.column[static_cast<std::size_t>(e)])] == 0;
            ++made[row];
            return true;
        });
        CHECK(too_early == 0);
        CHECK(std::ranges::all_of(made, [](const std::atomic<int>& times) { return times == 1; }));
        CHECK(std::ranges::all_of(places, [&](Offset place) { return place == pattern.rows(); }));
    }
}

TEST_CASE("A thread that stops ends all, and what comes before it is made", "[factors]") {
    const FactorPattern pattern = wide_pattern();
    const Offset first = pattern.rows() / 3;
    for (int round = 0; round < 5; ++round) {
        RowQueue queue(pattern);
        std::vector<std::atomic<int>> made(static_cast<std::size_t>(pattern.rows()));
        std::vector<Offset> place_of(made.size());
        for (Offset place = 0; place < pattern.rows(); ++place)
            place_of[static_cast<std::size_t>(pattern.levels.order[static_cast<std::size_t>(place)])] = place;
        const std::vector<Offset> places = in_threads(queue, [&](Index i) {
            ++made[static_cast<std::size_t>(i)];
            return place_of[static_cast<std::size_t>(i)] < first;  // all from there on would stop
        });
        CHECK(*std::ranges::min_element(places) == first);
        Offset missing = 0;
        for (std::size_t i = 0; i < made.size(); ++i) missing += place_of[i] < first && made[i] != 1;
        CHECK(missing == 0);
    }
}

TEST_CASE("The first row that is unsafe or throws decides, whichever thread meets it", "[factors]") {
    const FactorPattern pattern = wide_pattern();
    const auto row_at = [&](Offset place) { return pattern.levels.order[static_cast<std::size_t>(place)]; };
    const Index early = row_at(pattern.rows() / 3), late = row_at(pattern.rows() / 3 + 1);
    const auto run = [&](Index throws, Index unsafe) {
        return rows_by_levels(pattern, 0, [&](int, Index i) -> std::optional<UnsafePivot> {
            if (i == throws) throw std::runtime_error("a row");
            return i == unsafe ? std::optional(UnsafePivot{i, 0}) : std::nullopt;
        });
    };
    for (int round = 0; round < 20; ++round) {
        CHECK_THROWS_WITH(run(early, late), "a row");
        const std::optional<UnsafePivot> found = run(late, early);
        REQUIRE(found);
        CHECK(found->row == early);
        CHECK_FALSE(run(-1, -1));
    }
}

TEST_CASE("Rows that need one another in turn, or none at all, are one thread's work", "[factors]") {
    CsrMatrix chain{.rows = 1000, .columns = 1000};
    for (Index i = 0; i < chain.rows; ++i) {
        for (Index j = std::max(i - 1, 0); j <= std::min(i + 1, chain.rows - 1); ++j) {
            chain.column.push_back(j);
            chain.value.push_back(1);
        }
        chain.offsets.push_back(std::ssize(chain.column));
    }
    const FactorPattern pattern = ilu_pattern(chain, 0), nothing = ilu_pattern(CsrMatrix{}, 0);
    RowQueue queue(pattern), empty(nothing);
    CHECK(queue.threads() == 1);
    Index next = 0;
    CHECK(queue.work([&](Index i) { return i == next++; }) == 1000);
    CHECK(next == 1000);
    CHECK(empty.threads() == 1);
    CHECK(empty.work([](Index) { return false; }) == 0);
}

}  // namespace tests_of_row_queue
