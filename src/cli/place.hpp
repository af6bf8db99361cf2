/// Where a command computes, in one word: a backend, and of OpenGL a stage.
#pragma once

#include <array>
#include <glsolve/device.hpp>
#include <string>

namespace glsolve::cli {

struct Place {
    BackendKind backend = BackendKind::automatic;
    Stage stage = Stage::automatic;

    bool operator==(const Place&) const = default;
};

/// "auto", "host", "cuda", "opengl" (the faster stage), "opengl-fragment" or "opengl-compute".
inline std::string name(const Place& place) {
    std::string word(glsolve::name(place.backend));
    if (place.stage != Stage::automatic) word.append("-").append(glsolve::name(place.stage));
    return word;
}

inline constexpr std::array all_places{Place{},
                                       Place{BackendKind::opengl},
                                       Place{BackendKind::opengl, Stage::fragment},
                                       Place{BackendKind::opengl, Stage::compute},
                                       Place{BackendKind::cuda},
                                       Place{BackendKind::host}};

}  // namespace glsolve::cli
