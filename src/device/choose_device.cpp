#include "device/choose_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <glsolve/error.hpp>
#include <string>

namespace glsolve::inline v0_1 {
namespace {

std::string lower(std::string_view text) {
    std::string made(text);
    std::ranges::transform(made, made.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return made;
}

bool is_named(const DeviceEntry& entry, std::string_view wanted) {
    int number = 0;
    const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (error == std::errc{} && end == wanted.data() + wanted.size()) return entry.number == number;
    return lower(entry.pci_address) == lower(wanted) || lower(entry.name).find(lower(wanted)) != std::string::npos;
}

}  // namespace

int chosen_device(const std::vector<DeviceEntry>& entries, std::string_view wanted) {
    if (wanted.empty()) return 0;
    const auto found = std::ranges::find_if(entries, [&](const DeviceEntry& e) { return is_named(e, wanted); });
    if (found != entries.end()) return found->number;
    std::string there;
    for (const DeviceEntry& e : entries) there += fmt::format("{}{} ({})", there.empty() ? "" : ", ", e.number, e.name);
    throw InvalidInput(fmt::format("device '{}': there is none of that number, PCI address or name; there {} {}",
                                   wanted, entries.size() == 1 ? "is" : "are", there.empty() ? "none" : there));
}

}  // namespace glsolve::inline v0_1
