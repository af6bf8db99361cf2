/// The matrices of Liu, Yin and Wu (2011), by their names: from files where they are at hand, else made ones.
#pragma once

#include <array>
#include <string_view>

#include "bench.hpp"

namespace glsolve::bench::gmres {

/// As tables 2 and 3 print them.
struct PrintedMatrix {
    std::string_view name;
    Index rows;
    double entries_a_row;
    /// Seconds of 100 products: the paper's two kernels, Bell and Garland's scalar and vector kernels; 0: failed.
    std::array<double, 3> products;
    struct Restarts {
        double cpu, gpu;  ///< seconds of ten restarts (0.350 of Largebasis, m = 8, is 0.250 by the printed ratio)
    };
    std::array<Restarts, 3> restarts;        ///< machine 1 (Q9400); m = 8, 16, 32
    std::array<Restarts, 3> machine_2 = {};  ///< i7 920; 0: not printed
};
extern const std::array<PrintedMatrix, 9> printed_matrices;

struct MadeMatrix {
    std::string name;
    CsrMatrix A;
    bool made = false;  ///< it is not the paper's
};

/// The matrix's file, or a made one with about as many rows and entries a row: neighbours in a square grid and a few
/// far ones, as many as the row's length, which varies by half, asks for; each row's diagonal outweighs the rest by a
/// little, so that GMRES converges slowly. `smaller`: so many times fewer rows.
MadeMatrix matrix_of(const Bench& bench, const PrintedMatrix& printed, Index smaller);

}  // namespace glsolve::bench::gmres
