// FormatKind::measure with a folder: what was found for a structure is found again.
#include <filesystem>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"

namespace tests_of_kept_formats {

using namespace glsolve;
using namespace glsolve::test;
namespace fs = std::filesystem;

TEST_CASE("a measured format is kept for its structure, if asked for", "[solvers][kept_formats]") {
    const Folder folder;
    const Options options{.format = FormatKind::measure, .choice_cache = folder.path.string()};
    const auto reason = [&](const CsrMatrix& A, const Options& o) {
        return Solver(device_under_test(), A, o).format().reason;
    };
    const CsrMatrix A = poisson2d(8);
    CHECK_THAT(reason(A, options), ContainsSubstring("measured, a product takes"));
    const Solver again(device_under_test(), A, options);
    CHECK_THAT(again.format().reason, ContainsSubstring("measured by an earlier run"));
    CHECK_THAT(reason(jumping_coefficients(8, 10), options),
               ContainsSubstring("measured by an earlier run"));  // other numbers
    CHECK_THAT(reason(poisson2d(9), options), ContainsSubstring("measured, a product takes"));
    CHECK_THAT(reason(A, {.format = FormatKind::measure}), ContainsSubstring("measured, a product takes"));
    // What is damaged is measured again.
    for (const auto& file : fs::directory_iterator(folder.path)) fs::resize_file(file.path(), 20);
    CHECK_THAT(reason(A, options), ContainsSubstring("measured, a product takes"));
    CHECK_THAT(reason(A, options), ContainsSubstring("measured by an earlier run"));
}

}  // namespace tests_of_kept_formats
