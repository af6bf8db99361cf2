/// Solves whose right-hand sides and solutions are textures of the caller's. The outcome is what the device says: a
/// texture holds x rounded to single precision, and nobody else sees the residual.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <glsolve/report.hpp>
#include <glsolve/texture.hpp>
#include <optional>
#include <vector>

#include "methods/stopping_criterion.hpp"
#include "refinement/method.hpp"
#include "solver/scaled_preconditioner.hpp"
#include "solver/texture_window.hpp"
#include "solver/work.hpp"

namespace glsolve::inline v0_1 {

class TextureWork {
  public:
    /// What is solved, and by what.
    struct System {
        Backend& backend;
        const Options& options;
        std::int64_t max_iterations;                ///< of solves that wait
        DeviceRuns& one;                            ///< right-hand side at a time
        std::function<DeviceRuns&()> several = {};  ///< made when it is first needed; none: one after the other
        std::function<ScaledPreconditioner&()> preconditioner;  ///< made when it is first needed
        std::function<Work::Subject()> subject;                 ///< for reports
        Numbering numbering = {};
        double factor = 1;        ///< of  factor A x = factor b
        StorageId unknowns = {};  ///< zero where there is none; not named: all are
        /// Makes of what a texture holds what is solved for, and leaves in `taken` |.|^2 of what it takes off.
        std::function<void(Vector& b, Scalar& taken)> prepare_b = {};
        std::function<void(Vector& x)> prepare_x = {};                ///< the same of a guess, or of a residual
        std::function<std::string(double share)> tell_of_taken = {};  ///< ... in words: so much of |b| was taken off
        std::string remarks = {};                                     ///< for reports
    };

    /// Throws InvalidInput where the method makes no runs on the device, DeviceError where the device cannot compute
    /// residuals. What the system refers to must outlive the object.
    explicit TextureWork(System system);
    /// Outcomes that nobody has polled are forgotten.
    ~TextureWork();
    TextureWork(const TextureWork&) = delete;
    TextureWork& operator=(const TextureWork&) = delete;

    /// Encodes a solve and returns.
    void enqueue(const TextureView& b, const TextureView& x, const Budget& budget);
    /// The outcome of the oldest one that has not been told yet, if it has arrived: of several right-hand sides the
    /// worst.
    std::optional<Report> poll();
    /// Solves until the tolerance is met or more of it is of no use, and waits.
    Report solve(const TextureView& b, const TextureView& x);
    /// x <- M^-1 b. Encodes that and returns.
    void precondition(const TextureView& b, const TextureView& x);
    /// Makes ready what `enqueue` needs, for textures of this kind; x keeps what it holds.
    void warm_up(const TextureView& b, const TextureView& x);

    /// Outcomes that are kept; of more that nobody polls the oldest are forgotten.
    static constexpr std::size_t most_pending = 8;

  private:
    using Results = DeviceResiduals::Results;
    static constexpr float target = 0.9f * DeviceResiduals::reference;  // rounding has some room
    /// Right-hand sides that are solved together: those from component `first` on.
    struct Batch {
        DeviceRuns& runs;
        int first, count;
    };
    /// Results that have been asked for, and the number of their run.
    struct Asked {
        Ticket results;
        float number;
    };
    /// A solve that has been encoded.
    struct Pending {
        std::vector<Asked> results;  // of each right-hand side
        Ticket begin, iterate, iterated, end;
        std::vector<Lap> laps;  // of all passes, with Options::profile
        std::optional<Ticket> history;
        std::int64_t iterations;
        std::uint64_t passes;
        double seconds;  // of the processor
        bool discarded;  // by OpenGL: how long it took says nothing
    };
    static void check_columns(const TextureView& b, const TextureView& x);
    std::vector<Batch> batches(const TextureView& b, const TextureView& x);
    TextureWindow::Mask mask(const Vector& other) const;
    void begin(DeviceResiduals& residuals, const TextureWindow& b, const TextureWindow& x, int column,
               bool zero_guess) const;
    std::int64_t affordable(const Budget& budget) const;
    DeviceResiduals::Tolerance tolerance() const;
    void rehearse(const Batch& batch, const TextureWindow& from, const TextureWindow& to) const;
    std::vector<HistoryEntry> take_history(Pending& done, const Report& first);
    double learn(const Pending& done);
    std::vector<PassReport> profile(const Pending& done) const;
    void forget_timed();
    void forget_oldest();
    Report judged(const Results& results, float number, std::int64_t iterations, int column, std::int64_t before = 0,
                  const std::optional<Verdict>& on_the_way = {}) const;
    Report solve_batch(const Batch& batch, const TextureWindow& b, const TextureWindow& x);

    System system_;
    Backend& backend_;
    std::deque<Pending> pending_;
    double seconds_an_iteration_ = 0, seconds_beside_ = 0;  // of the device, as far as is known
};

}  // namespace glsolve::inline v0_1
