/// What a StorageId names. A pass may not write what it reads: where it does, it writes the other texture of the
/// storage, which then takes the name.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "device/backend.hpp"
#include "opengl/textures.hpp"

namespace glsolve::inline v0_1::opengl {

class NamedTextures {
  public:
    explicit NamedTextures(Textures& textures) : textures_(textures) {}

    /// Throws DeviceError when memory is short.
    void allocate(StorageId storage, Extent extent, Element element, std::string_view label);
    /// Gives a name to a texture of the caller's.
    void adopt(StorageId storage, const OutsideTexture& texture, Extent extent);
    /// The textures are spare ones now; one of the caller's has lost its name.
    void release(StorageId storage);
    /// The same where no OpenGL call is possible: the textures are nobody's, and are deleted with this object.
    void abandon(StorageId storage);

    Extent extent(StorageId storage) const { return named_.at(storage.value).extent; }
    Element element(StorageId storage) const { return named_.at(storage.value).element; }
    /// What is the caller's of it; without a name where it is ours.
    const OutsideTexture& outside(StorageId storage) const { return named_.at(storage.value).outside; }

    /// What has the name.
    GLuint front(StorageId storage) const {
        const Named& named = named_.at(storage.value);
        return named.outside.name != 0 ? named.outside.name : named.front.name();
    }
    /// The other one, which is made when it is first needed.
    GLuint back(StorageId storage);
    /// The other one takes the name.
    void exchange(StorageId storage);

  private:
    struct Named {
        Texture front, back;
        Extent extent;
        Element element;
        std::string label;
        OutsideTexture outside;
    };

    Textures& textures_;
    std::unordered_map<std::uint32_t, Named> named_;
    std::vector<Named> orphans_;
};

}  // namespace glsolve::inline v0_1::opengl
