#include "cuda/cuda_backend.hpp"

#include <fmt/format.h>

#include <exception>
#include <glsolve/error.hpp>
#include <utility>
#include <vector>

#include "cuda/pass_runner.hpp"
#include "cuda/readback.hpp"
#include "cuda/staging.hpp"
#include "cuda/time_marks.hpp"
#include "device/rates.hpp"
#include "device/self_test.hpp"
#include "kernels/geometry.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

class Cuda final : public CudaBackend {
  public:
    Cuda(std::shared_ptr<Context> context, std::shared_ptr<Compilers> compilers, int number,
         const DeviceOptions& options, bool double_reals, std::shared_ptr<Backend> opengl)
        : shared_context_(std::move(context)),
          context_(*shared_context_),
          compilers_(std::move(compilers)),
          double_reals_(double_reals),
          program_folder_(options.program_cache),
          warn_(options.warn),
          queue_(context_),
          memory_(context_, [this] { queue_.submit(); }),
          storages_(memory_),
          programs_(context_, compilers_, double_reals, options.program_cache, options.warn, counters_.compiling),
          staging_(context_),
          readback_(context_),
          time_marks_(context_) {
        const Session inside(*this);
        passes_ = std::make_unique<PassRunner>(context_, queue_, storages_, programs_, memory_, double_reals);
        if (opengl) textures_ = std::make_unique<GlTextures>(context_, storages_, std::move(opengl));
        passes_->take_textures(textures_.get());
        count_memory();
        const FoundDevice& device = context_.device();
        int version = 0;
        context_.driver().DriverGetVersion(&version);
        info_.backend = BackendKind::cuda;
        info_.context = "CUDA";
        info_.renderer = device.name;
        info_.vendor = "NVIDIA Corporation";
        info_.version = fmt::format("CUDA {}.{}, compute capability {}.{}, compiler NVRTC {}.{}", version / 1000,
                                    version % 1000 / 10, device.architecture / 10, device.architecture % 10,
                                    compilers_->compiler().major, compilers_->compiler().minor);
        info_.number = number;
        info_.pci_address = device.pci_address;
        info_.memory_bytes = device.memory_bytes;
        info_.max_texture_size = 32768;
        info_.max_inputs = max_inputs;
        info_.max_outputs = max_outputs;
        info_.stages = {{.stage = Stage::automatic, .available = true}};
    }

    ~Cuda() override {
        const CurrentIfPossible current(context_);
        context_.driver().StreamSynchronize(context_.stream());  // what is under way reads and writes our memory
        queue_.forget_graphs();                                  // before the programs that are in them
    }

    std::shared_ptr<Backend> in_doubles() override {
        if (double_reals_) return shared_from_this();
        if (!doubles_) {
            const DeviceOptions options{.program_cache = program_folder_, .warn = warn_};
            doubles_ = std::make_shared<Cuda>(shared_context_, compilers_, info_.number, options, true, nullptr);
        }
        return doubles_;
    }
    bool holds_doubles() const override { return double_reals_; }

    const DeviceInfo& info() const override { return info_; }
    Capabilities can() const override {
        return {.textures = textures_ != nullptr,
                .glsl = true,
                .groups = true,
                .graphs = true,
                .ordered = true,
                .ranges = true,
                .asynchronous = true,
                .corrections = true,
                .doubles = true};
    }
    void measure_rates() { info_.stages.front() = remembered_rates(*this, Stage::automatic, RatesOf::all); }
    ProgramCounts programs() const override { return programs_.counts(); }
    std::uint64_t graphs_launched() const override { return queue_.graphs_launched(); }
    void describe_choice(std::string choice) override { info_.choice = std::move(choice); }

    ReductionShape reduction_shape(Summed what) const override {
        return glsolve::reduction_shape(Stage::compute, false, what);
    }
    bool reduces_at_once(Extent input) const override {
        return reduced(input, reduction_shape(Summed::vectors).tile).texels() <= std::int64_t{left_width} * left_width;
    }
    Extent partial_extent(Extent domain) const override { return reduced(domain, work_group(domain).texels()); }

    void enter() override {
        context_.acquire();
        ++depth_;
    }
    void leave() noexcept override {
        if (--depth_ == 0) {
            begin_work();
            if (textures_) textures_->leave();
        }
        context_.release();
    }

    void rehearse(bool on) override { passes_->rehearse(on); }
    bool compiles_in_parallel() const override { return true; }
    void begin_programs(bool on) override { passes_->begin_programs(on); }

    std::optional<double> try_time(Ticket mark) override {
        const Session inside(*this);
        return time_marks_.try_take(mark);
    }
    void forget(Ticket ticket) override {
        time_marks_.drop(ticket);
        readback_.drop(ticket);
    }

    void flush() override {
        const Session inside(*this);
        submit();
    }
    void finish() override {
        const Session inside(*this);
        submit();
        context_.synchronize();
    }
    void trim() override {
        const Session inside(*this);
        submit();
        memory_.trim();
        staging_.trim();
        readback_.trim();
        count_memory();
        if (doubles_) doubles_->trim();
    }

  protected:
    void do_allocate(StorageId storage, const Shape& shape, std::string_view label) override {
        const Session inside(*this);
        submit();
        storages_.allocate(storage, shape.extent, shape.element, bytes(shape.extent, shape.element), label);
        count_memory();
    }
    void do_release(StorageId storage) noexcept override {
        passes_->forget_past(storage);
        if (textures_ && textures_->has(storage)) {
            textures_->release(storage);
        } else {
            storages_.release(storage);
        }
    }

