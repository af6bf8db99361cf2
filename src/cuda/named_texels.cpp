#include "cuda/named_texels.hpp"

#include <utility>

namespace glsolve::inline v0_1::cuda {

NamedTexels::~NamedTexels() {
    while (!named_.empty()) release({named_.begin()->first});
}

void NamedTexels::allocate(StorageId storage, Extent extent, Element element, std::int64_t bytes,
                           std::string_view label) {
    Named named{.extent = extent, .element = element, .bytes = bytes, .label = std::string(label)};
    named.front = memory_.make(named.bytes, label);
    named_.emplace(storage.value, std::move(named));
}

void NamedTexels::release(StorageId storage) {
    const auto entry = named_.extract(storage.value);
    if (entry.empty()) return;
    const Named& named = entry.mapped();
    memory_.give_back(named.front, named.bytes);
    if (named.back != 0) memory_.give_back(named.back, named.bytes);
}

Texels NamedTexels::back(StorageId storage) {
    Named& named = named_.at(storage.value);
    if (named.back == 0) named.back = memory_.make(named.bytes, named.label);
    return texels(named, named.back);
}

void NamedTexels::exchange(StorageId storage) {
    back(storage);
    Named& named = named_.at(storage.value);
    std::swap(named.front, named.back);
}

}  // namespace glsolve::inline v0_1::cuda
