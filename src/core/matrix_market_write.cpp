#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/matrix_market.hpp>
#include <iterator>
#include <limits>

#include "core/output_file.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Collects formatted text and passes it on in blocks.
class TextWriter {
  public:
    explicit TextWriter(const std::filesystem::path& file) : file_(file) {}

    template <typename Format, typename... Arguments>
    void print(const Format& format, const Arguments&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, arguments...);
        if (text_.size() >= block_bytes) flush();
    }

    void commit() {
        flush();
        file_.commit();
    }

  private:
    static constexpr std::size_t block_bytes = std::size_t{1} << 18;

    void flush() {
        file_.write({text_.data(), text_.size()});
        text_.clear();
    }

    OutputFile file_;
    fmt::memory_buffer text_;
};

void print_comment(TextWriter& out, std::string_view comment) {
    while (!comment.empty()) {
        const std::size_t length = std::min(comment.find('\n'), comment.size());
        out.print(FMT_COMPILE("% {}\n"), comment.substr(0, length));
        comment.remove_prefix(std::min(length + 1, comment.size()));
    }
}

void check_array(std::span<const double> values, Index columns) {
    constexpr auto longest = std::numeric_limits<Index>::max();
    if (values.size() > static_cast<std::size_t>(longest)) {
        throw InvalidInput(fmt::format("a vector of {} elements; at most {} can be written", values.size(), longest));
    }
    if (columns < 1 || values.size() % static_cast<std::size_t>(columns) != 0) {
        throw InvalidInput(
            fmt::format("{} elements in {} columns; each column has to have as many, and there has to be one",
                        values.size(), columns));
    }
    for (const double& value : values) {
        if (!std::isfinite(value)) {
            throw InvalidInput(fmt::format("element {} of the vector is {}; only finite numbers can be written",
                                           &value - values.data(), value));
        }
    }
}

}  // namespace

void write_matrix_market(const std::filesystem::path& file, const CsrMatrix& A, std::string_view comment) {
    check(A);
    TextWriter out(file);
    out.print(FMT_COMPILE("%%MatrixMarket matrix coordinate real general\n"));
    print_comment(out, comment);
    out.print(FMT_COMPILE("{} {} {}\n"), A.rows, A.columns, A.nonzeros());
    for (Index row = 0; row < A.rows; ++row) {
        for (Offset k = A.offsets[row]; k < A.offsets[row + Offset{1}]; ++k) {
            out.print(FMT_COMPILE("{} {} {}\n"), row + Offset{1}, A.column[k] + Offset{1}, A.value[k]);
        }
    }
    out.commit();
}

void write_matrix_market(const std::filesystem::path& file, std::span<const double> values, std::string_view comment,
                         Index columns) {
    check_array(values, columns);
    TextWriter out(file);
    out.print(FMT_COMPILE("%%MatrixMarket matrix array real general\n"));
    print_comment(out, comment);
    out.print(FMT_COMPILE("{} {}\n"), values.size() / static_cast<std::size_t>(columns), columns);
    for (const double value : values) out.print(FMT_COMPILE("{}\n"), value);
    out.commit();
}

}  // namespace glsolve::inline v0_1
