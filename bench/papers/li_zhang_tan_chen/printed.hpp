/// What J. Li, X. Zhang, G. Tan and M. Chen print (2011).
#pragma once

#include <array>

namespace glsolve::bench::amg::printed {

// Table 1, and the text below it: a Tesla C2050, and one or four processes on a Xeon X5650.
inline constexpr double device_seconds = 28, core_seconds = 58.4, cores_seconds = 27.2;  ///< of 200 cycles
inline constexpr double core_over_device = 2.08, cores_over_device = 0.97;
// Figure 8 as its text has it: a GeForce GTX 480, and a Core i7. 42 % less than four threads' performance, 6 % more
// than one's.
inline constexpr int cycles_to_tolerance = 8;
inline constexpr double core_over_device_to_tolerance = 1.06, cores_over_device_to_tolerance = 0.58;

/// Table 3.
inline constexpr double setup_seconds = 2.24, solve_seconds = 1.78, upload_seconds = 2.39;
/// Table 4: of a cycle. Its parts do not add up to it, in the paper either.
inline constexpr double cycle_seconds = 0.189, relax_seconds = 0.104, coarsening_seconds = 0.048,
                        interpolation_seconds = 0.002, transfer_seconds = 0.008;

/// Milliseconds on the processor and on the GPU.
struct Times {
    double core, device;
};

/// A level of the appendix: relaxation downwards and upwards, the residual and its restriction to the next level, and
/// interpolation to this one (the paper prints that with the level which it comes from). The last level is solved,
/// which the appendix prints twice.
struct LevelTimes {
    int rows;
    Times down, up, restriction, interpolation;

    constexpr Times smoothing() const { return {down.core + up.core, down.device + up.device}; }
    constexpr Times sum() const {
        return {smoothing().core + restriction.core + interpolation.core,
                smoothing().device + restriction.device + interpolation.device};
    }
};

inline constexpr std::array levels{
    LevelTimes{1000000, {26.000, 7.19}, {25.850, 7.88}, {25.700, 5.65}, {6.170, 1.01}},
    LevelTimes{500000, {13.120, 6.15}, {13.100, 6.24}, {14.360, 6.94}, {3.050, 0.45}},
    LevelTimes{250000, {16.650, 16.03}, {16.680, 16.1}, {12.850, 13.32}, {1.520, 0.29}},
    LevelTimes{125000, {6.620, 8.45}, {6.610, 8.43}, {6.820, 8.45}, {0.760, 0.15}},
    LevelTimes{62006, {6.150, 7.02}, {6.130, 7.02}, {4.690, 6.85}, {0.370, 0.10}},
    LevelTimes{31001, {2.950, 4.16}, {2.930, 4.14}, {2.520, 4.49}, {0.140, 0.06}},
    LevelTimes{7817, {0.410, 0.74}, {0.310, 0.74}, {0.300, 0.74}, {0.034, 0.04}},
    LevelTimes{1986, {0.100, 0.39}, {0.080, 0.39}, {0.080, 0.34}, {0.010, 0.03}},
    LevelTimes{565, {0.040, 0.39}, {0.024, 0.38}, {0.020, 0.30}, {0.004, 0.03}},
    LevelTimes{201, {0.013, 0.28}, {0.010, 0.29}, {0.011, 0.20}, {0.002, 0.03}},
    LevelTimes{80, {0.006, 0.24}, {0.004, 0.24}, {0.005, 0.17}, {0.001, 0.03}},
    LevelTimes{31, {0.003, 0.24}, {0.002, 0.23}, {0.004, 0.15}, {0.001, 0.03}},
    LevelTimes{12, {0.002, 0.22}, {0.001, 0.22}, {0.002, 0.15}, {0.001, 0.03}},
    LevelTimes{3, {0.012, 0.06}, {}, {}, {}},
};

/// A level of table 2: millions of floating-point operations a second, of relaxation (its mean) and of the product.
struct LevelRates {
    double core_relax, core_product, device_relax, device_product;
};
inline constexpr std::array rates{
    LevelRates{1286, 768, 2933, 2921}, LevelRates{1902, 923, 3094, 1548}, LevelRates{1446, 1056, 1325, 826},
    LevelRates{2129, 1083, 1505, 769}, LevelRates{1596, 1121, 1324, 688}, LevelRates{2274, 1210, 1822, 638},
    LevelRates{2239, 1568, 1709, 642}, LevelRates{2085, 1544, 851, 486},  LevelRates{1811, 1351, 232, 141},
    LevelRates{1647, 1275, 146, 102},  LevelRates{1584, 1076, 66, 57},    LevelRates{1701, 788, 24, 24},
    LevelRates{1011, 232, 7, 8}};

}  // namespace glsolve::bench::amg::printed
