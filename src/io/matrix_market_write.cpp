#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <glsolve/error.hpp>
#include <glsolve/matrix_market.hpp>
#include <iterator>
#include <limits>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "io/output_file.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Collects formatted text and passes it on in blocks.
class TextWriter {
  public:
    explicit TextWriter(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

    template <typename Format, typename... Arguments>
    void print(const Format& format, const Arguments&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, arguments...);
        if (text_.size() >= block_bytes) flush();
    }

    /// Calls print(text, first, last) for parts of 0 ... count - 1. All cores make text at a time, and it is passed on
    /// in order.
    template <typename Print>
    void print_parts(Offset count, const Print& print) {
        flush();
        constexpr Offset numbers_a_part = 1 << 13;  // some 100 kB of text
        const Offset parts = (count + numbers_a_part - 1) / numbers_a_part;
        std::vector<fmt::memory_buffer> texts(static_cast<std::size_t>(4 * most_threads));
        for (Offset done = 0; done < parts; done += std::ssize(texts)) {
            const Offset now = std::min<Offset>(std::ssize(texts), parts - done);
            parallel_for(now, 1, [&](int, Offset begin, Offset end) {
                for (Offset k = begin; k < end; ++k) {
                    const Offset first = (done + k) * numbers_a_part;
                    print(texts[static_cast<std::size_t>(k)], first, std::min(count, first + numbers_a_part));
                }
            });
            for (fmt::memory_buffer& text : std::span(texts).first(static_cast<std::size_t>(now))) {
                write_({text.data(), text.size()});
                text.clear();
            }
        }
    }

    void flush() {
        write_({text_.data(), text_.size()});
        text_.clear();
    }

  private:
    static constexpr std::size_t block_bytes = std::size_t{1} << 18;

    std::function<void(std::string_view)> write_;
    fmt::memory_buffer text_;
};

/// What `print` prints becomes a file.
template <typename Print>
void write_file(const std::filesystem::path& file, const Print& print) {
    OutputFile output(file);
    TextWriter out([&](std::string_view text) { output.write(text); });
    print(out);
    out.flush();
    output.commit();
}

template <typename Print>
void write_stream(std::ostream& stream, const Print& print) {
    const auto check = [&] {
        if (!stream) throw Error("the stream cannot be written: is it full, or closed?");
    };
    TextWriter out([&](std::string_view text) {
        stream.write(text.data(), static_cast<std::streamsize>(text.size()));
        check();
    });
    print(out);
    out.flush();
    stream.flush();
    check();
}

void print_comment(TextWriter& out, std::string_view comment) {
    while (!comment.empty()) {
        const std::size_t length = std::min(comment.find_first_of("\r\n"), comment.size());
        out.print(FMT_COMPILE("% {}\n"), comment.substr(0, length));
        comment.remove_prefix(std::min(length + 1, comment.size()));
    }
}

void check_array(std::span<const double> values, Index columns) {
    constexpr auto longest = std::numeric_limits<Index>::max();
    if (columns < 1 || values.size() % static_cast<std::size_t>(columns) != 0) {
        throw InvalidInput(
            fmt::format("{} elements in {} columns; each column has to have as many, and there has to be one",
                        values.size(), columns));
    }
    if (const std::size_t rows = values.size() / static_cast<std::size_t>(columns);
        rows > static_cast<std::size_t>(longest)) {
        throw InvalidInput(fmt::format("a vector of {} elements; at most {} can be written", rows, longest));
    }
    for (const double& value : values) {
        if (!std::isfinite(value)) {
            throw InvalidInput(fmt::format("element {} of the vector is {}; only finite numbers can be written",
                                           &value - values.data(), value));
        }
    }
}

void print_matrix(TextWriter& out, CsrView A, std::string_view comment) {
    out.print(FMT_COMPILE("%%MatrixMarket matrix coordinate real general\n"));
    print_comment(out, comment);
    out.print(FMT_COMPILE("{} {} {}\n"), A.rows, A.columns, A.nonzeros());
    out.print_parts(A.nonzeros(), [&](fmt::memory_buffer& text, Offset first, Offset last) {
        auto row = std::upper_bound(A.offsets.begin(), A.offsets.end(), first) - A.offsets.begin() - 1;
        for (Offset k = first; k < last; ++k) {
            while (k >= A.offsets[row + 1]) ++row;
            fmt::format_to(std::back_inserter(text), FMT_COMPILE("{} {} {}\n"), row + 1, A.column[k] + Offset{1},
                           A.value[k]);
        }
    });
}

void print_array(TextWriter& out, std::span<const double> values, std::string_view comment, Index columns) {
    out.print(FMT_COMPILE("%%MatrixMarket matrix array real general\n"));
    print_comment(out, comment);
    out.print(FMT_COMPILE("{} {}\n"), values.size() / static_cast<std::size_t>(columns), columns);
    out.print_parts(std::ssize(values), [&](fmt::memory_buffer& text, Offset first, Offset last) {
        for (Offset k = first; k < last; ++k) {
            fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}\n"), values[static_cast<std::size_t>(k)]);
        }
    });
}

}  // namespace

void write_matrix_market(const std::filesystem::path& file, CsrView A, std::string_view comment) {
    check(A);
    write_file(file, [&](TextWriter& out) { print_matrix(out, A, comment); });
}

void write_matrix_market(std::ostream& stream, CsrView A, std::string_view comment) {
    check(A);
    write_stream(stream, [&](TextWriter& out) { print_matrix(out, A, comment); });
}

void write_matrix_market(const std::filesystem::path& file, std::span<const double> values, std::string_view comment,
                         Index columns) {
    check_array(values, columns);
    write_file(file, [&](TextWriter& out) { print_array(out, values, comment, columns); });
}

void write_matrix_market(std::ostream& stream, std::span<const double> values, std::string_view comment,
                         Index columns) {
    check_array(values, columns);
    write_stream(stream, [&](TextWriter& out) { print_array(out, values, comment, columns); });
}

}  // namespace glsolve::inline v0_1
