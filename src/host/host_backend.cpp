#include "host/host_backend.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <glsolve/error.hpp>
#include <new>
#include <unordered_map>
#include <utility>

#include "base/half.hpp"
#include "base/large_pages.hpp"
#include "host/pass.hpp"

namespace glsolve::inline v0_1::GLSOLVE_HOST {
namespace {

constexpr KernelFunction kernels[] = {
#define PASS(name) GLSOLVE_HOST::name,
#include "pass_names.inc"
#undef PASS
};

class HostBackend final : public Backend {
  public:
    explicit HostBackend(std::string choice) {
        info_.backend = BackendKind::host;
        info_.renderer = "host reference (C++)";
        info_.choice = std::move(choice);
        info_.max_texture_size = 32768;  // as large devices have it, so that the same matrices fit
        info_.version = "single and double precision";
    }

    const DeviceInfo& info() const override { return info_; }
    Capabilities can() const override {
        return {.ordered = true,
                .ranges = true,
                .asynchronous = true,
                .on_processor = true,
                .by_numbers = true,
                .doubles = true};
    }
    std::shared_ptr<Backend> in_doubles() override {
        if (holds_doubles()) return shared_from_this();
        if (!doubles_) doubles_ = host_doubles::make_backend(info_.choice);
        return doubles_;
    }
    bool holds_doubles() const override { return GLSOLVE_HOST::in_doubles; }
    /// Nothing has to be compiled; textures are allocated.
    void rehearse(bool on) override { rehearses_ = on; }
    ReductionShape reduction_shape(Summed /*what*/) const override { return reduction; }
    Extent partial_extent(Extent domain) const override { return pieces_of(domain); }
    std::optional<double> try_time(Ticket mark) override {
        const auto found = marks_.extract(mark.value);
        return found.empty() ? std::nullopt : std::optional(found.mapped());
    }
    void forget(Ticket ticket) override {
        marks_.erase(ticket.value);
        reads_.erase(ticket.value);
    }

  protected:
    void do_allocate(StorageId storage, const Shape& shape, std::string_view) override {
        named_.emplace(storage.value, Named{make(shape), {}});
    }

    void do_release(StorageId storage) noexcept override {
        const Named& named = named_.at(storage.value);
        counters_.bytes -= bytes(storage) * (named.back.real.empty() && named.back.integer.empty() ? 1 : 2);
        named_.erase(storage.value);
    }

    void do_upload(StorageId storage, const void* data) override {
        Texels& t = at(storage);
        if (element(storage) == Element::half) {
            const auto* halves = static_cast<const std::uint16_t*>(data);
            for (vec4& texel : t.real) {
                for (int lane = 0; lane < 4; ++lane) texel[lane] = float_of_half(*halves++);
            }
            return;
        }
        void* to = t.real.empty() ? static_cast<void*>(t.integer.data()) : static_cast<void*>(t.real.data());
        std::memcpy(to, data, static_cast<std::size_t>(bytes(storage)));
    }

    void do_encode(const PassCall& call, const PassRow& row) override {
        Pass pass{.call = call, .definitions = definitions(call.variant), .domain = domain(call, row)};
        if (row.domain == Domain::window) pass.origin = {call.integer[0], call.integer[1]};
        for (std::size_t i = 0; i < row.inputs.size(); ++i) pass.inputs[i] = &at(call.input[i]);
        for (std::size_t i = 0; i < row.scalars.size(); ++i) pass.scalars[i] = value(call.scalar[i]);
        if (call.status) {
            const vec4 stops = at(call.status).real[0];
            pass.stopped = row.each_apart ? stops : vec4(stops.x);
        }
        // A pass that writes what it reads writes into the back, which takes the name afterwards.
        for (std::size_t i = 0; i < row.outputs.size(); ++i) {
            const bool beside = reads(call, row, call.output[i]) && !row.asynchronous && !row.ordered;
            pass.outputs[i] = beside ? &back(call.output[i]) : &at(call.output[i]);
        }
        if (row.asynchronous) pass.other = &back(call.output[0]);
        if (rehearses_) return;
        pass.grain = grain_of(pass, row);
        kernels[static_cast<std::size_t>(call.pass)](pass);
        if (row.asynchronous) {
            if (call.integer[row.integers.size() - 1] % 2 == 1) exchange(call.output[0]);
            return;
        }
        if (row.ordered) return;
        for (std::size_t i = 0; i < row.outputs.size(); ++i) {
            if (reads(call, row, call.output[i])) exchange(call.output[i]);
        }
    }

    void do_mark_time(Ticket mark) override {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        marks_.emplace(mark.value, std::chrono::duration<double>(now).count());
    }

