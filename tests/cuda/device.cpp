// What a device of CUDA does beside passes: graphs, faults, several devices.
#include <cstdlib>
#include <filesystem>
#include <random>
#include <vector>

#include "cuda/cuda_backend.hpp"
#include "cuda/support.hpp"
#include "device/reductions.hpp"
#include "device/verbs.hpp"
#include "support/catch.hpp"

namespace tests_of_device {

using namespace glsolve;

namespace {

std::vector<float> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-1, 1);
    std::vector<float> made(count);
    for (float& m : made) m = number(random);
    return made;
}

/// A sequence of passes whose arguments differ from one time to the next: y <- y + share x, and the sum of y * x.
std::vector<float> sequence(Backend& backend, int times, bool submits) {
    const Session session(backend);
    constexpr Offset n = 5000;
    Vector x(backend, n, "x"), y(backend, n, "y"), z(backend, n, "z");
    Scalar s(backend, "s");
    Reductions reductions(backend, n);
    x.upload(random_numbers(n, 1));
    y.upload(random_numbers(n, 2));
    for (int k = 0; k < times; ++k) {
        axpy(y, scalar_arg(1.0f / static_cast<float>(k + 1)), x);
        xpay(z, y, scalar_arg(0.5f));
        reductions.dot(s, y, x);
        axpy(z, scalar_arg(s), x);
        axpy(y, scalar_arg(1e-3f), z);
        if (submits) backend.flush();
    }
    return y.download_texels();
}

}  // namespace

TEST_CASE("sequences that come again are graphs, and compute the same bits", "[gpu]") {
    const std::optional<Device> device = test::device_or_skip();
    if (!device) return;
    auto& backend = dynamic_cast<cuda::CudaBackend&>(device->backend());
    const std::vector<float> at_once = sequence(backend, 12, false);
    const std::uint64_t before = backend.graphs_launched();
    CHECK(sequence(backend, 12, true) == at_once);
    CHECK(backend.graphs_launched() >= before + 10);
    CHECK(sequence(backend, 12, true) == at_once);  // of other storages, by the same graphs
}

TEST_CASE("memory that is not there is an error, and the device goes on", "[gpu]") {
    const std::optional<Device> device = test::device_or_skip();
    if (!device) return;
    Backend& backend = device->backend();
    backend.trim();
    const std::int64_t before = backend.counters().bytes;
    std::vector<Storage> all;
    CHECK_THROWS_WITH(
        [&] {
            for (int k = 0; k < 1000; ++k) all.emplace_back(backend, Extent{32768, 32768}, Element::real, "too much");
        }(),
        ContainsSubstring("CUDA") && ContainsSubstring("too much") && ContainsSubstring("MB"));
    all.clear();
    backend.trim();
    CHECK(backend.counters().bytes == before);
    CHECK(sequence(backend, 3, true).size() >= 5000);
}

TEST_CASE("programs come from files the second time", "[gpu]") {
    const auto folder =
        std::filesystem::temp_directory_path() / ("glsolve-gpu-" + std::to_string(std::random_device{}()));
    const std::string name = folder.string();
    for (const bool again : {false, true}) {
        const std::optional<Device> device = test::device_or_skip({.program_cache = name});
        if (!device) return;
        auto& backend = dynamic_cast<cuda::CudaBackend&>(device->backend());
        sequence(backend, 1, false);
        CHECK((backend.programs().compiled == 0) == again);
        CHECK((backend.programs().from_disk >= 2) == again);
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("each listed device can be opened by number, address and name", "[gpu]") {
    if (!test::device_or_skip()) return;
    int seen = 0;
    for (const DeviceEntry& entry : Device::list()) {
        if (entry.backend != BackendKind::cuda) continue;
        CAPTURE(entry.number, entry.name, entry.pci_address);
        CHECK(entry.memory_bytes > 0);
        for (const std::string& wanted : {std::to_string(entry.number), entry.pci_address}) {
            const Device device = Device::open({.backend = BackendKind::cuda, .device = wanted});
            CHECK(device.info().number == entry.number);
            CHECK(device.info().pci_address == entry.pci_address);
        }
        CHECK(Device::open({.backend = BackendKind::cuda, .device = entry.name}).info().renderer == entry.name);
        ++seen;
    }
    CHECK(seen > 0);
    CHECK_THROWS_WITH(Device::open({.backend = BackendKind::cuda, .device = "99"}),
                      ContainsSubstring("99") && ContainsSubstring("there"));
}

}  // namespace tests_of_device
