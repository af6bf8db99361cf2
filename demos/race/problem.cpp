#include "race/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <numbers>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace race {

std::string with_commas(std::int64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text;
}

namespace {

constexpr int smallest_side = 32, largest_side = 1024;
constexpr double contrast = 1000, epsilon = 0.02;

// "Ax" above "=b", as dots, from the top downwards.
constexpr std::array<std::string_view, 15> letters{
    ".###.......",  //
    "#...#......",  //
    "#...#.#...#",  //
    "#####..#.#.",  //
    "#...#...#..",  //
    "#...#..#.#.",  //
    "#...#.#...#",  //
    "...........",  //
    "......#....",  //
    "......#....",  //
    "#####.####.",  //
    "......#...#",  //
    "#####.#...#",  //
    "......#...#",  //
    "......####.",
};

/// Whether a letter covers the point (u, v) of the unit square, v upwards.
bool in_letter(double u, double v) {
    constexpr double dot = 0.05;  // of the square's side
    constexpr auto columns = static_cast<int>(letters[0].size()), rows = static_cast<int>(letters.size());
    const int column = static_cast<int>(std::floor((u - 0.5) / dot + columns / 2.0));
    const int row = static_cast<int>(std::floor((0.5 - v) / dot + rows / 2.0));
    if (column < 0 || column >= columns || row < 0 || row >= rows) return false;
    return letters[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] == '#';
}

/// Something of everything: rings, which are smooth, the edges of letters, which are sharp, and grain, which is neither
/// exact in single precision. Each method is good at some of it.
std::vector<double> picture(int side) {
    const auto n = static_cast<std::size_t>(side);
    std::vector<double> answer = glsolve::known_answer(side * side);  // random, from 0.5 to 1.5
    for (std::size_t i = 0; i < n * n; ++i) {
        const double u = (static_cast<double>(i % n) + 0.5) / side, v = (static_cast<double>(i / n) + 0.5) / side;
        const double rings = 0.2 * std::cos(2 * std::numbers::pi * 5 * std::hypot(u - 0.5, v - 0.5));
        const double grain = 0.04 * (answer[i] - 1);
        answer[i] = (in_letter(u, v) ? 1.45 : 0.75 + rings) + grain;
    }
    return answer;
}

/// b <- A x*
Problem with_right_hand_side(Problem problem) {
    problem.b.resize(static_cast<std::size_t>(problem.A.rows));
    glsolve::multiply(problem.A, problem.answer, problem.b);
    return problem;
}

}  // namespace

Problem make_problem(const std::string& kind, int side) {
    if (side < smallest_side || side > largest_side) {
        throw std::runtime_error(
            fmt::format("--size {}: unknowns a side, from {} to {}", side, smallest_side, largest_side));
    }
    Problem problem;
    if (kind == "poisson") {
        problem.A = glsolve::poisson2d(side);
        problem.description = "Poisson's equation";
    } else if (kind == "jumps") {
        problem.A = glsolve::jumping_coefficients(side, contrast);
        problem.description = fmt::format("Diffusion on a checkerboard of 1 and {}", contrast);
    } else if (kind == "anisotropic") {
        problem.A = glsolve::anisotropic(side, epsilon);
        problem.description = fmt::format("Diffusion, {:.0f} times as strong along x as along y,", 1 / epsilon);
    } else {
        throw std::runtime_error(fmt::format("--kind {}: there are poisson, jumps and anisotropic", kind));
    }
    problem.description += fmt::format(" on {0} x {0} = {1} unknowns", side, with_commas(problem.A.rows));
    problem.side = side;
    problem.answer = picture(side);
    return with_right_hand_side(std::move(problem));
}

Problem read_problem(const std::string& file) {
    Problem problem;
    problem.A = glsolve::read_matrix_market(file);
    const char* needed = "; it has to be symmetric and positive definite";
    if (problem.A.rows != problem.A.columns) {
        throw std::runtime_error(fmt::format("{}: the matrix has {} rows and {} columns{}", file, problem.A.rows,
                                             problem.A.columns, needed));
    }
    if (glsolve::asymmetry(problem.A) > 1e-12) {
        throw std::runtime_error(fmt::format("{}: the matrix is not symmetric{}", file, needed));
    }
    const std::vector<double> diagonal = glsolve::diagonal(problem.A);
    const auto bad = std::ranges::find_if(diagonal, [](double entry) { return entry <= 0; });
    if (bad != diagonal.end()) {
        throw std::runtime_error(
            fmt::format("{}: row {} has {} on the diagonal{}", file, bad - diagonal.begin() + 1, *bad, needed));
    }
    problem.description = fmt::format("{}: {} unknowns, {} nonzeros", file.substr(file.find_last_of('/') + 1),
                                      with_commas(problem.A.rows), with_commas(problem.A.nonzeros()));
    problem.answer = glsolve::known_answer(problem.A.rows);
    return with_right_hand_side(std::move(problem));
}

}  // namespace race
