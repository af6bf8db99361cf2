// The list of backends: what `--backend` can name, and what `auto` tries.
#include "device/open_backend.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>

#include "base/gpu_files.hpp"
#include "base/parallel.hpp"
#include "cuda/cuda_backend.hpp"
#include "device/choose_device.hpp"
#include "device/known_backend.hpp"
#include "device/rates.hpp"
#include "host/host_backend.hpp"
#include "opengl/opengl_backend.hpp"

namespace glsolve::inline v0_1 {
namespace {

std::vector<DeviceEntry> cuda_devices() {
    try {
        return cuda::list_cuda();
    } catch (const Error&) {  // there is no driver, or none that works
        return {};
    }
}

/// Where EGL knows a GPU only by its number in CUDA, CUDA knows where it is.
std::vector<DeviceEntry> opengl_devices(const std::vector<DeviceEntry>& of_cuda) {
    std::vector<DeviceEntry> entries;
    for (opengl::FoundDevice& found : opengl::find_devices()) {
        const auto known = static_cast<std::size_t>(found.cuda_device);
        if (found.entry.pci_address.empty() && found.cuda_device >= 0 && known < of_cuda.size())
            found.entry.pci_address = of_cuda[known].pci_address;
        entries.push_back(std::move(found.entry));
    }
    return entries;
}

std::unique_ptr<Backend> open_opengl(const DeviceOptions& options) {
    if (options.device.empty()) return opengl::open_opengl(options);
    if (options.current)
        throw InvalidInput(fmt::format("device '{}': an adopted context has its device already", options.device));
    return opengl::open_opengl(options, chosen_device(opengl_devices(cuda_devices()), options.device));
}

/// The first device of CUDA's that can be opened. Throws NoDevice with what the first one says.
std::unique_ptr<Backend> open_first_cuda(const DeviceOptions& options, std::size_t count) {
    std::string reason;
    for (std::size_t number = 0; number < count; ++number) {
        try {
            return cuda::open_cuda(options, static_cast<int>(number));
        } catch (const InvalidInput&) {
            throw;
        } catch (const Error& failure) {
            if (reason.empty()) reason = failure.what();
        }
    }
    throw NoDevice(reason);
}

/// What fails while a device is opened, a full memory say, is a device that cannot be had.
std::unique_ptr<Backend> open_cuda(const DeviceOptions& options) {
    try {
        if (!options.current) {
            const std::vector<DeviceEntry> entries = cuda::list_cuda();
            return options.device.empty() ? open_first_cuda(options, entries.size())
                                          : cuda::open_cuda(options, chosen_device(entries, options.device));
        }
        DeviceOptions of_context = options;
        of_context.backend = BackendKind::opengl;
        return cuda::open_cuda(options, 0, open_opengl(of_context));
    } catch (const DeviceError& failure) {
        throw NoDevice(failure.what());
    }
}

/// What became of an attempt.
struct Attempt {
    std::unique_ptr<Backend> backend;
    std::string failure;
};

template <class Open>
Attempt attempt(const Open& open, const DeviceOptions& options) {
    try {
        return {open(options), {}};
    } catch (const NoDevice& failure) {
        return {nullptr, failure.what()};
    } catch (const InvalidInput& failure) {
        if (options.device.empty()) throw;
        return {nullptr, failure.what()};  // it may be the other one's
    }
}

std::unique_ptr<Backend> open_host(const DeviceOptions& options, std::string choice) {
    if (options.stage != Stage::automatic)
        throw InvalidInput(fmt::format("stage {}: the host backend has no stages", name(options.stage)));
    if (!options.device.empty())
        throw InvalidInput(fmt::format("device '{}': the host backend is one device", options.device));
    return host::make_backend(std::move(choice));
}

/// Both can be opened: the one that is quicker at an update of a vector and at a sum. A renderer on the processor is
/// not asked.
std::unique_ptr<Backend> faster(std::unique_ptr<Backend> cuda, std::unique_ptr<Backend> opengl) {
    const auto chosen = [](std::unique_ptr<Backend> backend, std::string choice) {
        backend->describe_choice(std::move(choice));
        return backend;
    };
    if (opengl->can().on_processor) return chosen(std::move(cuda), "cuda: OpenGL runs on the processor here");
    constexpr Offset length = 1 << 22;
    const double ratio = seconds_of_work(*opengl, length) / seconds_of_work(*cuda, length);
    if (ratio >= 1)
        return chosen(std::move(cuda), fmt::format("cuda: measured {:.1f} times as fast as opengl here", ratio));
    return chosen(std::move(opengl), fmt::format("opengl: measured {:.1f} times as fast as cuda here; {}", 1 / ratio,
                                                 opengl->info().choice));
}

/// Of the device that is named by its PCI address or by its name, which both backends know.
std::unique_ptr<Backend> open_any(const DeviceOptions& options) {
    if (!options.device.empty() && options.device.find_first_not_of("0123456789") == std::string_view::npos) {
        throw InvalidInput(
            fmt::format("device {}: each backend counts its own devices: name the backend, too, or the device's PCI "
                        "address or name",
                        options.device));
    }
    if (options.device.empty() && !may_have_gpu()) return open_host(options, "host: there is no GPU here");
    KnownBackend known(options);
    if (known.kind() == BackendKind::cuda || known.kind() == BackendKind::opengl) {
        Attempt again = attempt(known.kind() == BackendKind::cuda ? open_cuda : open_opengl, options);
        const bool is_gpu = again.backend && !again.backend->can().on_processor;
        if (is_gpu) {
            again.backend->describe_choice(fmt::format("{} (known from before)", known.words()));
            return std::move(again.backend);
        }
    }
    Attempt cuda = attempt(open_cuda, options), opengl = attempt(open_opengl, options);
    if (cuda.backend && opengl.backend) {
        std::unique_ptr<Backend> chosen = faster(std::move(cuda.backend), std::move(opengl.backend));
        known.keep(chosen->info());
        return chosen;
    }
    if (cuda.backend) {
        cuda.backend->describe_choice(fmt::format("cuda: OpenGL could not be used: {}", opengl.failure));
        return std::move(cuda.backend);
    }
    if (opengl.backend && (!options.device.empty() || !opengl.backend->can().on_processor)) {
        return std::move(opengl.backend);
    }
    if (opengl.backend) {
        return open_host(
            options, fmt::format("host: OpenGL is drawn by the processor here ({})", opengl.backend->info().renderer));
    }
    if (!options.device.empty()) throw NoDevice(fmt::format("OpenGL: {}\nCUDA: {}", opengl.failure, cuda.failure));
    return open_host(options, fmt::format("host: OpenGL could not be used: {}", opengl.failure));
}

std::unique_ptr<Backend> open_of_kind(const DeviceOptions& options) {
    switch (options.backend) {
        case BackendKind::host:
            return open_host(options, "");
        case BackendKind::cuda:
            return open_cuda(options);
        case BackendKind::opengl:
            return open_opengl(options);
        case BackendKind::automatic:
            break;
    }
    // What only OpenGL has.
    if (options.stage != Stage::automatic || options.current || !options.platform.empty()) return open_opengl(options);
    return open_any(options);
}

}  // namespace

std::unique_ptr<Backend> open_backend(const DeviceOptions& options) {
    if (options.threads < 0 || options.threads > most_threads) {
        throw InvalidInput(
            fmt::format("threads: {} is outside 0 to {}; 0 takes one for each core", options.threads, most_threads));
    }
    std::unique_ptr<Backend> backend = open_of_kind(options);
    backend->use_threads(options.threads);
    return backend;
}

std::vector<DeviceEntry> list_devices() {
    const std::vector<DeviceEntry> of_cuda = cuda_devices();
    std::vector<DeviceEntry> entries = opengl_devices(of_cuda);
    entries.insert(entries.end(), of_cuda.begin(), of_cuda.end());
    entries.push_back({.backend = BackendKind::host, .number = 0, .name = "host reference (C++)"});
    return entries;
}

}  // namespace glsolve::inline v0_1
