/// GLSOLVE_API marks the symbols that a shared glsolve library exports. All other symbols are hidden.
#pragma once

#if defined(GLSOLVE_STATIC)
#define GLSOLVE_API
#elif defined(_WIN32)
#if defined(GLSOLVE_BUILDING)
#define GLSOLVE_API __declspec(dllexport)
#else
#define GLSOLVE_API __declspec(dllimport)
#endif
#else
#define GLSOLVE_API __attribute__((visibility("default")))
#endif
