// What `automatic` has chosen on this machine is remembered, and not more than that.
#include "device/known_backend.hpp"

#include <cstdlib>
#include <string>

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace tests_of_known_backend {

using namespace glsolve;

namespace {

DeviceInfo chosen(BackendKind backend, const char* why) {
    DeviceInfo info;
    info.backend = backend;
    info.choice = why;
    return info;
}

}  // namespace

TEST_CASE("the backend that was chosen is known to the next process", "[core][known_backend]") {
    const test::Folder folder;
    const std::string path = folder.path.string();
    const DeviceOptions options{.program_cache = path};
    KnownBackend first(options);
    CHECK(first.kind() == BackendKind::automatic);
    first.keep(chosen(BackendKind::cuda, "cuda: measured 1.5 times as fast as opengl here"));
    const KnownBackend next(options);
#if defined(__linux__)
    CHECK(next.kind() == BackendKind::cuda);
    CHECK(next.words() == "cuda: measured 1.5 times as fast as opengl here");
#endif
    // Not where all is measured anew, another device is asked for, or drivers are steered otherwise.
    CHECK(KnownBackend({.measure = true, .program_cache = path}).kind() == BackendKind::automatic);
    CHECK(KnownBackend({.device = "H200", .program_cache = path}).kind() == BackendKind::automatic);
    CHECK(KnownBackend(DeviceOptions{}).kind() == BackendKind::automatic);
    setenv("CUDA_VISIBLE_DEVICES", "7", 1);
    CHECK(KnownBackend(options).kind() == BackendKind::automatic);
    unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_CASE("what is kept of a backend and cannot be understood counts as nothing", "[core][known_backend]") {
    const test::Folder folder;
    const std::string path = folder.path.string();
    const DeviceOptions options{.program_cache = path};
    for (const BackendKind kind : {BackendKind::host, BackendKind::automatic}) {
        KnownBackend(options).keep(chosen(kind, "no GPU"));
        CHECK(KnownBackend(options).kind() == BackendKind::automatic);
    }
}

}  // namespace tests_of_known_backend
