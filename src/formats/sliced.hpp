#pragma once

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// Sliced ELL (Monakov, Lokhmotov and Avetisyan 2010; Kreutzer et al., SIAM J. Sci. Comput. 36, 2014): rows in slices,
/// each with as many slots as its longest row needs. A texel holds four rows, so a slice of four is the natural one.
///
/// *Runs*: where the four rows of a texel use four consecutive columns c ... c + 3, the slot stores c alone, and x is
/// read by two fetches instead of four. What does not stand in such runs stays in slots with a column for each row.
struct SlicedShape {
    int log2_slice = 0;  ///< a slice is 2^log2_slice texels of rows
    bool runs = false;   ///< look for them
};

/// `height`: rows of a slice, 4 times a power of two. Throws InvalidInput for others.
SlicedShape sliced_shape(int height, bool runs);

/// Uploads S A S in single precision. Throws InvalidInput when it does not fit the device's textures.
std::unique_ptr<AssembledMatrix> make_sliced(Backend& backend, const FormatInput& in, SlicedShape shape);

}  // namespace glsolve::inline v0_1
