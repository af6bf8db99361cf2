/// The format and the method that were chosen for a matrix, and the reasons.
#pragma once

#include <glsolve/options.hpp>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

class Device;

/// The predicted cost of one product y = A x in a format.
struct FormatPrediction {
    FormatKind format = FormatKind::ell;
    double bytes = 0;   ///< read and written, 16 per texel, as if nothing were cached
    double memory = 0;  ///< bytes on the device
    int passes = 1;
    double seconds = 0;            ///< measured time; 0: not measured
    double predicted_seconds = 0;  ///< by the device's rates; 0: bytes decide, as on software renderers
    bool at_least =
        false;  ///< `bytes` is a lower bound: another format is better already, so this one was not examined fully
    std::string note;        ///< the property of the matrix that decides
    std::string impossible;  ///< why the device cannot hold this format; empty: it can

    bool possible() const { return impossible.empty(); }
};

/// A number that a format stores, and the part of the format that it is in: "ell", "csr", "runs", "zeros" ...
struct StoredNumber {
    Index row = 0, column = 0;
    std::string part;
};

/// The format of a matrix on the device, and the reason.
struct FormatChoice {
    FormatKind format = FormatKind::ell;
    std::string reason;
    int ell_width = -1;                         ///< K of hec and hyb, where it was measured; else negative
    std::vector<FormatPrediction> predictions;  ///< for all formats that were considered
};

/// Predicts the format that a Solver with these options would choose on a processor, where bytes decide; on a GPU its
/// rates do (measure_formats). `max_texture_size`: texels a side of a texture. FormatKind::measure counts as automatic.
/// A must be square.
GLSOLVE_API FormatChoice predict_format(CsrView A, const Options& options = {}, int max_texture_size = 16384);

/// The same for this device, measured: makes every format that is not hopeless and times its product
/// (FormatPrediction::seconds), beside what was expected. A is scaled and reordered as a Solver would do.
GLSOLVE_API FormatChoice measure_formats(Device& device, CsrView A, const Options& options = {});

/// Where a format keeps each nonzero of A, and which zeros it stores beside them: as it would be without a device, on
/// which long rows may be divided in other ways. `automatic` and `measure`: of the format predict_format() finds. A
/// must be square.
GLSOLVE_API std::vector<StoredNumber> parts_of_format(CsrView A, FormatKind format, const Options& options = {});

/// What a way to solve a system is predicted to take, set-up and solve. Of iterations that are not sure to end it is
/// what 300 of them take.
struct MethodPrediction {
    Method method = Method::cg;
    PreconditionerKind preconditioner = PreconditionerKind::jacobi;
    double seconds = 0;
    bool measured = false;  ///< it is what an earlier solve took (Options::choice_cache)
};

/// The method of a solver, and the reason.
struct MethodChoice {
    Method method = Method::cg;
    std::string reason;
    PreconditionerKind preconditioner = PreconditionerKind::jacobi;  ///< the preconditioner used with it
    /// Where the method was chosen: what was considered, the quickest first.
    std::vector<MethodPrediction> predictions = {};
};

}  // namespace glsolve::inline v0_1
