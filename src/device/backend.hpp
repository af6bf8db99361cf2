/// The narrow interface between methods and devices. Its one verb of work takes a pass as a plain value; it never waits
/// and returns nothing, so no solver can stall by accident. Solvers know no backend, backends know no solver.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <glsolve/device.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/host_clock.hpp"
#include "base/parallel.hpp"
#include "device/layout.hpp"
#include "device/pass_call.hpp"
#include "device/reduction_plan.hpp"

namespace glsolve::inline v0_1 {

/// What a texel holds: four floats (RGBA32F), four integers (RGBA32I), or four floats in half precision (RGBA16F),
/// which passes read as floats and never write.
enum class Element : std::uint8_t { real, integer, half };

constexpr std::int64_t bytes_a_texel(Element element) { return element == Element::half ? 8 : 16; }

/// What is done with a texture of the caller's.
enum class TextureUse : std::uint8_t {
    read,
    written,
    mask  ///< read, and bytes will do
};

/// What is known of one.
struct OutsideShape {
    Extent extent;
    int components = 4;
};

/// What a pass's shader has beside its row.
struct ShaderVariant {
    std::string definitions = {};  ///< compile-time constants, "COUNT 5", one a line
    std::string source = {};       ///< text of the caller's, for PassRow::user_glsl
    friend bool operator==(const ShaderVariant&, const ShaderVariant&) = default;
};

/// The number by which compilers name the caller's own text in their messages.
inline constexpr int callers_source = 7;

/// A read-back under way.
struct Ticket {
    std::uint64_t value = 0;
};

/// A pass, and marks of when the device comes to it and is through with it. Between two laps it had nothing to do, or
/// transfers. While each pass is waited for (Backend::profile): no marks, but seconds by the host's clock.
struct Lap {
    PassId pass{};
    Ticket begin = {}, end = {};
    double clock_begin = 0, clock_end = 0;
};

/// What is done with texels of a storage while they are at hand: four floats each, row after row. Who fills may be
/// asked twice, only writes (reading is slow or undefined there), and leaves the backend alone meanwhile.
using FillTexels = std::function<void(std::span<float>)>;
using UseTexels = std::function<void(std::span<const float>)>;
using UseDoubles = std::function<void(std::span<const double>)>;

/// What a backend has done so far.
struct Counters {
    std::uint64_t passes = 0;       ///< passes encoded
    std::uint64_t reads = 0;        ///< transfers to the host
    std::uint64_t uploads = 0;      ///< transfers from the host
    std::uint64_t allocations = 0;  ///< storages allocated, spare ones included
    std::uint64_t waits = 0;        ///< times the host waited for the device
    std::int64_t bytes = 0;         ///< device memory held
    HostClock compiling;            ///< when the host waited for compilers, or for programs kept on disk
    HostClock uploading;            ///< when it copied to the device
};

/// Time spent in one kind of pass.
struct PassTime {
    std::uint64_t calls = 0;
    double seconds = 0;
    double bytes = 0;  ///< texels read and written once each
};

/// What backends differ in, for who chooses between ways of computing.
struct Capabilities {
    bool textures = false;      ///< takes textures of the caller's
    bool glsl = false;          ///< takes the caller's GLSL
    bool groups = false;        ///< work groups add up what they share
    bool graphs = false;        ///< sequences of passes that come again are launched as one
    bool ordered = false;       ///< takes passes whose texels wait for one another (PassRow::ordered)
    bool ranges = false;        ///< takes passes that write integers, or elsewhere (PassRow::needs_compute_stage)
    bool asynchronous = false;  ///< ... and such as make several steps without waiting (PassRow::asynchronous)
    bool on_processor = false;  ///< computes on the host's own cores
    bool by_numbers = false;    ///< ... and kernels read numbers one by one, where a renderer fetches texels
    /// Residuals of corrections are better computed there, in two floats, than on the host.
    bool corrections = false;
    bool doubles = false;  ///< storages of real numbers may hold doubles (Backend::in_doubles)
};

/// Devices share it with the solvers made on them: it ends with the last of these.
class Backend : public std::enable_shared_from_this<Backend> {
  public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    virtual const DeviceInfo& info() const = 0;
    virtual Capabilities can() const = 0;
    /// DeviceInfo::choice from now on.
    virtual void describe_choice(std::string /*choice*/) {}

