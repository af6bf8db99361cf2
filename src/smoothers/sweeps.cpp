#include "smoothers/sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>

#include "device/verbs.hpp"
#include "matrix/empty_lines.hpp"
#include "spectrum/lanczos.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int lanczos_steps = 32;

bool is_constant(std::span<const double> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [&](double d) { return d == numbers[0]; });
}

}  // namespace

Sweeps::Sweeps(const AssembledSystem& system, CsrView A, Method method, double weight, Weight rule)
    : system_(system), method_(method), weight_(weight) {
    std::vector<double> reciprocal;
    const bool plain = method == Method::richardson && (system.diagonal() == nullptr || A.rows == 0);
    if (!plain) reciprocal = reciprocal_diagonal(A);
    if (weight_ == 0) choose_weight(A, reciprocal, rule);
    if (!plain) upload(reciprocal, colours_of(A));
}

Sweeps::Sweeps(const AssembledSystem& system, std::span<const double> reciprocal)
    : system_(system), method_(Method::jacobi), weight_(1) {
    upload(reciprocal, {.colour = std::vector<Index>(reciprocal.size(), 0), .count = 1});
}

Sweeps::Sweeps(const AssembledSystem& system, CsrView A, std::vector<Index> kind)
    : system_(system), method_(Method::cf_jacobi), weight_(1) {
    upload(reciprocal_diagonal(A), {.colour = std::move(kind), .count = 2});
}

/// 1 / diag(S A S).
std::vector<double> Sweeps::reciprocal_diagonal(CsrView A) const {
    std::vector<double> d = divisors(A, system_.scale);
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i] == 0) {
            throw InvalidInput(fmt::format(
                "{}: row {} has a zero on the diagonal; gmres, bicgstab and the direct method take such matrices",
                name(method_), i + 1));
        }
        d[i] = 1 / d[i];
    }
    return d;
}

/// Richardson, and Jacobi as a smoother: 2 / (smallest + largest); SOR, to solve: 2 / (1 + sqrt(1 - rho^2)), with the
/// spectral radius rho of I - D^-1 A, which is best for consistently ordered matrices (Young); all others: 1, which for
/// SSOR by two colours is best.
void Sweeps::choose_weight(CsrView A, std::span<const double> reciprocal, Weight rule) {
    weight_ = 1;
    const bool smooths = rule == Weight::to_smooth;
    const bool all_at_once = method_ == Method::richardson || (smooths && method_ == Method::jacobi);
    if (!all_at_once && (smooths || method_ != Method::sor)) return;
    // To solve, null vectors have no part in it, those of empty rows among them: their residuals are zero.
    const Spectrum found =
        smooths ? estimate_spectrum(system_, A, lanczos_steps) : estimate_nonzero_spectrum(system_, A, lanczos_steps);
    if (!found.definite) {
        indefinite_ = true;
        how_ = "; Lanczos finds the matrix not positive definite, and could not choose it";
        // Without a bound the weight stays 1, with which M makes a splitting of A of its own.
        const bool bounded = std::isfinite(found.gershgorin) && found.gershgorin > 0;
        if (method_ == Method::richardson && bounded) weight_ = 1 / found.gershgorin;
        return;
    }
    how_ = fmt::format("; from {} steps of Lanczos", found.steps);
    // Lanczos looks at M^-1 A.
    const bool of_jacobi = system_.diagonal() != nullptr || is_constant(reciprocal);
    if (method_ != Method::richardson && !of_jacobi) {
        how_ = "; with the preconditioner jacobi Lanczos could choose it";
        return;
    }
    const bool by_constant = system_.diagonal() == nullptr && !reciprocal.empty();
    const double unit = by_constant ? reciprocal[0] / system_.unit : 1;
    const double smallest = unit * found.smallest, largest = unit * found.largest;
    if (all_at_once) {
        weight_ = 2 / (smallest + std::min(1.05 * largest, unit * found.gershgorin));
        return;
    }
    const double rho = std::max(1 - smallest, largest - 1);
    weight_ = rho < 1 ? 2 / (1 + std::sqrt((1 - rho) * (1 + rho))) : 1;
}

Colouring Sweeps::colours_of(CsrView A) const {
    if (method_ == Method::jacobi || method_ == Method::richardson) {
        return {.colour = std::vector<Index>(static_cast<std::size_t>(A.rows), 0), .count = 1};
    }
    Colouring colours = colour_rows(A);
    if (method_ == Method::cf_jacobi) {
        for (Index& colour : colours.colour) colour = std::min(colour, 1);
        colours.count = std::min(colours.count, 2);
    }
    return colours;
}

void Sweeps::upload(std::span<const double> reciprocal, const Colouring& colours) {
    for (Index k = 0; k < colours.count; ++k) {
        std::vector<float> masked(reciprocal.size(), 0.0f);
        for (std::size_t i = 0; i < masked.size(); ++i) {
            if (colours.colour[i] == k) masked[i] = static_cast<float>(weight_ * reciprocal[i]);
        }
        d_.emplace_back(system_.backend, system_.size, fmt::format("weight / diagonal, colour {}", k));
        d_.back().upload(masked);
    }
}

void Sweeps::smooth(Vector& x, const Vector& b, int steps, StorageId status) {
    for (int k = 0; k < steps; ++k) {
        if (d_.empty()) {
            system_.A.relax(x, b, system_.diagonal(), static_cast<float>(system_.unit * weight_), status);
        }
        for (const Vector& d : d_) system_.A.relax(x, b, &d, 1, status);
        if (method_ == Method::ssor) backwards(x, b, status);
    }
}

/// Of the first sweep the first colour: x <- d b, zeros in all other rows. Where that is all of it, the second sweep is
/// in the same pass.
void Sweeps::smooth_from_zero(Vector& x, const Vector& b, int steps) {
    const auto weight = static_cast<float>(system_.unit * weight_);  // where d is a number, or the system's
    const Vector* const of_system = system_.diagonal();
    if (steps > 1 && d_.size() <= 1 && method_ != Method::ssor) {
        const bool own = !d_.empty();
        system_.A.relax_twice(x, b, own ? &d_[0] : of_system, own ? 1 : weight, own ? 1 : weight);
        return smooth(x, b, steps - 2);
    }
    if (d_.empty()) {
        of_system != nullptr ? hadamard(x, *of_system, b, scalar_arg(weight)) : scale(x, scalar_arg(weight), b);
    } else {
        hadamard(x, d_[0], b);
        for (std::size_t k = 1; k < d_.size(); ++k) system_.A.relax(x, b, &d_[k], 1, {});
        if (method_ == Method::ssor) backwards(x, b, {});
    }
    smooth(x, b, steps - 1);
}

/// The same colours backwards; forwards and backwards is its own adjoint.
void Sweeps::smooth_adjoint(Vector& x, const Vector& b, int steps) {
    if (d_.size() <= 1 || method_ == Method::ssor) return smooth(x, b, steps);
    for (int k = 0; k < steps; ++k) backwards(x, b, {});
}

void Sweeps::backwards(Vector& x, const Vector& b, StorageId status) {
    std::for_each(d_.rbegin(), d_.rend(), [&](const Vector& d) { system_.A.relax(x, b, &d, 1, status); });
}

bool Sweeps::symmetric() const { return d_.size() <= 1 || method_ == Method::ssor; }

std::string Sweeps::remarks() const {
    const std::string text = d_.size() > 1 ? fmt::format("{} colours, ", d_.size()) : "";
    return fmt::format("{}weight {:.4g}{}", text, weight_, how_);
}

}  // namespace glsolve::inline v0_1
