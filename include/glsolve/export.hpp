/// GLSOLVE_API marks the symbols that a shared glsolve library exports. All other symbols are hidden.
#pragma once

// Each of the other headers with C++ in it includes this one. GCC 10 calls its C++20 201709.
#if (defined(_MSVC_LANG) && _MSVC_LANG <= 201703L) || (!defined(_MSVC_LANG) && __cplusplus <= 201703L)
#error "glsolve needs C++20: -std=c++20 for GCC and Clang, /std:c++20 for Visual C++"
#endif

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
