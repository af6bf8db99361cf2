// Devices of the C interface.
#include <fmt/format.h>

#include <glsolve/names.hpp>

#include "base/read_number.hpp"
#include "base/suggestions.hpp"
#include "c/guarded.hpp"
#include "c/handles.hpp"
#include "options/assignments.hpp"
#include "options/names.hpp"

namespace glsolve::c {
namespace {

template <class Choice>
Choice choice(std::string_view option, std::string_view value) {
    if (const auto found = from_name<Choice>(value)) return *found;
    throw InvalidInput(fmt::format("{}: {}", option, not_among(value, enumeration<Choice>.names())));
}

bool flag(std::string_view option, std::string_view value) {
    if (const std::optional<bool> said = truth(value)) return *said;
    throw InvalidInput(fmt::format("{}: '{}' is neither true nor false", option, value));
}

int number_of_threads(std::string_view value) {
    constexpr int most = 64;
    if (const std::string why = no_number_from(value, 0, most); !why.empty())
        throw InvalidInput(fmt::format("threads: {}", why));
    int threads = 0;
    read_number(value, threads);
    return threads;
}

/// Options with the texts that they refer to.
struct DeviceText {
    DeviceOptions options;
    std::string device, platform, cache;

    explicit DeviceText(std::string_view text) {
        each_assignment(text, [&](std::string_view name, std::string_view value) { set(name, value); });
        options.device = device;
        options.platform = platform;
        options.program_cache = cache;
    }
    void set(std::string_view name, std::string_view value) {
        static const std::vector<std::string> names{"backend", "stage",    "device",        "threads", "current",
                                                    "state",   "platform", "program-cache", "debug"};
        if (name == "backend") {
            options.backend = choice<BackendKind>(name, value);
        } else if (name == "stage") {
            options.stage = choice<Stage>(name, value);
        } else if (name == "state") {
            options.state = choice<StatePolicy>(name, value);
        } else if (name == "device") {
            device = value;
        } else if (name == "platform") {
            platform = value;
        } else if (name == "program-cache") {
            cache = value == "default" ? default_program_cache() : std::string(value);
        } else if (name == "threads") {
            options.threads = number_of_threads(value);
        } else if (name == "current") {
            options.current = flag(name, value);
        } else if (name == "debug") {
            options.debug = flag(name, value);
        } else {
            throw InvalidInput(fmt::format("options of devices: {}", not_among(name, names)));
        }
    }
};

}  // namespace
}  // namespace glsolve::c

using namespace glsolve;
using namespace glsolve::c;

int glsolve_device_open(const char* options, glsolve_device** device) {
    return guarded([&] {
        glsolve_device*& made = required(device, "device");
        const DeviceText text(text_or_empty(options));
        made = new glsolve_device{Device::open(text.options)};
    });
}

void glsolve_device_close(glsolve_device* device) { delete device; }

int glsolve_device_trim(glsolve_device* device) {
    return guarded([&] { required(device, "device").device.trim(); });
}

int glsolve_device_describe(const glsolve_device* device, glsolve_device_info* info) {
    return guarded([&] {
        const DeviceInfo& of = required(device, "device").device.info();
        give({.size = sizeof(glsolve_device_info),
              .software = of.software ? 1 : 0,
              .number = of.number,
              .max_texture_size = of.max_texture_size,
              .memory_bytes = of.memory_bytes,
              .backend = name(of.backend).data(),
              .stage = name(of.stage).data(),
              .renderer = of.renderer.c_str(),
              .vendor = of.vendor.c_str(),
              .version = of.version.c_str(),
              .pci_address = of.pci_address.c_str(),
              .choice = of.choice.c_str(),
              .missing = ""},
             info, "info");
    });
}

int glsolve_list_devices(glsolve_device_info* infos, size_t room, size_t* count) {
    return guarded([&] {
        thread_local std::vector<DeviceEntry> entries;
        size_t& found = required(count, "count");
        if (room > 0) taken(infos, "infos");
        entries = Device::list();
        for (std::size_t k = 0; k < std::min(room, entries.size()); ++k) {
            const DeviceEntry& of = entries[k];
            give({.size = sizeof(glsolve_device_info),
                  .software = 0,
                  .number = of.number,
                  .max_texture_size = 0,
                  .memory_bytes = of.memory_bytes,
                  .backend = name(of.backend).data(),
                  .stage = "",
                  .renderer = of.name.c_str(),
                  .vendor = "",
                  .version = "",
                  .pci_address = of.pci_address.c_str(),
                  .choice = "",
                  .missing = of.missing.c_str()},
                 element_of(infos, k), "infos");
        }
        found = entries.size();
    });
}
