/// What the name of an output promises.
#pragma once

#include <filesystem>
#include <string>

namespace glsolve::cli {

/// The end of a picture's name decides what is drawn. Says what is wrong with it, or nothing.
std::string check_picture(const std::string& file);

/// NumPy's and SciPy's files, by the end of the name.
bool is_npz(const std::filesystem::path& file);
bool is_npy(const std::filesystem::path& file);

/// Matrices are written as .npz, vectors as .npy, and both as Matrix Market. Refuses endings that promise another
/// format, and leaves those that promise nothing. Says what is wrong, or nothing.
std::string check_matrix_output(const std::string& file);
std::string check_vector_output(const std::string& file);
/// Of what may be either.
std::string check_output(const std::string& file);

}  // namespace glsolve::cli
