/// What the name of an output promises.
#pragma once

#include <string>

namespace glsolve::cli {

/// The end of a picture's name decides what is drawn. Says what is wrong with it, or nothing.
std::string check_picture(const std::string& file);

/// Matrices and vectors are written as Matrix Market. Refuses endings that promise another format, and leaves those
/// that promise nothing. Says what is wrong, or nothing.
std::string check_matrix_output(const std::string& file);

}  // namespace glsolve::cli
