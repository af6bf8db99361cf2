#include "formats/dense.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "dense/product.hpp"

namespace glsolve::inline v0_1 {
namespace {

class DenseFormat final : public AssembledMatrix {
  public:
    DenseFormat(Backend& backend, const FormatInput& in)
        : matrix_(with_values(ZoneMatrix(backend, in.A.rows, "matrix values"), in)), product_(matrix_) {}

    std::int64_t bytes() const override { return matrix_.bytes(); }
    void multiply(Vector& y, const Vector& x) override { product_.multiply(y, x); }
    void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) override { product_.multiply_dot(y, x, sum); }
    void multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) override {
        product_.multiply_dots(y, x, r, d, sums);
    }
    void multiply_dot(Field& y, const Field& x, PartialSums& sum) override { product_.multiply_dot(y, x, sum); }
    void residual(Vector& r, const Vector& b, const Vector& x) override { product_.residual(r, b, x); }
    void relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) override {
        product_.relax(x, b, d, weight, status);
    }
    void chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step step, StorageId status,
                   PartialSums* sums) override {
        product_.chebyshev(x, p, b, d, step, status, sums);
    }
    // Its parts are added up in a pass of their own: a step cannot but wait for the product.
    bool has_chaotic_steps() const override { return false; }
    void chebyshev_chaotic(Vector& x, Vector& p, const Vector& b, const Vector* d, std::span<const Step> steps,
                           StorageId status) override {
        for (const Step& step : steps) chebyshev(x, p, b, d, step, status, nullptr);
    }
    void multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) override {
        product_.multiply_two_float(y, y_low, x, sum);
    }
    void residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                            PartialSums& sum) override {
        product_.residual_two_float(r, r_low, b, x, sum);
    }

  private:
    static ZoneMatrix with_values(ZoneMatrix matrix, const FormatInput& in) {
        const auto place = [&](const ZoneMatrix::Entry& entry) {
            for (Index i = 0; i < in.A.rows; ++i) {
                const Offset end = in.A.offsets[static_cast<std::size_t>(i) + 1];
                for (Offset k = in.A.offsets[static_cast<std::size_t>(i)]; k < end; ++k) {
                    entry(i, in.A.column[static_cast<std::size_t>(k)], in.scaled(i, k));
                }
            }
        };
        matrix.upload(place, in.low_parts);
        return matrix;
    }

    ZoneMatrix matrix_;
    DenseProduct product_;
};

}  // namespace

FormatPrediction predict_dense(const FormatInput& in) {
    const double n = in.A.rows, texels = static_cast<double>(layout_of(in.A.rows).extent().texels());
    FormatPrediction p;
    p.passes = 2;
    p.note = fmt::format("{:.3g} % of the entries are not zero",
                         100 * static_cast<double>(in.A.nonzeros()) / std::max(n * n, 1.0));
    // For each texel of y and each four columns: four texels of A and one of x; then y. Parts are few beside that.
    p.bytes = 16 * texels * (1.25 * n + 3);
    try {
        const TileGrid grid = zone_grid(in.A.rows, (in.A.rows + 3) / 4 * 4, in.max_texture_size);
        p.memory = 16 * static_cast<double>(grid.extent().texels());
    } catch (const InvalidInput& too_large) {
        p.memory = 16 * texels * n;
        p.impossible = too_large.what();
    }
    return p;
}

std::unique_ptr<AssembledMatrix> make_dense(Backend& backend, const FormatInput& in) {
    return std::make_unique<DenseFormat>(backend, in);
}

}  // namespace glsolve::inline v0_1
