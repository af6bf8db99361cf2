/// The five papers, and what is run for each.
#pragma once

#include <array>
#include <string_view>

#include "bench.hpp"

namespace glsolve::bench {

struct Paper {
    std::string_view key;
    std::string_view title;   ///< of its section
    std::string_view source;  ///< authors, title, where it was printed
    std::string_view device;  ///< theirs
    std::string_view since;   ///< what has changed since, and why
    Section (*run)(Bench& bench);
};

Section xia_wei(Bench& bench);
Section liu_yin_wu(Bench& bench);
Section li_zhang_tan_chen(Bench& bench);
Section chadov(Bench& bench);
Section cheng(Bench& bench);

extern const std::array<Paper, 5> papers;
/// Throws Error, which names those that there are.
const Paper& paper_of(std::string_view key);

}  // namespace glsolve::bench
