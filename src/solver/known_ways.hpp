/// What is known of ways to solve systems with one structure on one device: what they took, or are predicted to take,
/// and which ones failed. A solver keeps that while the values of its matrix change; in a folder it serves later ones.
#pragma once

#include <glsolve/choice.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "solver/checked_system.hpp"

namespace glsolve::inline v0_1 {

struct KnownWay {
    enum class State : std::uint8_t { predicted, measured, failed };

    Method method = Method::cg;
    PreconditionerKind preconditioner = PreconditionerKind::jacobi;
    State state = State::predicted;
    double seconds = 0;           ///< set-up and solve
    std::int64_t iterations = 0;  ///< of a solve; 0: predicted only
};

class KnownWays {
  public:
    /// `key`: of all that a choice depends on. What `folder` keeps for it is read; empty: nothing is kept.
    KnownWays(std::string folder, std::string key);

    const std::string& key() const { return key_; }
    /// The quickest that had an answer, or one that was never tried and is predicted to take less than half of that.
    /// None: nothing had an answer.
    std::optional<KnownWay> best() const;
    /// The way of the last answer that this object was told of, while it has not failed since; without one, the best.
    std::optional<KnownWay> to_begin_with() const;
    /// But for those that failed.
    std::vector<MethodPrediction> told() const;

    void predict(std::span<const MethodPrediction> ways);
    void solved(const MethodChoice& choice, double seconds, std::int64_t iterations);
    void failed(const MethodChoice& choice);

  private:
    std::size_t place(Method method, PreconditionerKind preconditioner);
    void keep() const;

    std::string folder_, key_;
    std::vector<KnownWay> ways_;
    std::optional<std::size_t> last_;  // of ways_, had an answer
};

/// Of a system with these options on this device: where the nonzeros stand, what kind of matrix it is, and the options
/// that are not the default ones. Without a folder the places are left out.
std::string key_of_ways(const Backend& backend, const CheckedSystem& system, const Options& options);

}  // namespace glsolve::inline v0_1
