/// A matrix that is a function in the caller's words (include/glsolve/operator.hpp): nothing but what the function
/// reads is stored. What it does to probes tells its entries, for all that needs them: for judging in double precision,
/// and for preconditioners.
#pragma once

#include <array>
#include <functional>
#include <glsolve/operator.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/vectors.hpp"
#include "formats/stored_matrix.hpp"

namespace glsolve::inline v0_1 {

class FunctionMatrix {
  public:
    /// Compiles the function. Throws InvalidInput for what cannot be, with the compiler's words and the lines of the
    /// caller's source. Inside a session.
    FunctionMatrix(Backend& backend, GlslOperator function);

    AssembledMatrix& matrix() { return *matrix_; }
    Index size() const { return size_; }
    /// Its entries: the function of vectors that are 1 in places which no row sees two of. Throws InvalidInput where
    /// that is no matrix: the function is not linear, or looks farther than its `reach`. Waits.
    CsrMatrix probe();
    /// Of all rows the largest sum of sizes, by which errors of residuals are told.
    void set_norm(double infinity_norm);

    /// Other numbers for an input. Throws InvalidInput where there is no such input, or another number of numbers.
    void set_input(std::string_view name, std::span<const float> numbers);
    /// Other numbers, as `take` takes them; `other` holds as many.
    using TakeInput = std::function<void(Vector& y, StorageId other)>;
    void set_input(std::string_view name, const TakeInput& take);
    void set_constant(std::string_view name, float value);

    /// Does the function come with its diagonal?
    bool has_diagonal() const { return has_diagonal_; }
    /// d <- 1 / diagonal
    void make_reciprocal_diagonal(const Vector& d);

  private:
    void check() const;
    std::string definitions(bool doubles) const;
    std::string accessors() const;
    bool try_to_make(bool doubles);
    std::size_t input_of(std::string_view name) const;
    std::array<Index, 3> place(std::size_t unknown) const;
    std::vector<double> product(std::span<const float> x);
    void check_against(CsrView A);

    Backend& backend_;
    GlslOperator function_;
    Index size_;
    Layout layout_;
    bool has_diagonal_;
    std::unique_ptr<StoredMatrix> matrix_;
    std::array<StorageId, 4> inputs_{};
    std::vector<float> table_;
    VariantId diagonal_variant_;
};

}  // namespace glsolve::inline v0_1