    /// Of the host's work in each session (ThreadLimit).
    /// What is measured on this device is kept in the folder; empty: in the process alone. `anew`: what was kept before
    /// does not count.
    struct KeptIn {
        std::string folder;
        bool anew = false;
    };
    const KeptIn& kept_in() const { return kept_in_; }
    void keep_in(KeptIn where) { kept_in_ = std::move(where); }

    int threads() const { return threads_; }
    void use_threads(int threads) { threads_ = threads; }

    /// The same device as a backend whose storages of real numbers hold doubles, and whose passes compute in double
    /// precision; its storages are its own. Null: the device has none.
    virtual std::shared_ptr<Backend> in_doubles() { return nullptr; }
    virtual bool holds_doubles() const { return false; }

    // --- storage ---------------------------------------------------------------------------------------------------
    /// New storage, of zeros; `label` names it in debuggers. Throws DeviceError when memory is short.
    StorageId allocate(Extent extent, Element element, std::string_view label);
    void release(StorageId storage) noexcept;
    Extent extent(StorageId storage) const { return shape_.at(storage.value).extent; }
    Element element(StorageId storage) const { return shape_.at(storage.value).element; }
    std::int64_t bytes(StorageId storage) const { return bytes(extent(storage), element(storage)); }
    std::int64_t bytes(Extent extent, Element element) const {
        return extent.texels() * bytes_a_texel(element) * (holds_doubles() && element == Element::real ? 2 : 1);
    }

    /// Gives spare memory back to the device.
    virtual void trim() {}

    /// Names a texture of the caller's, which stays the caller's, or a layer of it (-1: it has none), until `release`.
    /// Throws InvalidInput, which begins with `role`, where this device has none such, or where it cannot be used so.
    StorageId adopt(std::uint32_t texture, TextureUse use, std::string_view role, int layer = -1);
    /// What OpenGL calls the texture of a storage, for who shares it with another interface; 0: it has none.
    virtual std::uint32_t native_texture(StorageId /*storage*/) const { return 0; }
    /// How many numbers a texel of it holds; 4 of other storages.
    int components(StorageId storage) const { return shape_.at(storage.value).components; }

    /// Fills a storage from the host: four values for each texel, row after row. Halves are the nearest to these
    /// floats, the same on all devices.
    void upload(StorageId storage, std::span<const float> texels);
    void upload(StorageId storage, std::span<const std::int32_t> texels);
    /// Doubles as they are; only where storages hold such.
    void upload(StorageId storage, std::span<const double> texels);
    /// Floats that are made where the device takes them from, without a copy; `fill` fills all of them.
    void upload(StorageId storage, const FillTexels& fill);

    // --- work --------------------------------------------------------------------------------------------------------
    /// A public call begins (OpenGL: the host's state is saved) and ends (it is restored). May nest.
    virtual void enter() {}
    virtual void leave() noexcept {}
    /// The same as `enter` for a call that only takes, or forgets, what was asked for earlier: less is saved.
    virtual void enter_to_collect() { enter(); }

    /// Registers further text for the shader of a pass; the same text gives the same id.
    VariantId variant(std::string_view definitions, std::string_view source = {});
    const ShaderVariant& variant(VariantId id) const { return variants_.at(id.value); }

    /// Checks the call against its row and runs it. Never waits.
    void encode(const PassCall& call);

