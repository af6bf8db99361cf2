/// What the panel says beside what it says in all demos.
#pragma once

#include "divergence_meter.hpp"
#include "pressure.hpp"
#include "view.hpp"

namespace fluid {

/// The keys; the method's is marked.
void draw_keys(Method method, bool paused);
/// What the projection leaves, and the scale of its colours.
void draw_divergence(const Divergence& divergence);
/// What each pane of the picture shows, below it.
void draw_captions(const View& view, int picture_height);

}  // namespace fluid
