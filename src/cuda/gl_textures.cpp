#include "cuda/gl_textures.hpp"

#include <fmt/format.h>

#include <array>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1::cuda {
namespace {

constexpr unsigned texture_2d = 0x0DE1;  // GL_TEXTURE_2D
constexpr std::size_t texel_bytes = 16;  // RGBA32F

}  // namespace

GlTextures::GlTextures(Context& context, NamedTexels& storages, std::shared_ptr<Backend> opengl)
    : context_(context), storages_(storages), opengl_(std::move(opengl)) {}

/// Where the caller's context is not current, nothing of it may be touched: it ends with that context.
GlTextures::~GlTextures() {
    try {
        const Session inside(*opengl_);
        const Current current(context_);
        for (auto& [key, texture] : shared_) context_.driver().GraphicsUnregisterResource(texture.resource);
    } catch (const Error&) {
    }
}

OutsideShape GlTextures::adopt(StorageId storage, std::uint32_t texture, int layer, TextureUse use,
                               std::string_view role) {
    enter();
    const StorageId there = opengl_->adopt(texture, use, role, layer);
    adopted_.emplace(storage.value, there);
    return {opengl_->extent(there), opengl_->components(there)};
}

void GlTextures::release(StorageId storage) {
    if (const auto entry = adopted_.extract(storage.value); !entry.empty()) opengl_->release(entry.mapped());
}

void GlTextures::enter() {
    if (entered_) return;
    opengl_->enter();
    entered_ = true;
}

void GlTextures::leave() noexcept {
    if (!entered_) return;
    entered_ = false;
    opengl_->leave();
}

GlTextures::Shared& GlTextures::shared(Extent extent, Role role) {
    Shared& found = shared_[{extent.width, extent.height, role}];
    if (found.resource != nullptr) return found;
    found.texture = Storage(*opengl_, extent, Element::real, "shared with CUDA");
    const Driver& driver = context_.driver();
    driver.check(
        driver.GraphicsGLRegisterImage(&found.resource, opengl_->native_texture(found.texture.id()), texture_2d, 0),
        "sharing a texture with OpenGL");
    return found;
}

/// All at once: to hand textures over and back takes longer than to copy a small one.
void GlTextures::copy(const std::vector<Transfer>& transfers, Direction direction) {
    const Driver& driver = context_.driver();
    std::vector<CUgraphicsResource> resources;
    for (const Transfer& t : transfers) resources.push_back(t.texture->resource);
    const auto count = static_cast<unsigned>(resources.size());
    driver.check(driver.GraphicsMapResources(count, resources.data(), context_.stream()),
                 "taking textures from OpenGL");
    CUresult result = success;
    for (const Transfer& t : transfers) {
        CUarray array = nullptr;
        if (result == success) result = driver.GraphicsSubResourceGetMappedArray(&array, t.texture->resource, 0, 0);
        if (result != success) break;
        const std::size_t pitch = static_cast<std::size_t>(t.texels.width) * texel_bytes;
        Copy2D c{};
        c.width_bytes = pitch;
        c.height = static_cast<std::size_t>(t.texels.height);
        if (direction == Direction::to_cuda) {
            c.from_type = of_array;
            c.from_array = array;
            c.to_type = of_device;
            c.to = reinterpret_cast<CUdeviceptr>(t.texels.data);
            c.to_pitch = pitch;
        } else {
            c.from_type = of_device;
            c.from = reinterpret_cast<CUdeviceptr>(t.texels.data);
            c.from_pitch = pitch;
            c.to_type = of_array;
            c.to_array = array;
        }
        result = driver.Memcpy2DAsync(&c, context_.stream());
    }
    driver.check(driver.GraphicsUnmapResources(count, resources.data(), context_.stream()),
                 "giving textures to OpenGL");
    driver.check(result, "copying textures");
}

void GlTextures::encode(const PassCall& call, bool rehearses) {
    if (rehearses) {
        const Rehearsal only(*opengl_);
        opengl_->encode(call);
    } else {
        opengl_->encode(call);
    }
}

void GlTextures::take(const PassCall& call, const PassRow& row, bool rehearses) {
    enter();
    const Texels y = storages_.front(call.output[0]);
    const Extent extent{y.width, y.height};
    Shared& output = shared(extent, Role::output);
    Shared& mask = shared(extent, Role::mask);  // read in any case, and of no effect where nothing is masked
    const bool masked = call.integer[row.integers.size() - 1] != 0;
    if (masked && !rehearses) copy({{&mask, storages_.front(call.input[1])}}, Direction::to_opengl);
    PassCall there = call;
    there.output[0] = output.texture.id();
    there.input[0] = adopted_.at(call.input[0].value);
    there.input[1] = mask.texture.id();
    there.scalar[0] = {};
    encode(there, rehearses);
    if (!rehearses) copy({{&output, y}}, Direction::to_cuda);
}

void GlTextures::put(const PassCall& call, bool rehearses) {
    enter();
    const Texels x = storages_.front(call.input[0]);
    Shared& input = shared({x.width, x.height}, Role::input);
    std::vector<Transfer> transfers{{&input, x}};
    PassCall there = call;
    there.output[0] = adopted_.at(call.output[0].value);
    there.input[0] = input.texture.id();
    if (call.status) {
        Shared& guard = shared({1, 1}, Role::guard);
        transfers.push_back({&guard, storages_.front(call.status)});
        there.status = guard.texture.id();
    }
    if (!rehearses) copy(transfers, Direction::to_opengl);
    encode(there, rehearses);
}

int device_of_current_opengl(const Driver& driver, std::string_view renderer) {
    constexpr int all = 1;  // CU_GL_DEVICE_LIST_ALL
    std::array<CUdevice, 16> devices{};
    unsigned count = 0;
    const CUresult result = driver.GLGetDevices(&count, devices.data(), static_cast<unsigned>(devices.size()), all);
    if (result != success || count == 0) {
        throw NoDevice(
            fmt::format("CUDA: the current OpenGL context ({}) is on no GPU that CUDA can use, so its textures "
                        "cannot be read or written; the backend opengl can",
                        renderer));
    }
    int known = 0;
    driver.DeviceGetCount(&known);
    for (int number = 0; number < known; ++number) {
        CUdevice device = 0;
        if (driver.DeviceGet(&device, number) == success && device == devices[0]) return number;
    }
    throw NoDevice("CUDA: the GPU of the current OpenGL context is not among CUDA's devices");
}

}  // namespace glsolve::inline v0_1::cuda
