/// What was chosen for a matrix, and why.
#pragma once

#include <glsolve/options.hpp>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

/// What one product y = A x costs in a format.
struct FormatPrediction {
    FormatKind format = FormatKind::ell;
    double bytes = 0;   ///< fetched and written, 16 for each texel, as if nothing were cached
    double memory = 0;  ///< bytes on the device
    int passes = 1;
    double seconds = 0;      ///< 0: not measured
    bool at_least = false;   ///< the bytes are a bound: another format is better, and this one was not looked at
    std::string note;        ///< what about the matrix decides
    std::string impossible;  ///< why the device cannot take it; empty: it can

    bool possible() const { return impossible.empty(); }
};

/// The format a matrix was given on the device, and why.
struct FormatChoice {
    FormatKind format = FormatKind::ell;
    std::string reason;
    std::vector<FormatPrediction> predictions;  ///< of all formats that were considered
};

/// What a Solver with these options would choose, as far as that can be predicted (FormatKind::measure is taken as
/// automatic), on a device with textures of `max_texture_size` texels a side. A must be square.
GLSOLVE_API FormatChoice predict_format(const CsrMatrix& A, const Options& options = {}, int max_texture_size = 16384);

/// The method of a solver, and why.
struct MethodChoice {
    Method method = Method::cg;
    std::string reason;
    PreconditionerKind preconditioner = PreconditionerKind::jacobi;  ///< that it is used with
};

}  // namespace glsolve::inline v0_1
