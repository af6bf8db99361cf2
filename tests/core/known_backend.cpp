// What `automatic` has chosen on this machine is remembered, and not more than that.
#include "device/known_backend.hpp"

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include "support/catch.hpp"

namespace tests_of_known_backend {

using namespace glsolve;
namespace fs = std::filesystem;

namespace {

struct Folder {
    std::string path =
        (fs::temp_directory_path() / ("glsolve-known-" + std::to_string(std::random_device{}()))).string();
    ~Folder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("the backend that was chosen is known to the next process", "[core][known_backend]") {
    const Folder folder;
    const DeviceOptions options{.program_cache = folder.path};
    KnownBackend first(options);
    CHECK(first.kind() == BackendKind::automatic);
    first.keep({.backend = BackendKind::cuda, .choice = "cuda: measured 1.5 times as fast as opengl here"});
    const KnownBackend next(options);
#if defined(__linux__)
    CHECK(next.kind() == BackendKind::cuda);
    CHECK(next.words() == "cuda: measured 1.5 times as fast as opengl here");
#endif
    // Not where all is measured anew, another device is asked for, or drivers are steered otherwise.
    CHECK(KnownBackend({.measure = true, .program_cache = folder.path}).kind() == BackendKind::automatic);
    CHECK(KnownBackend({.device = "H200", .program_cache = folder.path}).kind() == BackendKind::automatic);
    CHECK(KnownBackend(DeviceOptions{}).kind() == BackendKind::automatic);
    setenv("CUDA_VISIBLE_DEVICES", "7", 1);
    CHECK(KnownBackend(options).kind() == BackendKind::automatic);
    unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_CASE("what is kept of a backend and cannot be understood counts as nothing", "[core][known_backend]") {
    const Folder folder;
    const DeviceOptions options{.program_cache = folder.path};
    for (const BackendKind kind : {BackendKind::host, BackendKind::automatic}) {
        KnownBackend(options).keep({.backend = kind, .choice = "no GPU"});
        CHECK(KnownBackend(options).kind() == BackendKind::automatic);
    }
}

}  // namespace tests_of_known_backend
