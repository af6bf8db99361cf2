#include <fmt/format.h>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

namespace glsolve::cli {
namespace {

using Kind = GenerateArguments::Kind;

struct Generated {
    CsrMatrix A;
    std::string comment;
};

Generated make(const GenerateArguments& a) {
    switch (a.kind) {
        case Kind::poisson2d:
            return {poisson2d(a.size), fmt::format("glsolve generate poisson2d {}", a.size)};
        case Kind::poisson3d:
            return {poisson3d(a.size), fmt::format("glsolve generate poisson3d {}", a.size)};
        case Kind::anisotropic:
            return {anisotropic(a.size, a.epsilon),
                    fmt::format("glsolve generate anisotropic {} {}", a.size, a.epsilon)};
        case Kind::random_spd:
            return {random_spd(a.size, a.nonzeros),
                    fmt::format("glsolve generate random-spd {} {}", a.size, a.nonzeros)};
    }
    return {};
}

}  // namespace

int generate(const GenerateArguments& arguments) {
    const Generated made = make(arguments);
    write_matrix_market(arguments.output, made.A, made.comment);
    fmt::print("{}: {} x {}, {} nonzeros\n", arguments.output.string(), made.A.rows, made.A.columns, made.A.nonzeros());
    return exit_converged;
}

}  // namespace glsolve::cli
