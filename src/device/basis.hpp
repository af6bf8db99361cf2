/// The vectors of a Krylov space on a device: layers of one texture, side by side, so that one pass can read them all.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

/// Numbers that go with the vectors of a basis, four to a texel, one below the other: inner products, coefficients.
class BasisCoefficients {
  public:
    /// At least `count` of them.
    BasisCoefficients(Backend& backend, int count, std::string_view label)
        : storage_(backend, {1, blocks(count)}, Element::real, label) {}

    static int blocks(int count) { return (count + 3) / 4; }
    StorageId id() const { return storage_.id(); }

  private:
    Storage storage_;
};

/// Which vectors of a basis a verb is about.
struct Layers {
    int first = 0, count = 0;
};

class Basis {
  public:
    /// Room for `count` vectors of the given layout. Throws InvalidInput when no texture holds so many.
    Basis(Backend& backend, const Layout& layout, int count, std::string_view label);

    int count() const { return grid_.count; }

    /// All vectors <- 0.
    void clear();
    /// v_k <- x / sqrt(square); zeros where the solve has stopped.
    void store(int k, const Vector& x, const Scalar& square, StorageId status);
    /// h <- V^T x for some of the vectors, zeros for all others: one pass over x and V, four inner products a texel,
    /// and the stages of their sums.
    void project(BasisCoefficients& h, const Vector& x, Layers layers);
    /// s <- (V, w)^T w,  t <- (V, w)^T u  for the first `count` vectors: the same passes, with two results.
    void project(BasisCoefficients& s, BasisCoefficients& t, const Vector& w, const Vector& u, int count);
    /// x <- x - V h
    void subtract(Vector& x, const BasisCoefficients& h, Layers layers) { subtract(x, x, h.id(), layers, nullptr); }
    /// The same, and sum <- x * x.
    void subtract(Vector& x, const BasisCoefficients& h, Layers layers, PartialSums& sum) {
        subtract(x, x, h.id(), layers, &sum);
    }
    /// y <- x - V h, for numbers h in the first column of a storage.
    void subtract(Vector& y, const Vector& x, const Storage& h, Layers layers) {
        subtract(y, x, h.id(), layers, nullptr);
    }
    /// y <- V h, or d * V h where there is a d.
    void combine(Vector& y, const BasisCoefficients& h, Layers layers, const Vector* d = nullptr);

    StorageId id() const { return storage_.id(); }
    const Layout& layout() const { return layout_; }
    const TileLayout& grid() const { return grid_; }
    /// Of passes that read the vectors.
    VariantId variant() const { return variant_; }

  private:
    void subtract(Vector& y, const Vector& x, StorageId h, Layers layers, PartialSums* sum);
    /// `y`: none, or a second vector whose inner products are made in the same passes, into `t`.
    void project(const Vector& x, const Vector* y, StorageId s, StorageId t, Layers layers);
    StorageId stage(std::size_t i, std::size_t result);

    Backend& backend_;
    Layout layout_;
    TileLayout grid_;
    VariantId variant_;
    Storage storage_;
    std::vector<Extent> plan_;                    // of one block's sums
    std::vector<std::array<Storage, 2>> stages_;  // of all blocks', for each result; made when first needed
};

/// The most vectors that a basis of this layout can hold in a texture of `max_size` texels a side.
int most_layers(const Layout& layout, int max_size);

}  // namespace glsolve::inline v0_1
