// The backend with a driver that remembers what it was asked for, and kernels that do nothing.
#include <algorithm>
#include <glsolve/error.hpp>
#include <memory>
#include <random>
#include <vector>

#include "base/half.hpp"
#include "cuda/cuda_backend.hpp"
#include "cuda/fake_driver.hpp"
#include "cuda/support.hpp"
#include "device/vectors.hpp"
#include "device/verbs.hpp"
#include "support/catch.hpp"

namespace tests_of_backend {

using namespace glsolve;
using test::FakeDriver;

namespace {

/// A compiler whose code nobody runs: so that these tests need no NVRTC.
cuda::Compiler fake_compiler() {
    cuda::Compiler c;
    c.GetNumSupportedArchs = [](int* count) {
        *count = 0;
        return cuda::success;
    };
    c.GetSupportedArchs = [](int*) { return cuda::success; };
    c.CreateProgram = [](cuda::nvrtcProgram*, const char*, const char*, int, const char* const*, const char* const*) {
        return cuda::success;
    };
    c.DestroyProgram = [](cuda::nvrtcProgram*) { return cuda::success; };
    c.CompileProgram = [](cuda::nvrtcProgram, int, const char* const*) { return cuda::success; };
    c.GetProgramLogSize = c.GetPTXSize = c.GetCUBINSize = [](cuda::nvrtcProgram, std::size_t* size) {
        *size = 1;
        return cuda::success;
    };
    c.GetProgramLog = c.GetPTX = c.GetCUBIN = [](cuda::nvrtcProgram, char* text) {
        *text = 'x';
        return cuda::success;
    };
    return c;
}

struct Fixture {
    cuda::Driver driver = FakeDriver::make();
    cuda::Compiler compiler = fake_compiler();
    std::shared_ptr<cuda::CudaBackend> backend = cuda::make_cuda_backend(
        std::make_shared<cuda::Context>(driver, cuda::FoundDevice{.name = "none", .architecture = 90}), compiler, 0, {},
        false, nullptr);
};

std::vector<float> random_numbers(std::size_t count) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<float> made(count);
    for (float& m : made) m = number(random);
    return made;
}

bool is_launch(const FakeDriver::Done& done) { return done.function != nullptr; }

}  // namespace

TEST_CASE("texels go up and come back, as floats, halves and doubles", "[backend]") {
    const Fixture f;
    const Extent extent{67, 33};
    const std::vector<float> numbers = random_numbers(static_cast<std::size_t>(extent.texels()) * 4);
    std::vector<float> back(numbers.size());
    const Storage floats(*f.backend, extent, Element::real, "floats"),
        halves(*f.backend, extent, Element::half, "halves");
    f.backend->upload(floats.id(), numbers);
    f.backend->upload(halves.id(), numbers);
    f.backend->read(floats.id(), back);
    CHECK(back == numbers);
    f.backend->read(halves.id(), back);
    for (std::size_t i = 0; i < back.size(); ++i) REQUIRE(back[i] == float_of_half(half_of(numbers[i])));

    const std::shared_ptr<Backend> doubles = f.backend->in_doubles();
    REQUIRE(doubles != nullptr);
    CHECK(doubles->in_doubles() == doubles);
    CHECK(doubles->holds_doubles());
    Vector v(*doubles, 1000, "v");
    CHECK(doubles->bytes(v.id()) == 2 * f.backend->bytes(v.layout().extent(), Element::real));
    std::vector<double> given(1000), found(1000);
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = 1.0 / static_cast<double>(3 + i);
    upload_floats(v, given.size(), [&](std::size_t i) { return given[i]; });
    download_numbers(v, found.size(), [&](std::size_t i, double number) { found[i] = number; });
    CHECK(found == given);
    v.upload(std::vector<float>(1000, 0.1f));
    download_numbers(v, found.size(), [&](std::size_t i, double number) { found[i] = number; });
    CHECK(found == std::vector<double>(1000, static_cast<double>(0.1f)));
}

