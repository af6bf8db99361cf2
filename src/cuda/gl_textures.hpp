/// Textures of the caller's, which belong to OpenGL. A backend of OpenGL's on the caller's context looks at them, reads
/// them and writes them, by the passes it has for that; between it and CUDA go textures of ours, which both know. (To
/// register a texture takes milliseconds: so ours are registered once, and the caller's never.)
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "cuda/context.hpp"
#include "cuda/named_texels.hpp"
#include "device/backend.hpp"

namespace glsolve::inline v0_1::cuda {

class GlTextures {
  public:
    /// `opengl`: on the context that is current, of a GPU that `context` is on, too. All but it must outlive the
    /// object.
    GlTextures(Context& context, NamedTexels& storages, std::shared_ptr<Backend> opengl);
    ~GlTextures();
    GlTextures(const GlTextures&) = delete;
    GlTextures& operator=(const GlTextures&) = delete;

    OutsideShape adopt(StorageId storage, std::uint32_t texture, int layer, TextureUse use, std::string_view role);
    bool has(StorageId storage) const { return adopted_.contains(storage.value); }
    void release(StorageId storage);

    /// A pass that reads a texture of the caller's, without its scalar argument: that is 1. What CUDA does from here on
    /// waits for it. `rehearses`: all is made ready, and nothing copied or drawn.
    void take(const PassCall& call, const PassRow& row, bool rehearses);
    /// A pass that writes into one. What OpenGL draws from here on waits for it.
    void put(const PassCall& call, bool rehearses);

    /// Of the caller's OpenGL state, which is saved when it is first needed: a public call ends.
    void leave() noexcept;

  private:
    /// A texture of ours.
    struct Shared {
        Storage texture;
        CUgraphicsResource resource = nullptr;
    };
    enum class Role : std::uint8_t { output, input, mask, guard };
    enum class Direction : std::uint8_t { to_cuda, to_opengl };
    struct Transfer {
        Shared* texture;
        Texels texels;
    };

    void enter();
    Shared& shared(Extent extent, Role role);
    void copy(const std::vector<Transfer>& transfers, Direction direction);
    void encode(const PassCall& call, bool rehearses);

    Context& context_;
    NamedTexels& storages_;
    std::shared_ptr<Backend> opengl_;
    std::unordered_map<std::uint32_t, StorageId> adopted_;  // what OpenGL calls them
    std::map<std::tuple<int, int, Role>, Shared> shared_;   // by width and height
    bool entered_ = false;
};

/// The number, in CUDA, of the GPU that the current OpenGL context is on. Throws NoDevice where it is none of CUDA's.
int device_of_current_opengl(const Driver& driver, std::string_view renderer);

}  // namespace glsolve::inline v0_1::cuda
