#pragma once

#include <filesystem>
#include <glsolve/choice.hpp>
#include <glsolve/csr.hpp>
#include <string>

namespace glsolve::cli {

/// Where the nonzeros of a matrix stand; darker where there are more of them.
void plot_spy(const std::filesystem::path& file, CsrView A, const std::string& title);

/// Where a format keeps each number: a colour for each part, zeros in grey.
void plot_parts(const std::filesystem::path& file, CsrView A, const std::vector<StoredNumber>& parts,
                const std::string& title);

}  // namespace glsolve::cli
