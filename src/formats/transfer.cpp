#include "formats/transfer.hpp"

#include <algorithm>

#include "formats/box_transfer.hpp"
#include "formats/sliced_transfer.hpp"

namespace glsolve::inline v0_1 {

Transfer::Transfer(Passes passes, std::vector<Storage> textures, const std::array<std::int32_t, max_integers>& integers,
                   const std::string& definitions)
    : backend_(textures.front().backend()),
      passes_(passes),
      textures_(std::move(textures)),
      integers_(integers),
      variant_(backend_.variant(definitions)) {}

void Transfer::multiply(Vector& y, const Vector& x) { run(passes_.multiply, y, std::array{x.id()}); }
void Transfer::add(Vector& y, const Vector& x) { run(passes_.add, y, std::array{y.id(), x.id()}); }

void Transfer::run(PassId pass, Vector& y, std::span<const StorageId> vectors) {
    PassCall call{.pass = pass, .output = {y.id()}, .integer = integers_, .variant = variant_};
    auto input = std::copy(vectors.begin(), vectors.end(), call.input.begin());
    for (const Storage& texture : textures_) *input++ = texture.id();
    backend_.encode(call);
}

std::int64_t Transfer::bytes() const {
    std::int64_t bytes = 0;
    for (const Storage& texture : textures_) bytes += backend_.bytes(texture.id());
    return bytes;
}

Transfer make_transfer(Backend& backend, const TransferInput& in) {
    const std::optional<BoxShape> shape = boxes_of(in);
    if (shape && fits(*shape, in.P.rows, backend.info().max_texture_size)) {
        return make_box_transfer(backend, in, *shape);
    }
    return make_sliced_transfer(backend, in);
}

}  // namespace glsolve::inline v0_1
