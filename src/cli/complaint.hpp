/// What is wrong with a command line, in words.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Error.hpp>
#include <optional>
#include <string>

namespace glsolve::cli {

/// The word that stands where a command should, if there is one.
std::optional<std::string> wrong_command(const CLI::App& app);

/// What is wrong, what may have been meant, and where help is.
std::string complaint(const CLI::App* app, const CLI::Error& error);

}  // namespace glsolve::cli
