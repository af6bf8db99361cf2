/// The one place that holds the version; CMake reads it from here.
#pragma once

#define GLSOLVE_VERSION_MAJOR 0
#define GLSOLVE_VERSION_MINOR 1
#define GLSOLVE_VERSION_PATCH 0
#define GLSOLVE_VERSION "0.1.0"
