/// A matrix as it goes to the device: rows in another order where that is asked for, and scaled.
#pragma once

#include <compare>
#include <glsolve/csr.hpp>
#include <glsolve/options.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "matrix/closed_regions.hpp"
#include "matrix/host_matrix.hpp"
#include "matrix/row_factors.hpp"
#include "matrix/scaling.hpp"
#include "matrix/survey.hpp"
#include "solver/reordering.hpp"

namespace glsolve::inline v0_1 {

/// The rows where the device has them, times a power of two near the ends of double precision's range.
class OrderedMatrix {
  public:
    /// A must outlive the object; `known`: of A.
    OrderedMatrix(CsrView A, std::shared_ptr<const RowOrder> order, const MatrixSurvey& known);
    OrderedMatrix(const OrderedMatrix&) = delete;
    OrderedMatrix& operator=(const OrderedMatrix&) = delete;

    CsrView matrix() const { return moves() ? CsrView(moved_) : A_; }
    bool moves() const { return !order().empty() || exponent_ != 0; }
    const std::vector<Index>& order() const { return order_->order; }  ///< empty: as they are
    const std::string& why_moved() const { return order_->reason; }
    /// A x = b is solved as  2^exponent A x = 2^exponent b.
    int exponent() const { return exponent_; }
    /// The row, or the column, as the caller counts them.
    Index as_given(Index row) const { return order().empty() ? row : order()[static_cast<std::size_t>(row)]; }

    const MatrixSurvey& survey() const { return survey_; }  ///< of matrix()

    // Made when they are first asked for.

    /// For residuals in double precision.
    const std::shared_ptr<const HostMatrix>& judge() const;
    const ClosedRegions& closed_regions(bool symmetric) const;

  private:
    CsrView A_;
    std::shared_ptr<const RowOrder> order_;
    int exponent_;
    MatrixSurvey survey_;
    CsrMatrix moved_;
    mutable std::shared_ptr<const HostMatrix> judge_;
    mutable std::optional<ClosedRegions> closed_regions_;
};

/// How a matrix is scaled.
struct Scaling {
    enum class Kind : std::uint8_t { symmetric, columns, none };
    Kind kind = Kind::symmetric;
    ScalingRule rule = ScalingRule::always;  ///< of `symmetric`
    bool to_one = false;                     ///< of `columns`

    static Scaling for_options(const Options& options);
    auto operator<=>(const Scaling&) const = default;
};

/// MINRES takes jacobi as a scaling: that keeps S A S symmetric, and is definite where diag(A) is not.
bool scales_by_jacobi(const Options& options);

/// S A S, or A S for least squares: A and the diagonal of S.
class ScaledMatrix {
  public:
    /// `A` must outlive the object.
    ScaledMatrix(const OrderedMatrix& A, const Scaling& scaling);
    ScaledMatrix(const ScaledMatrix&) = delete;
    ScaledMatrix& operator=(const ScaledMatrix&) = delete;

    const OrderedMatrix& ordered() const { return A_; }
    CsrView matrix() const { return A_.matrix(); }  ///< not scaled
    const std::vector<double>& scale() const { return scale_; }
    const RowFactors& factors() const { return factors_; }  ///< the same
    double infinity_norm() const;                           ///< of S A S
    /// Why single precision cannot hold S A S; empty: it can.
    const std::string& out_of_single() const;
    /// The same of half precision.
    std::string out_of_half() const;

  private:
    const OrderedMatrix& A_;
    std::vector<double> scale_;
    RowFactors factors_;
    mutable std::optional<std::string> out_of_single_;
};

/// Throws InvalidInput where single precision cannot hold what the method needs. The direct method and least squares
/// have factors for columns as well.
void check_range(const ScaledMatrix& A, Method method);

}  // namespace glsolve::inline v0_1
