/// A file that is whole or absent.
#pragma once

#include <cstdio>
#include <filesystem>
#include <glsolve/export.hpp>
#include <memory>
#include <string_view>

namespace glsolve::inline v0_1 {

/// Devices and pipes are written to directly. Else: writes beside the target and puts the result in its place at the
/// end, so that no reader ever sees half a file and a failure leaves the old one as it was. A file that may not be
/// written to is not replaced. Gzipped when the name ends
/// in .gz. Throws Error, naming file and reason.
class GLSOLVE_API OutputFile {
  public:
    explicit OutputFile(std::filesystem::path target);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Removes what was written, unless commit() has been called.
    ~OutputFile();

    void write(std::string_view bytes);

    /// Completes the file and gives it its name.
    void commit();

  private:
    class Deflater;
    struct CloseFile {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    void store(std::string_view bytes);
    [[noreturn]] void fail(int error) const;

    std::filesystem::path target_;
    std::filesystem::path temporary_;
    std::unique_ptr<Deflater> deflater_;
    std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace glsolve::inline v0_1