    /// While this is `on`, passes are made ready and need not be run: shaders are compiled and textures allocated. A
    /// backend may leave most texels as they are. It must not change the caller's textures, nor storages that hold
    /// only zeros.
    virtual void rehearse(bool /*on*/) {}

    /// Does the device compile several programs at a time? Then `begin_programs` is worth while.
    virtual bool compiles_in_parallel() const { return false; }
    /// As long as it is `on` passes are not run: their programs are begun with, and nobody waits for them.
    virtual void begin_programs(bool /*on*/) {}

    /// Ends a batch of passes: the device begins to work on them.
    virtual void flush() {}

    /// How this backend adds up, and the extent of the partial sums of a pass over `domain`.
    virtual ReductionShape reduction_shape(Summed what = Summed::vectors) const = 0;
    /// Whether the first stage of a reduction over `input` can go on to the end in the same dispatch.
    virtual bool reduces_at_once(Extent /*input*/) const { return false; }
    virtual Extent partial_extent(Extent domain) const { return domain; }

    // --- reading back ------------------------------------------------------------------------------------------------
    /// Queues a copy to the host, of all lines or of some. Never waits.
    Ticket read_later(StorageId storage) { return read_later(storage, {0, extent(storage).height}); }
    Ticket read_later(StorageId storage, Lines lines);
    /// Takes the copy if it has arrived; never waits.
    bool try_collect(Ticket ticket, std::span<float> texels);
    /// Takes the copy; the only call that may wait for the device. Texels of another size: Error, and the copy is gone.
    void collect(Ticket ticket, std::span<float> texels);
    /// The same without one more copy: `use` sees the texels where they have arrived. It may read another storage.
    void collect(Ticket ticket, const UseTexels& use);
    /// The same where storages hold doubles, without rounding.
    void collect_doubles(Ticket ticket, const UseDoubles& use);
    /// read_later and collect in one.
    void read(StorageId storage, std::span<float> texels);
    void read(StorageId storage, const UseTexels& use);

    /// When the device comes to this point of its work. Never waits.
    Ticket mark_time();
    /// Seconds, since some moment, of a mark that the device has come to. Never waits.
    virtual std::optional<double> try_time(Ticket mark) = 0;
    /// Nobody will ask for that copy, or that time.
    virtual void forget(Ticket /*ticket*/) {}

    // --- measuring ---------------------------------------------------------------------------------------------------
    const Counters& counters() const { return counters_; }
    /// Marks the time before and behind each pass from now on; the laps since then are handed out by `take_laps`. Never
    /// waits.
    void mark_laps(bool on) { marks_laps_ = on; }
    std::vector<Lap> take_laps() { return std::exchange(laps_, {}); }
    /// Waits until everything encoded is done. For clocks, not for solvers.
    virtual void finish() {}
    /// Times each pass from now on; slow, since passes no longer overlap.
    void profile(bool on);
    const std::map<PassId, PassTime>& profile() const { return times_; }

  protected:
    struct Shape {
        Extent extent;
        Element element = Element::real;
        int components = 4;
        bool has_past = false;  ///< the last pass read what it wrote: what was there before is in the other texture
    };

    virtual void do_allocate(StorageId storage, const Shape& shape, std::string_view label) = 0;
    virtual void do_release(StorageId storage) noexcept = 0;
    virtual OutsideShape do_adopt(StorageId storage, std::uint32_t texture, int layer, TextureUse use,
                                  std::string_view role);
    virtual void do_mark_time(Ticket mark) = 0;
    /// Texels as the storage holds them: halves for halves, doubles for doubles.
    virtual void do_upload(StorageId storage, const void* texels) = 0;
    virtual void do_upload(StorageId storage, const FillTexels& fill) = 0;
    virtual void do_encode(const PassCall& call, const PassRow& row) = 0;
    virtual void do_read(StorageId storage, Lines lines, Ticket ticket) = 0;
    virtual bool do_try_collect(Ticket ticket, const UseTexels& use) = 0;
    virtual void do_collect(Ticket ticket, const UseTexels& use) = 0;
    virtual void do_collect_doubles(Ticket ticket, const UseDoubles& use);
    /// The rectangle of texels a call is evaluated over.
    Extent domain(const PassCall& call, const PassRow& row) const;

