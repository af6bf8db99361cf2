#include "cusparse_solver.hpp"

#include <cmath>

#include "cusparse_factors.hpp"

namespace glsolve::bench {
namespace {

constexpr int most_corrections = 30;

/// Vectors, and the operations of cuBLAS that the loops need.
template <class Number>
class VendorLoop {
  public:
    VendorLoop(const CusparseFunctions<Number>& library, CsrView A, const Aim& aim, const VendorSetting& setting)
        : make_(library),
          library_(library),
          A_(A),
          aim_(aim),
          setting_(setting),
          product_(make_, A, setting.format),
          factors_(make_, A, setting.cholesky, factors_remark_),
          r_(make_, A.rows),
          x_(make_, A.rows),
          p_(make_, A.rows),
          q_(make_, A.rows),
          z_(make_, A.rows),
          t_(make_, A.rows),
          shadow_(make_, A.rows) {
        check(library.cuda.synchronize(), "cudaDeviceSynchronize");
    }

    /// Solves A d = r on the device and adds d to x, until the residual on the host is small.
    std::int64_t solve(const std::vector<double>& b, std::vector<double>& x, std::string& remark) {
        const auto begin = Clock::now();
        most_ = aim_.max_iterations > 0 ? aim_.max_iterations : 2 * std::int64_t{A_.rows};  // Eigen's limit
        std::vector<double> r = b, product(b.size());
        const double target = aim_.tolerance * norm_of(b);
        std::int64_t iterations = 0;
        int corrections = 0;
        double before = norm_of(b);
        remark = factors_remark_;
        for (; corrections < most_corrections; ++corrections) {
            const std::vector<double> last = x;
            upload(r);
            const auto limit = static_cast<Number>(target / before);
            iterations += setting_.cholesky ? cg(limit, most_ - iterations) : bicgstab(limit, most_ - iterations);
            add_answer(x, before);
            multiply(A_, x, product);
            for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - product[i];
            const double after = norm_of(r);
            if (!(after < before)) {
                x = last;
                remark += "no further progress; ";
                break;
            }
            const bool improves = after < before / 2;
            before = after;
            if (after <= target || !improves || iterations >= most_ || seconds_since(begin) > aim_.seconds) break;
        }
        if (corrections > 0) remark += fmt::format("corrected {} times", corrections);
        return iterations;
    }

  private:
    using Vector = CusparseVector<Number>;

    /// BiCGStab, preconditioned from the right (van der Vorst 1992), until |r| <= limit. r has the norm 1.
    std::int64_t bicgstab(Number limit, std::int64_t most) {
        copy(r_, shadow_), copy(r_, p_);
        Number rho_old = 1, alpha = 1, omega = 1;
        for (std::int64_t k = 1; k <= most; ++k) {
            const Number rho = dot(shadow_, r_);
            if (rho == 0 || !std::isfinite(rho)) return k - 1;
            if (k > 1) {  // p = r + beta (p - omega q)
                add(-omega, q_, p_), scale(rho / rho_old * alpha / omega, p_), add(1, r_, p_);
            }
            factors_.solve(p_, z_), product_.multiply(z_, q_);
            alpha = rho / dot(shadow_, q_);
            add(-alpha, q_, r_), add(alpha, z_, x_);  // r is the paper's s
            if (norm(r_) <= limit) return k;
            factors_.solve(r_, z_), product_.multiply(z_, t_);
            omega = dot(t_, r_) / dot(t_, t_);
            add(omega, z_, x_), add(-omega, t_, r_);
            if (!(norm(r_) > limit)) return k;
            rho_old = rho;
        }
        return most;
    }

