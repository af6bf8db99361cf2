/// The system that all runners solve: a matrix, an answer that is known, and the right-hand side that belongs to it.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <string>
#include <vector>

namespace race {

struct Problem {
    glsolve::CsrMatrix A;
    std::vector<double> answer;  ///< x*
    std::vector<double> b;       ///< A x*
    int side = 0;  ///< unknown i is the point (i % side, i / side) of a square; 0: there is no such picture
    std::string description;
};

/// A grid of side x side unknowns whose answer is a picture. Throws std::runtime_error that says which kinds and sizes
/// there are.
Problem make_problem(const std::string& kind, int side);
/// A Matrix Market file; the answer is random. Throws for what cannot be read or is not symmetric positive definite,
/// as far as that shows.
Problem read_problem(const std::string& file);

/// "36,864"
std::string with_commas(std::int64_t number);

}  // namespace race
