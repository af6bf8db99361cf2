/// The set-up by passes of one level after the other, whatever holds the matrices of levels: rows, or blocks of points.
///
/// Source:  P. Vanek, J. Mandel and M. Brezina, Computing 56 (1996).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "multigrid/device_levels.hpp"
#include "multigrid/sparse_interpolation.hpp"

namespace glsolve::inline v0_1 {

class LevelSetup {
  public:
    LevelSetup(const AssembledSystem& finest, CsrView A, const AmgOptions& options, Index coarsest)
        : backend_(finest.backend), A_(A), options_(options), here_(&finest), coarsest_(coarsest) {}
    virtual ~LevelSetup() = default;

    /// Levels until one has at most `coarsest` rows. None, and `why`, where passes cannot make one.
    std::optional<DeviceLevels> make(std::string& why);

  protected:
    // What a kind of matrix does. Where it cannot, `give_up` says why.

    /// The finest matrix goes to the device.
    virtual bool take_finest() = 0;
    /// d <- 1 / a_ii
    virtual RowFacts look(Vector& d) = 0;
    /// Of the matrix of the level; not of the finest one.
    virtual Offset nonzeros() const = 0;
    /// Of the coarsest matrix.
    virtual HostInverse inverse_of(CsrMatrix A) = 0;
    /// Aggregates, P, and P^T A P, which becomes the next level. False where there are not far fewer unknowns there.
    virtual bool coarsen(double omega) = 0;

    bool give_up(std::string_view why) {
        if (why_.empty()) why_ = why;
        return false;
    }
    bool is_finest() const { return made_.coarse.empty(); }
    /// Of strong entries. Vanek, Mandel and Brezina halve it from level to level.
    double threshold() const;
    /// Are so many unknowns on the next level worth having?
    bool are_few(Index unknowns) const { return unknowns > 0 && unknowns < too_slow * here_->size; }
    /// The next level, with the way to it.
    void go_on(DeviceRows P, DeviceRows Pt, Offset nonzeros_of_P, DeviceRows A_c, bool has_row_sums);

    Backend& backend_;
    CsrView A_;
    const AmgOptions& options_;

    // The level that is being made.
    const AssembledSystem* here_;
    RowTextures rows_;     ///< its matrix; of the finest level only where the kind has it
    Vector* d_ = nullptr;  ///< 1 / a_ii
    DeviceLevels made_;

  private:
    static constexpr double too_slow = 0.9;  ///< levels with more of the finer one's rows are not worth having

    /// No level may follow (AmgOptions::levels).
    bool is_last() const { return std::ssize(made_.levels) == options_.levels; }
    bool look();
    bool is_inverted();
    double smooth();

    Index coarsest_;
    RowFacts known_;
    Storage parts_;                    ///< of the rows
    std::optional<Vector> of_finest_;  ///< 1 / a_ii
    std::string why_;
};

}  // namespace glsolve::inline v0_1
