#include "device/backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <glsolve/error.hpp>

#include "base/half.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

UseTexels copy_into(std::span<float> to) {
    return [to](std::span<const float> from) {
        if (from.size() != to.size()) throw Error("collect: four floats for each texel are needed");
        parallel_copy(to.data(), from.data(), from.size_bytes());
    };
}

double clock_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

StorageId Backend::allocate(Extent extent, Element element, std::string_view label) {
    const StorageId storage{++last_storage_};
    const Shape shape{extent, element};
    do_allocate(storage, shape, label);
    shape_.emplace(storage.value, shape);
    return storage;
}

StorageId Backend::adopt(std::uint32_t texture, TextureUse use, std::string_view role, int layer) {
    const StorageId storage{++last_storage_};
    const OutsideShape shape = do_adopt(storage, texture, layer, use, role);
    shape_.emplace(storage.value, Shape{.extent = shape.extent, .components = shape.components});
    return storage;
}

OutsideShape Backend::do_adopt(StorageId /*storage*/, std::uint32_t texture, int /*layer*/, TextureUse /*use*/,
                               std::string_view role) {
    throw InvalidInput(
        fmt::format("{}: texture {} belongs to OpenGL, and this device is the host; solve on a device of "
                    "Device::adopt_current_opengl",
                    role, texture));
}

Ticket Backend::mark_time() {
    const Ticket mark{++last_ticket_};
    do_mark_time(mark);
    return mark;
}

void Backend::release(StorageId storage) noexcept {
    do_release(storage);
    shape_.erase(storage.value);
}

HostClock::Running Backend::count_upload() {
    ++counters_.uploads;
    return HostClock::Running(counters_.uploading);
}

void Backend::upload(StorageId storage, std::span<const float> texels) {
    if (element(storage) == Element::integer
        || static_cast<std::int64_t>(texels.size()) != extent(storage).texels() * 4) {
        throw Error("upload: four floats for each texel are needed");
    }
    const HostClock::Running timed = count_upload();
    shape_.at(storage.value).has_past = false;
    if (element(storage) == Element::real && holds_doubles()) {
        do_upload(storage, std::vector<double>(texels.begin(), texels.end()).data());
        return;
    }
    if (element(storage) == Element::real) {
        do_upload(storage, texels.data());
        return;
    }
    std::vector<std::uint16_t> halves(texels.size());
    parallel_each(halves.size(), [&](std::size_t i) { halves[i] = half_of(texels[i]); });
    do_upload(storage, halves.data());
}

void Backend::upload(StorageId storage, std::span<const std::int32_t> texels) {
    if (element(storage) != Element::integer
        || static_cast<std::int64_t>(texels.size()) != extent(storage).texels() * 4) {
        throw Error("upload: four integers for each texel are needed");
    }
    const HostClock::Running timed = count_upload();
    do_upload(storage, texels.data());
}

void Backend::upload(StorageId storage, std::span<const double> texels) {
    if (element(storage) != Element::real || !holds_doubles()
        || static_cast<std::int64_t>(texels.size()) != extent(storage).texels() * 4) {
        throw Error("upload: four doubles for each texel of a storage that holds doubles are needed");
    }
    const HostClock::Running timed = count_upload();
    shape_.at(storage.value).has_past = false;
    do_upload(storage, texels.data());
}

void Backend::upload(StorageId storage, const FillTexels& fill) {
    if (element(storage) != Element::real) throw Error("upload: floats are made in place for storages of floats alone");
    if (holds_doubles()) {
        std::vector<float> texels(static_cast<std::size_t>(extent(storage).texels()) * 4);
        fill(texels);
        upload(storage, texels);
        return;
    }
    const HostClock::Running timed = count_upload();
    shape_.at(storage.value).has_past = false;
    do_upload(storage, fill);
}

VariantId Backend::variant(std::string_view definitions, std::string_view source) {
    ShaderVariant wanted{std::string(definitions), std::string(source)};
    const auto found = std::ranges::find(variants_, wanted);
    const auto id = static_cast<std::uint32_t>(found - variants_.begin());
    if (found == variants_.end()) variants_.push_back(std::move(wanted));
    return {id};
}

void Backend::encode(const PassCall& call) {
    const PassRow& row = glsolve::row(call.pass);
    check(call, row);
    if (row.asynchronous) check_steps(call, row);
    remember_pasts(call, row);
    ++counters_.passes;
    if (!profiling_) {
        Lap lap{.pass = call.pass};
        if (marks_laps_) lap.begin = mark_time();
        do_encode(call, row);
        if (!marks_laps_) return;
        lap.end = mark_time();
        laps_.push_back(lap);
        return;
    }
    finish();
    const double begin = clock_seconds();
    do_encode(call, row);
    finish();
    const double end = clock_seconds();
    PassTime& time = times_[call.pass];
    ++time.calls;
    time.seconds += end - begin;
    if (marks_laps_) laps_.push_back({.pass = call.pass, .clock_begin = begin, .clock_end = end});
    time.bytes += traffic(call, row);
}

Ticket Backend::read_later(StorageId storage, Lines lines) {
    const Ticket ticket{++last_ticket_};
    ++counters_.reads;
    do_read(storage, lines, ticket);
    return ticket;
}

bool Backend::try_collect(Ticket ticket, std::span<float> texels) { return do_try_collect(ticket, copy_into(texels)); }

