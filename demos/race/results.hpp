/// The outcome as text.
#pragma once

#include <string>

#include "race/field.hpp"

namespace race {

/// A file for `save`. Throws std::runtime_error for a name that ends in neither .csv nor .json.
void check_output(const std::string& file);
/// The curves: CSV or JSON, as the name says. Throws std::runtime_error that names the file.
void save(const std::string& file, const Field& field);
/// A table for people, on standard output.
void print(const Field& field);

}  // namespace race
