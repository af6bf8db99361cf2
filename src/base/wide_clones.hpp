/// Loops over numbers that are worth a second copy for processors whose registers hold four of them.
#pragma once

#include <cstddef>  // says whether this is glibc, which chooses among copies

// Which copy runs is decided when the program is loaded. The arithmetic is the same (AVX2 alone does not fuse products
// and sums), and so is each bit. What such a function calls has to be inlined into it. Not with sanitizers, which are
// not ready yet at that moment.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) \
    && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GLSOLVE_WIDE_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define GLSOLVE_WIDE_CLONES
#endif
