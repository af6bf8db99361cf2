#include "formats/transfer.hpp"

#include <algorithm>

#include "formats/box_transfer.hpp"
#include "formats/sliced_transfer.hpp"

namespace glsolve::inline v0_1 {

Transfer::Transfer(std::vector<Storage> textures, MakeCall make_call, const std::string& definitions)
    : backend_(textures.front().backend()),
      textures_(std::move(textures)),
      make_call_(std::move(make_call)),
      variant_(backend_.variant(definitions)) {}

void Transfer::multiply(Vector& y, const Vector& x) { run(y, x, false); }
void Transfer::add(Vector& y, const Vector& x) { run(y, x, true); }

void Transfer::run(Vector& y, const Vector& x, bool add) {
    PassCall call = make_call_(y, x, textures_, add);
    call.variant = variant_;
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
