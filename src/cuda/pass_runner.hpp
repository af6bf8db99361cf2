/// Turns a pass into a launch.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "cuda/gl_textures.hpp"
#include "cuda/launch_queue.hpp"
#include "cuda/named_texels.hpp"
#include "cuda/program_cache.hpp"

namespace glsolve::inline v0_1::cuda {

class PassRunner {
  public:
    /// `double_reals`: texels of real numbers are as long as that.
    PassRunner(Context& context, LaunchQueue& queue, NamedTexels& storages, ProgramCache& programs, Memory& memory,
               bool double_reals);
    ~PassRunner();
    PassRunner(const PassRunner&) = delete;
    PassRunner& operator=(const PassRunner&) = delete;

    /// Queues it over `domain`.
    void run(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Extent domain);
    /// Makes programs, texels and shared textures ready, and launches nothing (Backend::rehearse).
    void rehearse(bool on) { rehearses_ = on; }
    /// Begins with the program of each pass, and runs none (Backend::begin_programs).
    void begin_programs(bool on) { begins_only_ = on; }
    /// Textures of the caller's; none by default.
    void take_textures(GlTextures* textures) { textures_ = textures; }
    /// What a storage held before is no state of the same vector any more: it was filled from the host.
    void forget_past(StorageId storage) { past_.erase(storage.value); }

  private:
    bool touches_textures(const PassCall& call, const PassRow& row) const;
    void run_with_textures(const PassCall& call, const PassRow& row, Extent domain);
    std::uint32_t half_inputs(const PassCall& call, const PassRow& row) const;
    Arguments arguments(const PassCall& call, const PassRow& row, Extent domain);
    LaunchShape shape(const PassCall& call, const PassRow& row, const Program& program, Extent domain) const;
    void make_past(StorageId storage);
    void exchange(const PassCall& call, const PassRow& row);

    Context& context_;
    LaunchQueue& queue_;
    NamedTexels& storages_;
    ProgramCache& programs_;
    Memory& memory_;
    std::int64_t left_bytes_;
    Texels left_;         // of reductions at once: what groups leave ...
    unsigned* finished_;  // ... and how many have finished
    GlTextures* textures_ = nullptr;
    std::unordered_set<std::uint32_t> past_;  // storages whose other texels hold the state before
    bool rehearses_ = false, begins_only_ = false;
};

}  // namespace glsolve::inline v0_1::cuda