    /// Conjugate gradients (Saad 2003, algorithm 9.1).
    std::int64_t cg(Number limit, std::int64_t most) {
        factors_.solve(r_, z_), copy(z_, p_);
        Number rho = dot(r_, z_);
        for (std::int64_t k = 1; k <= most; ++k) {
            product_.multiply(p_, q_);
            const Number alpha = rho / dot(p_, q_);
            add(alpha, p_, x_), add(-alpha, q_, r_);
            if (!(norm(r_) > limit)) return k;
            factors_.solve(r_, z_);
            const Number rho_new = dot(r_, z_);
            scale(rho_new / rho, p_), add(1, z_, p_);
            rho = rho_new;
        }
        return most;
    }

    /// r / |r|, so that single precision holds it; x = 0.
    void upload(const std::vector<double>& r) {
        const double length = norm_of(r);
        std::vector<Number> numbers(r.size());
        for (std::size_t i = 0; i < r.size(); ++i) numbers[i] = static_cast<Number>(length > 0 ? r[i] / length : 0);
        check(library_.cuda.copy(r_.data, numbers.data(), numbers.size() * sizeof(Number), to_device), "cudaMemcpy");
        check(library_.fill(x_.data, 0, numbers.size() * sizeof(Number)), "cudaMemset");
    }
    void add_answer(std::vector<double>& x, double length) {
        std::vector<Number> numbers(x.size());
        check(library_.cuda.copy(numbers.data(), x_.data, numbers.size() * sizeof(Number), to_host), "cudaMemcpy");
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += length * static_cast<double>(numbers[i]);
    }
    static double norm_of(const std::vector<double>& v) {
        double sum = 0;
        for (const double each : v) sum += each * each;
        return std::sqrt(sum);
    }

    Number dot(const Vector& a, const Vector& b) const {
        Number result = 0;
        check(library_.dot(library_.blas, A_.rows, a.data, 1, b.data, 1, &result), "cublasdot");
        return result;
    }
    Number norm(const Vector& a) const {
        Number result = 0;
        check(library_.norm(library_.blas, A_.rows, a.data, 1, &result), "cublasnrm2");
        return result;
    }
    void add(Number factor, const Vector& a, Vector& to) const {
        check(library_.axpy(library_.blas, A_.rows, &factor, a.data, 1, to.data, 1), "cublasaxpy");
    }
    void scale(Number factor, Vector& a) const {
        check(library_.scale(library_.blas, A_.rows, &factor, a.data, 1), "cublasscal");
    }
    void copy(const Vector& from, Vector& to) const {
        check(library_.copy(library_.blas, A_.rows, from.data, 1, to.data, 1), "cublascopy");
    }

    CusparseMaker<Number> make_;
    const CusparseFunctions<Number>& library_;
    CsrView A_;
    Aim aim_;
    VendorSetting setting_;
    std::string factors_remark_;
    VendorProduct<Number> product_;
    VendorFactors<Number> factors_;
    Vector r_, x_, p_, q_, z_, t_, shadow_;
    std::int64_t most_ = 0;
};

template <class Number>
SolveRow vendor_row(const CusparseFunctions<Number>& library, const TestSystem& system, const Aim& aim,
                    const VendorSetting& setting) {
    const std::string title = fmt::format("cuSPARSE {}, {}, {}", setting.cholesky ? "CG + IC(0)" : "BiCGStab + ILU(0)",
                                          name(setting.format), setting.single ? "float" : "double");
    return least_row(title, system, aim,
                     [&] { return std::make_unique<VendorLoop<Number>>(library, system.A, aim, setting); });
}

}  // namespace

struct VendorSolvers::Libraries {
    CudaLibraries cuda;
    CusparseFunctions<double> in_double{cuda};
    CusparseFunctions<float> in_single{cuda};
};

VendorSolvers::VendorSolvers() : libraries_(std::make_unique<Libraries>()) {}
VendorSolvers::~VendorSolvers() = default;

SolveRow VendorSolvers::row(const TestSystem& system, const Aim& aim, const VendorSetting& setting) const {
    return setting.single ? vendor_row(libraries_->in_single, system, aim, setting)
                          : vendor_row(libraries_->in_double, system, aim, setting);
}

}  // namespace glsolve::bench