TEST_CASE("where memory is short, spare pieces of single and double precision are given up for each other",
          "[backend]") {
    const Fixture f;
    const std::shared_ptr<Backend> doubles = f.backend->in_doubles();
    { const Vector spare(*doubles, 100'000, "spare"); }
    const std::size_t in_use = FakeDriver::memory;
    FakeDriver::memory_limit = in_use;
    { const Vector x(*f.backend, 100'000, "x"); }
    CHECK(FakeDriver::memory < in_use);
    FakeDriver::memory_limit = FakeDriver::memory;
    { const Vector y(*doubles, 50'000, "y"); }
    CHECK_THROWS_AS(Vector(*doubles, 1'000'000, "too long"), DeviceError);
}

TEST_CASE("page-locked memory to read back into is used again, and given back by trim", "[backend]") {
    const Fixture f;
    f.backend->trim();
    const std::size_t before = FakeDriver::page_locked;
    std::vector<float> back(20'000);
    for (const std::size_t length : {16'700, 17'000, 20'000, 16'700}) {
        Vector x(*f.backend, static_cast<std::int64_t>(length), "x");
        const std::vector<float> numbers = random_numbers(length);
        x.upload(numbers);
        download_numbers(x, length, [&](std::size_t i, double number) { back[i] = static_cast<float>(number); });
        CHECK(std::equal(numbers.begin(), numbers.end(), back.begin()));
    }
    CHECK(FakeDriver::page_locked > before);
    f.backend->trim();
    CHECK(FakeDriver::page_locked == before);
}

TEST_CASE("memory changes hands behind the work that is queued for who had it", "[backend]") {
    const Fixture f;
    const Session session(*f.backend);
    Vector x(*f.backend, 4000, "x");
    {
        Vector y(*f.backend, 4000, "y");
        FakeDriver::done.clear();
        axpy(y, scalar_arg(2.0f), x);
        CHECK(FakeDriver::done.empty());  // queued
    }
    Vector z(*f.backend, 4000, "z");  // in the memory of y
    REQUIRE(FakeDriver::done.size() == 2);
    CHECK(is_launch(FakeDriver::done[0]));
    CHECK_FALSE(is_launch(FakeDriver::done[1]));
    CHECK(f.backend->counters().allocations == 4);  // two of the backend's own, x, and y, which z has taken over
}

TEST_CASE("a lost device is an error at the next call, also of work that began when the last one ended", "[backend]") {
    const Fixture f;
    Vector x(*f.backend, 100, "x"), y(*f.backend, 100, "y");
    axpy(y, scalar_arg(2.0f), x);
    FakeDriver::fails_with = 719;
    axpy(y, scalar_arg(2.0f), x);  // begins, and fails, when the call ends
    FakeDriver::fails_with = cuda::success;
    CHECK_THROWS_WITH(y.download_texels(), ContainsSubstring("the device is lost"));
    CHECK_NOTHROW(y.download_texels());  // it has been told
    FakeDriver::fails_with = 719;
    CHECK_THROWS_AS(y.download_texels(), DeviceError);
    CHECK_THROWS_AS(f.backend->finish(), DeviceError);
}

TEST_CASE("a program that the compiler refuses is an error with the pass's name", "[backend]") {
    Fixture f;
    f.compiler.CompileProgram = [](cuda::nvrtcProgram, int, const char* const*) { return 6; };
    Vector x(*f.backend, 100, "x"), y(*f.backend, 100, "y");
    CHECK_THROWS_WITH(axpy(y, scalar_arg(2.0f), x), ContainsSubstring("axpby") && ContainsSubstring("NVRTC"));
    f.compiler.CompileProgram = [](cuda::nvrtcProgram, int, const char* const*) { return cuda::success; };
    CHECK_NOTHROW(axpy(y, scalar_arg(2.0f), x));
}

}  // namespace tests_of_backend
