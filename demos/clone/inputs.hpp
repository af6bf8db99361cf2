/// The two pictures that are put together, and what of the source is cloned.
#pragma once

#include <string>

#include "support/picture.hpp"

namespace cloning {

/// Names of files; empty: a picture of this program's own.
struct InputFiles {
    std::string source = {}, mask = {}, target = {};
    int size = 640;  ///< width of a generated target, in pixels
};

struct Inputs {
    demo::Picture source;  ///< its alpha is 1 where it is cloned, else 0
    demo::Picture target;
    int masked = 0;  ///< pixels of the source that are cloned
};

/// Throws std::runtime_error that names the file and says what would be accepted.
///
/// A pixel can be cloned if its four neighbours are known, since it is differences that are cloned. So the outermost
/// pixels of the source never are, nor are those beside transparent ones where the alpha channel is the mask.
Inputs load_inputs(const InputFiles& files);

/// A balloon on a bright day, and an evening at the sea: generated, the same on every machine.
demo::Picture day_picture(int side);
demo::Picture evening_picture(int width, int height);

}  // namespace cloning