    void do_read(StorageId storage, Lines lines, Ticket ticket) override {
        const std::vector<vec4>& all = at(storage).real;
        const std::ptrdiff_t width = extent(storage).width, first = lines.first * width;
        reads_.emplace(ticket.value, std::vector<vec4>(all.begin() + first, all.begin() + first + lines.count * width));
    }

    void do_upload(StorageId storage, const FillTexels& fill) override {  // of floats only
        std::vector<vec4>& texels = at(storage).real;
        fill({reinterpret_cast<float*>(texels.data()), texels.size() * 4});
    }

    bool do_try_collect(Ticket ticket, const UseTexels& use) override {
        do_collect(ticket, use);
        return true;
    }

    void do_collect(Ticket ticket, const UseTexels& use) override { hand_out<float>(ticket, use); }
    void do_collect_doubles(Ticket ticket, const UseDoubles& use) override { hand_out<double>(ticket, use); }

  private:
    template <class Number, class Use>
    void hand_out(Ticket ticket, const Use& use) {
        const auto found = reads_.extract(ticket.value);
        if (found.empty()) throw Error("collect: this read-back was never asked for, or was taken already");
        const std::vector<vec4>& texels = found.mapped();
        const std::span numbers(reinterpret_cast<const Real*>(texels.data()), texels.size() * 4);
        if constexpr (std::is_same_v<Number, Real>) {
            use(numbers);
        } else {
            use(std::vector<Number>(numbers.begin(), numbers.end()));
        }
    }

    /// What a StorageId names. A pass that reads what it writes writes into the back, which then takes the name.
    struct Named {
        Texels front, back;
    };

    /// Pieces of the domain that are worth a thread: those that come from so many texels of the largest input, or all
    /// where texels wait for one another.
    static Offset grain_of(const Pass& pass, const PassRow& row) {
        constexpr Offset worth_a_thread = 1 << 12;
        const Offset pieces = pieces_of(pass.domain).texels();
        if (row.ordered) return pieces;
        Offset read = pass.domain.texels();
        for (std::size_t i = 0; i < row.inputs.size(); ++i) read = std::max(read, pass.inputs[i]->extent.texels());
        return worth_a_thread * pieces / std::max(read, Offset{1});
    }

    static bool reads(const PassCall& call, const PassRow& row, StorageId storage) {
        const auto inputs = std::span(call.input).first(row.inputs.size());
        return std::find(inputs.begin(), inputs.end(), storage) != inputs.end();
    }

    Texels& at(StorageId storage) { return named_.at(storage.value).front; }
    Texels& back(StorageId storage) {
        Named& named = named_.at(storage.value);
        if (named.back.real.empty() && named.back.integer.empty())
            named.back = make({extent(storage), element(storage)});
        return named.back;
    }
    void exchange(StorageId storage) {
        Named& named = named_.at(storage.value);
        std::swap(named.front, named.back);
    }

    Texels make(const Shape& shape) {
        Texels t{shape.extent, {}, {}};
        const auto count = static_cast<std::size_t>(shape.extent.texels());
        try {
            if (shape.element == Element::integer) {
                make_room(t.integer, count);
                t.integer.resize(count);
            } else {
                make_room(t.real, count);
                t.real.resize(count);
            }
        } catch (const std::bad_alloc&) {
            throw DeviceError("host backend: out of memory for a rectangle of " + std::to_string(count) + " texels");
        }
        ++counters_.allocations;
        counters_.bytes += bytes(shape.extent, shape.element);
        return t;
    }

    /// factor * n / d, zero where d is.
    vec4 value(const ScalarArg& s) {
        const auto part = [&](StorageId id) { return id ? at(id).real[0] : vec4(1); };
        const vec4 n = part(s.n), d = part(s.d);
        return s.factor * glsl::mix(n / d, vec4(0), glsl::equal(d, vec4(0)));
    }

    const Definitions& definitions(VariantId id) {
        const auto found = definitions_.find(id.value);
        if (found != definitions_.end()) return found->second;
        return definitions_.emplace(id.value, Definitions(variant(id).definitions)).first->second;
    }

    DeviceInfo info_;
    std::shared_ptr<Backend> doubles_;
    std::unordered_map<std::uint32_t, Named> named_;
    std::unordered_map<std::uint64_t, std::vector<vec4>> reads_;
    std::unordered_map<std::uint64_t, double> marks_;
    std::unordered_map<std::uint32_t, Definitions> definitions_;
    bool rehearses_ = false;
};

}  // namespace

std::unique_ptr<Backend> make_backend(std::string choice) { return std::make_unique<HostBackend>(std::move(choice)); }

}  // namespace glsolve::inline v0_1::GLSOLVE_HOST