    OutsideShape do_adopt(StorageId storage, std::uint32_t texture, int layer, TextureUse use,
                          std::string_view role) override {
        if (!textures_) {
            throw InvalidInput(fmt::format(
                "{}: texture {} belongs to OpenGL, and this device {}", role, texture,
                double_reals_
                    ? "computes in double precision, which textures cannot hold; another precision can"
                    : "was not opened on an OpenGL context: Device::open({.backend = cuda, .current = true}) is"));
        }
        const Session inside(*this);
        return textures_->adopt(storage, texture, layer, use, role);
    }

    void do_mark_time(Ticket mark) override {
        const Session inside(*this);
        submit();
        time_marks_.queue(mark);
    }

    void do_upload(StorageId storage, const void* texels) override {
        const Session inside(*this);
        submit();
        passes_->forget_past(storage);
        staging_.upload(reinterpret_cast<CUdeviceptr>(storages_.front(storage).data),
                        static_cast<std::size_t>(storages_.bytes(storage)), texels);
    }
    void do_upload(StorageId storage, const FillTexels& fill) override {
        const Session inside(*this);
        submit();
        passes_->forget_past(storage);
        const auto bytes = static_cast<std::size_t>(storages_.bytes(storage));
        staging_.upload(reinterpret_cast<CUdeviceptr>(storages_.front(storage).data), bytes, [&](void* texels) {
            fill({static_cast<float*>(texels), bytes / sizeof(float)});
        });
    }

    void do_encode(const PassCall& call, const PassRow& row) override {
        const Session inside(*this);
        passes_->run(call, row, variant(call.variant), domain(call, row));
        count_memory();
    }

    void do_read(StorageId storage, Lines lines, Ticket ticket) override {
        const Session inside(*this);
        submit();
        const auto line = static_cast<std::size_t>(bytes({extent(storage).width, 1}, element(storage)));
        const auto from = reinterpret_cast<CUdeviceptr>(storages_.front(storage).data);
        const bool halves = element(storage) == Element::half;
        readback_.queue(ticket, from + static_cast<std::size_t>(lines.first) * line,
                        static_cast<std::size_t>(lines.count) * line,
                        halves          ? Readback::Numbers::halves
                        : double_reals_ ? Readback::Numbers::doubles
                                        : Readback::Numbers::floats);
    }
    bool do_try_collect(Ticket ticket, const UseTexels& use) override {
        const Session inside(*this);
        submit();
        return readback_.try_take(ticket, use);
    }
    void do_collect(Ticket ticket, const UseTexels& use) override {
        const Session inside(*this);
        submit();
        readback_.take(ticket, use);
    }

    void do_collect_doubles(Ticket ticket, const UseDoubles& use) override {
        const Session inside(*this);
        submit();
        readback_.take_doubles(ticket, use);
    }

  private:
    void count_memory() {
        counters_.allocations = memory_.allocations();
        counters_.bytes = memory_.bytes();
    }
    /// What has been queued begins. Throws what was left to be told, too.
    void submit() {
        if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
        queue_.submit();
    }
    /// The same where nothing can be told: a public call ends. The next one tells.
    void begin_work() noexcept {
        try {
            queue_.submit();
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    // What is declared first dies last.
    std::shared_ptr<Context> shared_context_;  // with the backend in doubles
    Context& context_;
    std::shared_ptr<Compilers> compilers_;
    bool double_reals_;
    std::string program_folder_;
    std::function<void(const std::string&)> warn_;
    LaunchQueue queue_;
    Memory memory_;
    NamedTexels storages_;
    ProgramCache programs_;
    Staging staging_;
    Readback readback_;
    TimeMarks time_marks_;
    std::unique_ptr<GlTextures> textures_;
    std::unique_ptr<PassRunner> passes_;
    DeviceInfo info_;
    int depth_ = 0;               // of sessions
    std::exception_ptr failure_;  // of work that began when a call ended
    std::shared_ptr<Cuda> doubles_;
};

}  // namespace

std::shared_ptr<CudaBackend> make_cuda_backend(std::shared_ptr<Context> context, const Compiler& compiler, int number,
                                               const DeviceOptions& options, bool double_reals,
                                               std::shared_ptr<Backend> opengl) {
    return std::make_shared<Cuda>(std::move(context), std::make_shared<Compilers>(compiler), number, options,
                                  double_reals, std::move(opengl));
}

std::unique_ptr<Backend> open_cuda(const DeviceOptions& options, int number, std::shared_ptr<Backend> opengl) {
    if (options.stage != Stage::automatic)
        throw InvalidInput(fmt::format("stage {}: CUDA has no stages", name(options.stage)));
    const Driver& driver = load_driver();
    find_devices(driver);  // starts the driver
    if (opengl) number = device_of_current_opengl(driver, opengl->info().renderer);
    const FoundDevice device = find_devices(driver).at(static_cast<std::size_t>(number));
    auto compilers = std::make_shared<Compilers>(load_compiler(), std::string(options.compiler_program));
    auto backend = std::make_unique<Cuda>(std::make_shared<Context>(driver, device), std::move(compilers), number,
                                          options, false, std::move(opengl));
    backend->keep_in({std::string(options.program_cache), options.measure});
    if (const std::string fault = execution_fault(*backend); !fault.empty())
        throw NoDevice(fmt::format("CUDA ({}): {}", device.name, fault));
    if (options.measure) backend->measure_rates();
    return backend;
}

std::vector<DeviceEntry> list_cuda() {
    std::vector<DeviceEntry> entries;
    for (const FoundDevice& found : find_devices(load_driver())) {
        entries.push_back({.backend = BackendKind::cuda,
                           .number = static_cast<int>(entries.size()),
                           .name = found.name,
                           .pci_address = found.pci_address,
                           .memory_bytes = found.memory_bytes});
    }
    return entries;
}

}  // namespace glsolve::inline v0_1::cuda
