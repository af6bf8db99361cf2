#include "formats/transfer.hpp"

#include <algorithm>
#include <limits>

#include "formats/product_costs.hpp"
#include "formats/transfer_formats.hpp"

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

namespace {

/// A format as the table below lists it.
struct TransferRow {
    TransferFormat format;
    TransferCost (*cost)(const TransferInput&, const std::optional<ProductCosts>&);
    Transfer (*make)(Backend&, const TransferInput&);
};

/// Of equally good ones the first is chosen.
constexpr std::array transfer_table{
    TransferRow{TransferFormat::boxes, cost_of_box_transfer, make_box_transfer},
    TransferRow{TransferFormat::slices, cost_of_sliced_transfer, make_sliced_transfer},
    TransferRow{TransferFormat::csr, cost_of_csr_transfer, make_csr_transfer},
};

}  // namespace

Transfer make_transfer(Backend& backend, const TransferInput& in, std::optional<TransferFormat> wanted) {
    const std::optional<ProductCosts> costs = product_costs(backend);
    const TransferRow* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const TransferRow& row : transfer_table) {
        if (wanted && row.format != *wanted) continue;
        const TransferCost cost = row.cost(in, costs);
        if (!cost.possible && !wanted) continue;
        const double time = costs ? cost.seconds : cost.fetches;
        if (best == nullptr || time < least) best = &row, least = time;
    }
    return (best != nullptr ? best->make : make_sliced_transfer)(backend, in);  // which says why it is impossible
}

}  // namespace glsolve::inline v0_1
