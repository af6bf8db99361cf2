/// A text source that is read in a thread beside: what inflates a text, say, while its lines are taken apart.
#pragma once

#include <memory>

#include "io/text_source.hpp"

namespace glsolve::inline v0_1 {

/// Some blocks ahead of who reads. What `source` throws is thrown where its text would follow.
std::unique_ptr<TextSource> read_ahead(std::unique_ptr<TextSource> source);

}  // namespace glsolve::inline v0_1
