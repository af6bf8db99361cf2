/// Solves whose right-hand sides and solutions are textures of the caller's. The outcome is what the device says: a
/// texture holds x rounded to single precision, and nobody else sees the residual.
#pragma once

#include <deque>
#include <functional>
#include <glsolve/report.hpp>
#include <glsolve/texture.hpp>
#include <optional>

#include "core/method.hpp"
#include "solvers/texture_window.hpp"
#include "solvers/work.hpp"

namespace glsolve::inline v0_1 {

class TextureWork {
  public:
    /// y <- what is used of numbers that were taken from a texture; none: all of them.
    using Prepare = std::function<void(Vector& y, const Vector& taken)>;
    struct Preparation {
        Prepare of_b, of_x;
    };

    /// What is solved is  factor A x = factor b. Throws InvalidInput where the method makes no runs on the device,
    /// DeviceError where the device cannot compute residuals. All arguments must outlive the object.
    TextureWork(Backend& backend, IterativeMethod& method, const Options& options, const Numbering& numbering,
                double factor = 1, Preparation preparation = {});

    /// Encodes a solve and returns.
    void enqueue(const TextureView& b, const TextureView& x, const Budget& budget);
    /// The outcome of the oldest one that has not been told yet, if it has arrived.
    std::optional<Report> poll();
    /// Solves until the tolerance is met, and waits.
    Report solve(const TextureView& b, const TextureView& x, std::int64_t max_iterations);
    /// Makes ready what `enqueue` needs, for textures of this kind; x keeps what it holds.
    void warm_up(const TextureView& b, const TextureView& x);

    /// Outcomes that are told at once; of more that nobody polls the oldest are forgotten.
    static constexpr std::size_t most_pending = 8;

  private:
    struct Pending {
        Ticket results, begin, iterate, iterated, end;
        std::int64_t iterations;
        std::uint64_t passes;
        double seconds;  // of the processor
    };
    void begin(const TextureWindow& b, const TextureWindow& x, bool zero_guess);
    std::int64_t affordable(const Budget& budget) const;
    void forget_oldest();
    Report judged(std::span<const float, 16> results, std::int64_t iterations) const;

    Backend& backend_;
    IterativeMethod& method_;
    const Options& options_;
    Numbering numbering_;
    double factor_;
    Preparation preparation_;
    DeviceResiduals& residuals_;
    std::deque<Pending> pending_;
    double seconds_an_iteration_ = 0, seconds_beside_ = 0;  // of the device, as far as is known
};

}  // namespace glsolve::inline v0_1