void Backend::collect(Ticket ticket, std::span<float> texels) { collect(ticket, copy_into(texels)); }

void Backend::collect(Ticket ticket, const UseTexels& use) {
    if (do_try_collect(ticket, use)) return;
    ++counters_.waits;
    do_collect(ticket, use);
}

void Backend::collect_doubles(Ticket ticket, const UseDoubles& use) {
    ++counters_.waits;
    do_collect_doubles(ticket, use);
}

void Backend::do_collect_doubles(Ticket /*ticket*/, const UseDoubles& /*use*/) {
    throw Error("collect: this backend holds no doubles");
}

void Backend::read(StorageId storage, std::span<float> texels) { collect(read_later(storage), texels); }
void Backend::read(StorageId storage, const UseTexels& use) { collect(read_later(storage), use); }

void Backend::profile(bool on) {
    profiling_ = on;
    if (on) times_.clear();
}

Extent Backend::domain(const PassCall& call, const PassRow& row) const {
    switch (row.domain) {
        case Domain::output:
            return extent(call.output[0]);
        case Domain::input:
        case Domain::ranges:
            return extent(call.input[0]);
        case Domain::window:
            return {call.integer[2], call.integer[3]};
    }
    return {};
}

/// Wrong calls are found here, by name, on every backend alike.
void Backend::check(const PassCall& call, const PassRow& row) const {
    const auto fail = [&](std::string_view argument, std::string_view what) {
        throw Error(fmt::format("pass {}: {} {}", row.name, argument, what));
    };
    const auto known = [&](StorageId storage, std::string_view argument) {
        if (!shape_.contains(storage.value)) fail(argument, "names no storage");
    };
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        known(call.input[i], row.inputs[i].name);
        if ((element(call.input[i]) == Element::integer) != row.inputs[i].integer) {
            fail(row.inputs[i].name, "has the wrong element type");
        }
    }
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        known(call.output[i], row.outputs[i]);
        if (element(call.output[i]) != (row.makes_integers(i) ? Element::integer : Element::real))
            fail(row.outputs[i], "has the wrong element type");
    }
    const Extent over = domain(call, row);
    for (std::size_t i = 0; row.elementwise && i < row.inputs.size(); ++i) {
        if (extent(call.input[i]) != over) fail(row.inputs[i].name, "has another extent than the pass");
    }
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        if (row.domain == Domain::window) {
            const Extent whole = extent(call.output[i]);
            const auto [x, y, columns, rows] = std::array{call.integer[0], call.integer[1], over.width, over.height};
            if (x < 0 || y < 0 || columns < 1 || rows < 1 || x + columns > whole.width || y + rows > whole.height) {
                fail(row.outputs[i], "does not hold the window");
            }
            continue;
        }
        if (row.domain == Domain::ranges) continue;  // the kernel knows
        const Extent expected = is_sum(row.outputs[i]) ? partial_extent(over) : over;
        if (extent(call.output[i]) != expected) fail(row.outputs[i], "has another extent than the pass");
    }
    for (std::size_t i = 0; i < row.scalars.size(); ++i) {
        for (const StorageId s : {call.scalar[i].n, call.scalar[i].d}) {
            if (s && (!shape_.contains(s.value) || extent(s) != Extent{1, 1})) {
                fail(row.scalars[i], "is not made of 1 x 1 storages");
            }
        }
    }
    if (call.status && !row.guarded) fail("status", "is given, but the pass is not guarded");
}

void Backend::check_steps(const PassCall& call, const PassRow& row) const {
    const std::int32_t steps = call.integer[row.integers.size() - 1];
    if (steps < 1 || steps > most_steps_a_pass || call.table.size() < 2 * static_cast<std::size_t>(steps)) {
        throw Error(fmt::format("pass {}: steps are {}; there may be 1 to {}, with two coefficients each", row.name,
                                steps, most_steps_a_pass));
    }
    if (call.output[0] != call.input[0] || !shape_.at(call.output[0].value).has_past) {
        throw Error(
            fmt::format("pass {}: {} must be what a pass has written over its own input", row.name, row.outputs[0]));
    }
}

void Backend::remember_pasts(const PassCall& call, const PassRow& row) {
    const auto inputs = std::span(call.input).first(row.inputs.size());
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        shape_.at(call.output[i].value).has_past =
            std::find(inputs.begin(), inputs.end(), call.output[i]) != inputs.end();
    }
}

double Backend::traffic(const PassCall& call, const PassRow& row) const {
    double bytes = 0;
    if (row.domain == Domain::window) return 32 * static_cast<double>(domain(call, row).texels());
    const auto inputs = std::span(call.input).first(row.inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto before = inputs.first(i);  // what is read under two names is read once
        if (std::find(before.begin(), before.end(), inputs[i]) != before.end()) continue;
        bytes += static_cast<double>(this->bytes(inputs[i]));
    }
    for (std::size_t i = 0; i < row.outputs.size(); ++i) bytes += static_cast<double>(this->bytes(call.output[i]));
    return bytes;
}

std::string device_key(const Backend& backend) {
    const DeviceInfo& device = backend.info();
    return fmt::format("device {}, {}, {}{}", name(device.backend), device.renderer, device.version,
                       backend.holds_doubles() ? ", doubles" : "");
}

}  // namespace glsolve::inline v0_1
