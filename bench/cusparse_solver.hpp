/// BiCGStab with ILU(0) and conjugate gradients with IC(0), of cuSPARSE and cuBLAS: what a CUDA program without
/// glsolve would do. Source of the structure: M. Naumov, Incomplete-LU and Cholesky preconditioned iterative methods
/// using cuSPARSE and cuBLAS, NVIDIA white paper, 2011.
#pragma once

#include <memory>

#include "cusparse_parts.hpp"
#include "solve_rows.hpp"

namespace glsolve::bench {

struct VendorSetting {
    bool cholesky = false;  ///< conjugate gradients with IC(0)
    bool single = false;    ///< float in place of double; corrected with residuals in double precision on the host
    VendorFormat format = VendorFormat::csr;  ///< of the products
};

class VendorSolvers {
  public:
    /// Throws Error where a library or a function is missing, or a device.
    VendorSolvers();
    ~VendorSolvers();
    /// Set-up: upload, factors, analysis of the triangles. Failures are remarks.
    SolveRow row(const TestSystem& system, const Aim& aim, const VendorSetting& setting) const;

  private:
    struct Libraries;
    std::unique_ptr<Libraries> libraries_;
};

}  // namespace glsolve::bench
