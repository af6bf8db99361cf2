/// The residuals of all iterations, recorded on the device and read once.
#pragma once

#include <cstdint>
#include <glsolve/report.hpp>
#include <span>
#include <vector>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

class History {
  public:
    /// Room for `iterations` of them, at most 65,536; what comes later is read between two runs and begins again.
    History(Backend& backend, std::int64_t iterations);

    void clear();
    /// From iteration `first` on, |r| times `factor` is the relative residual; `relative` is the true one there.
    void corrected(std::int64_t first, double factor, double relative);
    /// How many iterations from `first` on can be recorded; reads what there is when there is no room left.
    std::int64_t room(std::int64_t first);
    /// Encodes the record of iteration i (from 0): the last component of `state` is |r| after it.
    void record(std::int64_t i, const Scalar& state);
    bool has_room(std::int64_t i) const { return i - drained_ < capacity_; }
    /// The first line of what has been recorded, later.
    Ticket read_first_later() { return texels_.backend().read_later(texels_.id(), {0, 1}); }
    /// The last component of each texel of that line, up to `iterations`, in times of the last one, which is
    /// `relative`.
    static std::vector<HistoryEntry> entries(std::span<const float> texels, std::int64_t iterations, double relative);
    /// What the host knows of the iterations from `first` on; `unknown`: that one has not been looked at.
    static constexpr double unknown = -1;
    void know(std::int64_t first, std::span<const double> residuals);
    /// Reads everything recorded up to `iterations`.
    std::vector<HistoryEntry> collect(std::int64_t iterations);

  private:
    struct Correction {
        std::int64_t first;
        double factor, relative;
    };
    void drain(std::int64_t end);

    Storage texels_;
    std::int64_t capacity_;
    std::int64_t drained_ = 0;  // iterations read so far
    std::vector<float> residuals_;
    std::vector<Correction> corrections_;
};

}  // namespace glsolve::inline v0_1
