#include "opengl/named_textures.hpp"

#include <utility>

namespace glsolve::inline v0_1::opengl {

void NamedTextures::allocate(StorageId storage, Extent extent, Element element, std::string_view label) {
    named_.emplace(storage.value,
                   Named{textures_.make(extent, element, label), {}, extent, element, std::string(label), {}});
}

void NamedTextures::adopt(StorageId storage, const OutsideTexture& texture, Extent extent) {
    named_.emplace(storage.value, Named{{}, {}, extent, Element::real, {}, texture});
}

void NamedTextures::release(StorageId storage) {
    auto entry = named_.extract(storage.value);
    if (!entry) return;
    Named& named = entry.mapped();
    if (named.outside.name != 0) return;
    textures_.give_back(std::move(named.front), named.extent, named.element);
    if (named.back) textures_.give_back(std::move(named.back), named.extent, named.element);
}

void NamedTextures::abandon(StorageId storage) {
    if (auto entry = named_.extract(storage.value)) orphans_.push_back(std::move(entry.mapped()));
}

GLuint NamedTextures::back(StorageId storage) {
    Named& named = named_.at(storage.value);
    if (!named.back) named.back = textures_.make(named.extent, named.element, named.label);
    return named.back.name();
}

void NamedTextures::exchange(StorageId storage) {
    Named& named = named_.at(storage.value);
    std::swap(named.front, named.back);
}

}  // namespace glsolve::inline v0_1::opengl
