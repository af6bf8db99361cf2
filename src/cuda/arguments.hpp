/// What a kernel is launched with: the host fills it in, the program reads it. Both compile this very file.
#pragma once

namespace glsolve::inline v0_1::cuda {

/// A rectangle of texels in the device's memory, row after row.
struct Texels {
    void* data;
    int width, height;
};

/// Numbered as in the pass table.
struct Arguments {
    int where[4];  ///< width and height of the domain, and where it begins
    int integers[12];
    float constants[4];
    float factors[2];
    const void* numerators[2];  ///< of the scalar arguments, a texel each; null: 1
    const void* denominators[2];
    const void* guard;   ///< the status; null: the pass always runs
    unsigned* finished;  ///< reductions at once: how many groups have finished
    Texels left;         ///< ... and what each has made
    Texels other;        ///< asynchronous passes: the texels that the first output takes turns with
    Texels inputs[12], outputs[5];
};

/// Pairs of numbers that a variant asks for.
struct Table {
    float numbers[2 * 256];
};

}  // namespace glsolve::inline v0_1::cuda