    Counters counters_;

  private:
    void check(const PassCall& call, const PassRow& row) const;
    void check_steps(const PassCall& call, const PassRow& row) const;
    void remember_pasts(const PassCall& call, const PassRow& row);
    double traffic(const PassCall& call, const PassRow& row) const;
    HostClock::Running count_upload();

    std::map<std::uint32_t, Shape> shape_;
    std::vector<ShaderVariant> variants_{ShaderVariant{}};
    std::uint32_t last_storage_ = 0;
    std::uint64_t last_ticket_ = 0;
    KeptIn kept_in_;
    int threads_ = 0;
    bool profiling_ = false, marks_laps_ = false;
    std::vector<Lap> laps_;
    std::map<PassId, PassTime> times_;
};

/// The device, as a key of what is kept for it.
std::string device_key(const Backend& backend);

/// Between enter and leave of a backend.
class Session {
  public:
    explicit Session(Backend& backend) : backend_(backend), limit_(backend.threads()) { backend_.enter(); }
    ~Session() { backend_.leave(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

  private:
    Backend& backend_;
    ThreadLimit limit_;
};

/// Between enter_to_collect and leave. What needs more may open a Session within it.
class CollectSession {
  public:
    explicit CollectSession(Backend& backend) : backend_(backend) { backend_.enter_to_collect(); }
    ~CollectSession() { backend_.leave(); }
    CollectSession(const CollectSession&) = delete;
    CollectSession& operator=(const CollectSession&) = delete;

  private:
    Backend& backend_;
};

/// While it lives, a backend's passes are only rehearsed. Do not nest.
class Rehearsal {
  public:
    explicit Rehearsal(Backend& backend) : backend_(backend) { backend_.rehearse(true); }
    ~Rehearsal() { backend_.rehearse(false); }
    Rehearsal(const Rehearsal&) = delete;
    Rehearsal& operator=(const Rehearsal&) = delete;

  private:
    Backend& backend_;
};

/// Where the device compiles in parallel, begins the programs of the passes that `encode` encodes, and runs none.
template <class Encode>
void begin_programs_of(Backend& backend, const Encode& encode) {
    struct Only {
        explicit Only(Backend& b) : backend(b) { backend.begin_programs(true); }
        ~Only() { backend.begin_programs(false); }
        Only(const Only&) = delete;
        Only& operator=(const Only&) = delete;
        Backend& backend;
    };
    if (!backend.compiles_in_parallel()) return;
    const Only begun(backend);
    encode();
}

/// Makes these passes; where the device compiles in parallel, after all of their programs have been begun.
template <class Encode>
void with_programs_begun(Backend& backend, const Encode& encode) {
    begin_programs_of(backend, encode);
    encode();
}

/// Owns a storage: move-only.
class Storage {
  public:
    Storage() = default;
    Storage(Backend& backend, Extent extent, Element element, std::string_view label)
        : backend_(&backend), id_(backend.allocate(extent, element, label)) {}
    Storage(Storage&& other) noexcept : backend_(other.backend_), id_(other.id_) { other.id_ = {}; }
    Storage& operator=(Storage&& other) noexcept {
        if (this != &other) {
            reset();
            backend_ = other.backend_;
            id_ = other.id_;
            other.id_ = {};
        }
        return *this;
    }
    ~Storage() { reset(); }

    StorageId id() const { return id_; }
    Backend& backend() const { return *backend_; }

  private:
    void reset() noexcept {
        if (id_) backend_->release(id_);
    }

    Backend* backend_ = nullptr;
    StorageId id_;
};

}  // namespace glsolve::inline v0_1
