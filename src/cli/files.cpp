#include "cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <glsolve/error.hpp>
#include <glsolve/numpy_files.hpp>
#include <iostream>
#include <set>
#include <system_error>

#include "cli/output_names.hpp"
#include "io/output_file.hpp"
#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace glsolve::cli {

namespace fs = std::filesystem;

namespace {

void require_standard_output() {
#if !defined(_WIN32)
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY) {
        throw Error("standard output cannot be written: it is closed, or open for reading only");
    }
#endif
}

/// Writes to standard output what `print` prints.
template <typename Print>
void print_to_standard_output(const Print& print) {
    try {
        print(std::cout);
    } catch (const InvalidInput&) {
        throw;
    } catch (const Error&) {
        flush_standard_output();
        throw;
    }
    flush_standard_output();
}

/// The one way to write to a device or a pipe is to write to it; that it may be done is known before.
void require_writable_device(const fs::path& file) {
#if !defined(_WIN32)
    if (access(file.c_str(), W_OK) != 0) {
        throw Error(fmt::format("{}: cannot be written: {}", file.string(), std::generic_category().message(errno)));
    }
#else
    static_cast<void>(file);
#endif
}

}  // namespace

std::string name_of_input(const fs::path& file) { return is_standard(file) ? "standard input" : file.string(); }

void check_inputs(Files inputs) {
    if (std::count_if(inputs.begin(), inputs.end(), is_standard) > 1) {
        throw InvalidInput(
            "standard input, -, is named twice, and can be read only once; each other input has to be a file");
    }
}

void check_outputs(Files outputs, Files inputs) {
    std::set<fs::path> read, seen;
    std::error_code error;
    for (const File& file : inputs) {
        if (file && !is_standard(file)) read.insert(fs::weakly_canonical(*file, error));
    }
    if (std::count_if(outputs.begin(), outputs.end(), is_standard) > 1) {
        throw InvalidInput("standard output, -, is named twice; each other output has to be a file of its own");
    }
    for (const File& file : outputs) {
        if (!file) continue;
        if (file->empty()) throw InvalidInput("an output has an empty name; the name of a file is needed");
        if (is_standard(file)) {
            require_standard_output();
            continue;
        }
        const fs::path folder = file->has_parent_path() ? file->parent_path() : ".";
        if (!fs::is_directory(folder, error)) {
            throw InvalidInput(fmt::format("{}: the folder {} {}", file->string(), folder.string(),
                                           error && error != std::errc::no_such_file_or_directory
                                               ? "cannot be reached: " + error.message()
                                               : "does not exist"));
        }
        if (fs::is_directory(*file, error)) {
            throw InvalidInput(fmt::format("{}: is a folder; the name of a file is needed", file->string()));
        }
        if (fs::exists(*file, error) && !fs::is_regular_file(*file, error)) {
            require_writable_device(*file);
            continue;
        }
        if (read.contains(fs::weakly_canonical(*file, error))) {
            throw InvalidInput(fmt::format("{}: is read as input; writing it would destroy it", file->string()));
        }
        if (!seen.insert(fs::weakly_canonical(folder / file->filename(), error)).second) {
            throw InvalidInput(fmt::format("{}: named twice; each output has to be a file of its own", file->string()));
        }
        const OutputFile attempt(*file);  // is begun, and never put in its place
    }
}

CsrMatrix read_matrix(const fs::path& file, std::vector<std::string>& remarks, const ReadProgress& progress) {
    const ReadRemark remark = [&](std::string_view words) { remarks.emplace_back(words); };
    if (is_standard(file)) return read_matrix_market(std::cin, name_of_input(file), progress, remark);
    if (is_npz(file)) return read_npz(file);
    if (is_npy(file)) return to_csr(read_npy(file));
    return read_matrix_market(file, progress, remark);
}

std::vector<double> columns_of(CsrView B) {
    const auto rows = static_cast<std::size_t>(B.rows);
    std::vector<double> values(rows * static_cast<std::size_t>(B.columns), 0.0);
    for (std::size_t i = 0; i < rows; ++i) {
        for (const auto [j, b] : B.row(i)) values[static_cast<std::size_t>(j) * rows + i] = b;
    }
    return values;
}

void write_text(const fs::path& file, std::string_view text) {
    if (is_standard(file)) return print_to_standard_output([&](std::ostream& out) { out << text << std::flush; });
    OutputFile output(file);
    output.write(text);
    output.commit();
}

void write_matrix(const fs::path& file, CsrView A, std::string_view comment) {
    if (is_npz(file)) return write_npz(file, A);
    if (!is_standard(file)) return write_matrix_market(file, A, comment);
    print_to_standard_output([&](std::ostream& out) { write_matrix_market(out, A, comment); });
}

void write_columns(const fs::path& file, std::span<const double> values, std::string_view comment, Index columns) {
    if (is_npy(file)) return write_npy(file, values, columns);
    if (!is_standard(file)) return write_matrix_market(file, values, comment, columns);
    print_to_standard_output([&](std::ostream& out) { write_matrix_market(out, values, comment, columns); });
}

void flush_standard_output() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.flush()) {
        throw Error("standard output cannot be written: is it full, or closed?");
    }
}

void reserve_standard_streams() {
#if !defined(_WIN32)
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) != -1) continue;
        // The lowest number that is free is this one. What is only read refuses to be written, and the reverse.
        static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
#endif
}

}  // namespace glsolve::cli
