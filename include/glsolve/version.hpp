/// The version number. It is defined only here; CMake reads it from this file.
#pragma once

#define GLSOLVE_VERSION_MAJOR 0
#define GLSOLVE_VERSION_MINOR 1
#define GLSOLVE_VERSION_PATCH 0
#define GLSOLVE_VERSION "0.1.0"
