/// The mouse: handles are dragged in the plane of the screen, and the background turns the camera.
#pragma once

#include <optional>

#include "deform/deformation.hpp"
#include "deform/view.hpp"
#include "support/stage.hpp"

namespace deform {

class Mouse {
  public:
    /// What a frame's input does. A and D turn the handle that was dragged last.
    void act(const demo::Input& input, const demo::StageOptions& picture, Camera& camera, Deformation& deformation);
    /// The handle that is being dragged.
    std::optional<Group> handle() const { return dragging_ ? handle_ : std::nullopt; }

  private:
    void press(Vector eye, Vector ray, Deformation& deformation);

    std::optional<Group> handle_;  // that was dragged last
    bool dragging_ = false;
    Vector place_;  // the point of the mesh that is held
    double x_ = 0, y_ = 0;
};

}  // namespace deform
