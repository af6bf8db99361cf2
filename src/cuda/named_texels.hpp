/// What a StorageId names. A pass that reads, elsewhere, what it writes, writes the storage's other texels, which then
/// take the name.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "cuda/arguments.hpp"
#include "cuda/memory.hpp"
#include "device/backend.hpp"

namespace glsolve::inline v0_1::cuda {

class NamedTexels {
  public:
    explicit NamedTexels(Memory& memory) : memory_(memory) {}
    ~NamedTexels();
    NamedTexels(const NamedTexels&) = delete;
    NamedTexels& operator=(const NamedTexels&) = delete;

    /// Throws DeviceError when memory is short.
    void allocate(StorageId storage, Extent extent, Element element, std::int64_t bytes, std::string_view label);
    /// The texels are spare ones now.
    void release(StorageId storage);

    Element element(StorageId storage) const { return named_.at(storage.value).element; }
    std::int64_t bytes(StorageId storage) const { return named_.at(storage.value).bytes; }
    Texels front(StorageId storage) const {
        const Named& named = named_.at(storage.value);
        return texels(named, named.front);
    }
    /// The other ones, which are made when they are first needed.
    Texels back(StorageId storage);
    void exchange(StorageId storage);

  private:
    struct Named {
        CUdeviceptr front = 0, back = 0;
        Extent extent;
        Element element = Element::real;
        std::int64_t bytes = 0;
        std::string label;
    };
    static Texels texels(const Named& named, CUdeviceptr data) {
        return {reinterpret_cast<void*>(data), named.extent.width, named.extent.height};
    }

    Memory& memory_;
    std::unordered_map<std::uint32_t, Named> named_;
};

}  // namespace glsolve::inline v0_1::cuda
