/// Files that a command reads and writes. "-" is standard input or standard output.
#pragma once

#include <exception>
#include <filesystem>
#include <glsolve/csr.hpp>
#include <glsolve/matrix_market.hpp>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::cli {

using File = std::optional<std::filesystem::path>;
using Files = std::initializer_list<File>;

/// Standard input or output?
inline bool is_standard(const File& file) { return file && *file == "-"; }

/// What stands for an input in messages and reports.
std::string name_of_input(const std::filesystem::path& file);

/// Throws InvalidInput where standard input is asked for twice: it can be read only once.
void check_inputs(Files inputs);

/// Throws where an output cannot be written, before any work: a folder is missing, may not be written to or stands in
/// the place of an output; an existing file may not be written to; two outputs are the same file, or both standard
/// output; an output is one of the inputs. What is there stays as it is. Devices may be named twice.
void check_outputs(Files outputs, Files inputs = {});

/// Reads a matrix from a file, Matrix Market or NumPy's, or from standard input. Adds to `remarks` what the reader
/// remarks.
CsrMatrix read_matrix(const std::filesystem::path& file, std::vector<std::string>& remarks,
                      const ReadProgress& progress = {});

/// All numbers of a matrix, one column after the other.
std::vector<double> columns_of(CsrView B);

/// Writes a text to a file, whole or not at all, or to standard output.
void write_text(const std::filesystem::path& file, std::string_view text);

/// Writes a matrix likewise.
void write_matrix(const std::filesystem::path& file, CsrView A, std::string_view comment);
/// Writes columns of numbers, one behind the other.
void write_columns(const std::filesystem::path& file, std::span<const double> values, std::string_view comment,
                   Index columns);

/// Throws Error where standard output took less than was written to it.
void flush_standard_output();

/// Standard streams that are closed become ones that can neither be read nor written: the next file to be opened would
/// take their place, and what is printed would end in it.
void reserve_standard_streams();

/// Makes attempts, all of them: the first that failed is told at the end, by its exception.
class Attempts {
  public:
    template <class Attempt>
    void make(const Attempt& attempt) {
        try {
            attempt();
        } catch (...) {
            if (!first_failure_) first_failure_ = std::current_exception();
        }
    }
    void finish() const {
        if (first_failure_) std::rethrow_exception(first_failure_);
    }

  private:
    std::exception_ptr first_failure_;
};

}  // namespace glsolve::cli
