// Launches become graphs where they come again; what the device does is the same.
#include <glsolve/error.hpp>
#include <vector>

#include "cuda/fake_driver.hpp"
#include "cuda/launch_queue.hpp"
#include "support/catch.hpp"

namespace tests_of_launch_queue {

using namespace glsolve;
using test::FakeDriver;

namespace {

cuda::CUfunction function(std::uintptr_t number) { return reinterpret_cast<cuda::CUfunction>(number); }

/// Queues a launch for each number: of a function that goes round, with that number as its first integer.
void add(cuda::LaunchQueue& queue, const std::vector<int>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        cuda::Arguments arguments{};
        arguments.integers[0] = numbers[i];
        queue.add({.function = function(1 + i % 3)}, arguments, nullptr);
    }
}

std::vector<int> numbers_done() {
    std::vector<int> numbers;
    for (const FakeDriver::Done& d : FakeDriver::done) numbers.push_back(d.first_integer);
    FakeDriver::done.clear();
    return numbers;
}

}  // namespace

TEST_CASE("a sequence of launches that comes again is a graph with the arguments of now", "[launch_queue]") {
    const cuda::Driver driver = FakeDriver::make();
    cuda::Context context(driver, {});
    cuda::LaunchQueue queue(context);
    for (int round = 0; round < 5; ++round) {
        std::vector<int> numbers{1, 2, 3, 4, 5, 6};
        numbers[2] = 100 + round;
        add(queue, numbers);
        CHECK(numbers_done().empty());  // nothing begins before it is submitted
        queue.submit();
        CHECK(numbers_done() == numbers);
    }
    CHECK(FakeDriver::launches == 6);
    CHECK(FakeDriver::graphs_made == 1);
    CHECK(FakeDriver::graph_launches == 4);
    CHECK(FakeDriver::exchanged == 3);  // one argument in each round after the graph was made
    queue.submit();
    CHECK(FakeDriver::graph_launches == 4);
}

TEST_CASE("sequences of other lengths, orders and sizes are not mixed up", "[launch_queue]") {
    const cuda::Driver driver = FakeDriver::make();
    cuda::Context context(driver, {});
    cuda::LaunchQueue queue(context);
    const std::vector<std::vector<int>> all{{1, 2, 3, 4}, {1, 2, 3, 4, 5}, {5, 4, 3, 2}, {7, 8}, {9}};
    for (int round = 0; round < 4; ++round) {
        for (const std::vector<int>& numbers : all) {
            add(queue, numbers);
            queue.submit();
            CHECK(numbers_done() == numbers);
        }
        cuda::Arguments arguments{};
        for (unsigned width = 1; width < 6; ++width)
            queue.add({.function = function(1), .grid_width = width}, arguments, nullptr);
        queue.submit();
        CHECK(numbers_done().size() == 5);
    }
    CHECK(FakeDriver::graphs_made == 3);  // {1, 2, 3, 4} and {5, 4, 3, 2} are one; short ones are none
}

TEST_CASE("what a lost device answers is an error, and what was queued is gone", "[launch_queue]") {
    const cuda::Driver driver = FakeDriver::make();
    cuda::Context context(driver, {});
    cuda::LaunchQueue queue(context);
    FakeDriver::fails_with = 719;
    add(queue, {1, 2});
    CHECK_THROWS_AS(queue.submit(), DeviceError);
    CHECK_THROWS_WITH(context.synchronize(), ContainsSubstring("the device is lost") && ContainsSubstring("719"));
    FakeDriver::fails_with = cuda::success;
    numbers_done();
    queue.submit();
    CHECK(numbers_done().empty());
}

}  // namespace tests_of_launch_queue
