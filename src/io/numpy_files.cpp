#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glsolve/error.hpp>
#include <glsolve/numpy_files.hpp>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "base/large_pages.hpp"
#include "base/number_text.hpp"
#include "base/parallel.hpp"
#include "io/npy_text.hpp"
#include "io/zip_archive.hpp"
#include "matrix/csr_build.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::uint64_t most_rows = std::numeric_limits<Index>::max();

Bytes bytes_of(const auto& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0])};
}

/// The arrays of a .npz file.
class Arrays {
  public:
    explicit Arrays(const std::filesystem::path& file) : zip_(file) {}

    /// Fails where there is none.
    NpyArray array(const std::string& name) {
        const std::string member = name + ".npy";
        const ZipReader::Member* const found = zip_.find(member);
        if (found == nullptr) fail(name, "there is none; scipy.sparse.save_npz writes data, indices, indptr and shape");
        const HostArray<char>& bytes = bytes_[name] = zip_.read(*found);
        return parse_npy(bytes.all(), [&](const std::string& problem) { fail(name, problem); });
    }
    template <class Number>
    std::vector<Number> numbers(const std::string& name) {
        const NpyArray found = array(name);
        if (found.kind == NpyArray::Kind::text || found.shape.size() != 1) fail(name, "one row of numbers is needed");
        if (std::is_integral_v<Number> && found.kind == NpyArray::Kind::real) {
            fail(name, "these are real numbers; whole ones are needed");
        }
        std::vector<Number> made = numbers_of<Number>(found);
        bytes_.erase(name);
        return made;
    }
    std::string text(const std::string& name) {
        const NpyArray found = array(name);
        if (found.kind != NpyArray::Kind::text || found.count() != 1) fail(name, "a word is needed");
        std::string word(found.bytes.data(), found.item_bytes);
        return word.substr(0, word.find('\0'));
    }
    [[noreturn]] void fail(const std::string& name, const std::string& problem) const {
        zip_.fail(fmt::format("{}: {}", name, problem));
    }

  private:
    ZipReader zip_;
    std::map<std::string, HostArray<char>> bytes_;
};

/// The row, or with csc the column, of each entry.
std::vector<Index> lines_of(Arrays& arrays, Index lines, std::size_t entries) {
    const std::vector<Offset> offsets = arrays.numbers<Offset>("indptr");
    const bool ends_well = !offsets.empty() && offsets.front() == 0 && offsets.back() == static_cast<Offset>(entries);
    if (offsets.size() != static_cast<std::size_t>(lines) + 1 || !ends_well || !std::ranges::is_sorted(offsets)) {
        arrays.fail("indptr",
                    fmt::format("{} numbers that ascend from 0 to {} are needed", Offset{lines} + 1, entries));
    }
    std::vector<Index> made = filled(entries, Index{0});
    parallel_each(static_cast<std::size_t>(lines), [&](std::size_t i) {
        std::fill(made.begin() + offsets[i], made.begin() + offsets[i + 1], static_cast<Index>(i));
    });
    return made;
}

void check_indices(const Arrays& arrays, const std::string& name, const std::vector<Index>& indices, Index size,
                   std::size_t entries) {
    if (indices.size() != entries) {
        arrays.fail(name, fmt::format("{} numbers for {} entries; as many are needed", indices.size(), entries));
    }
    const auto is_wrong = [&](Index index) { return index < 0 || index >= size; };
    if (!parallel_any(entries, [&](std::size_t k) { return is_wrong(indices[k]); })) return;
    const auto wrong = std::ranges::find_if(indices, is_wrong);
    arrays.fail(name, fmt::format("entry {} is {}; accepted: 0 to {}", wrong - indices.begin(), *wrong, size - 1));
}

void check_finite(std::span<const double> values, const std::function<void(const std::string&)>& fail) {
    if (!parallel_any(values.size(), [&](std::size_t k) { return !std::isfinite(values[k]); })) return;
    const auto wrong = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
    fail(fmt::format("number {} is {}; finite ones are needed", wrong - values.begin(), *wrong));
}

}  // namespace

CsrMatrix read_npz(const std::filesystem::path& file) {
    Arrays arrays(file);
    const std::string format = arrays.text("format");
    if (format != "csr" && format != "csc" && format != "coo") {
        arrays.fail("format",
                    fmt::format("{}; accepted: csr, csc and coo (scipy: A.tocsr())", glsolve::quoted(format)));
    }
    const std::vector<Offset> shape = arrays.numbers<Offset>("shape");
    const auto fits = [](Offset size) { return size >= 0 && static_cast<std::uint64_t>(size) <= most_rows; };
    if (shape.size() != 2 || !std::ranges::all_of(shape, fits)) {
        arrays.fail("shape", fmt::format("two sizes from 0 to {} are needed", most_rows));
    }
    const auto rows = static_cast<Index>(shape[0]), columns = static_cast<Index>(shape[1]);
    std::vector<double> values = arrays.numbers<double>("data");
    // Rows take memory, which a small file must not ask for. Those of csr are in the file.
    constexpr Offset always_readable = Offset{1} << 24, per_entry = 16;
    if (format != "csr" && Offset{rows} > always_readable + per_entry * std::ssize(values)) {
        arrays.fail("shape",
                    fmt::format("{} rows are too many for {} entries; accepted: {}, and {} more for each entry", rows,
                                values.size(), always_readable, per_entry));
    }
    check_finite(values, [&](const std::string& problem) { arrays.fail("data", problem); });
    const std::size_t entries = values.size();
    std::vector<Index> row, column;
    if (format == "csr") {
        column = arrays.numbers<Index>("indices");
        row = lines_of(arrays, rows, entries);
    } else if (format == "csc") {
        row = arrays.numbers<Index>("indices");
        column = lines_of(arrays, columns, entries);
    } else {
        row = arrays.numbers<Index>("row");
        column = arrays.numbers<Index>("col");
    }
    const std::string of_columns = format == "coo" ? "col" : "indices", of_rows = format == "csc" ? "indices" : "row";
    check_indices(arrays, of_columns, column, columns, entries);
    check_indices(arrays, of_rows, row, rows, entries);
    CsrMatrix A = csr_from_arrays(rows, columns, std::move(row), std::move(column), std::move(values), 0);
    check_finite(A.value, [&](const std::string&) { arrays.fail("data", "entries in one place add up to infinity"); });
    return A;
}

void write_npz(const std::filesystem::path& file, CsrView A) {
    check(A);
    ZipWriter zip(file);
    const std::array<std::uint64_t, 1> entries{A.value.size()}, offsets{A.offsets.size()}, two{2};
    const std::array<std::int64_t, 2> shape{A.rows, A.columns};
    const auto add = [&](const std::string& name, std::string_view type, std::span<const std::uint64_t> sizes,
                         Bytes numbers) {
        const std::string header = npy_header(type, sizes);
        zip.add(name + ".npy", {Bytes(header), numbers});
    };
    add("indices", "<i4", entries, bytes_of(A.column));
    if (A.nonzeros() <= std::numeric_limits<std::int32_t>::max()) {  // as scipy does: both of one size
        const std::vector<std::int32_t> short_offsets(A.offsets.begin(), A.offsets.end());
        add("indptr", "<i4", offsets, bytes_of(short_offsets));
    } else {
        add("indptr", "<i8", offsets, bytes_of(A.offsets));
    }
    add("format", "|S3", {}, Bytes("csr", 3));
    add("shape", "<i8", two, bytes_of(shape));
    add("data", "<f8", entries, bytes_of(A.value));
    zip.commit();
}

DenseMatrix read_npy(const std::filesystem::path& file) {
    const auto fail = [&](const std::string& problem) {
        throw InvalidInput(fmt::format("{}: {}", file.string(), problem));
    };
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file, error);
    const RandomAccessFile source(file);
    if (error || !source.is_open()) {
        fail(fmt::format("cannot be read: {}", error ? error.message() : "it may not be opened"));
    }
    const HostArray<char> bytes(static_cast<std::size_t>(size));
    if (!source.read_all_at(0, bytes.all())) fail("cannot be read to its end");
    const NpyArray array = parse_npy(bytes.all(), fail);
    const auto& shape = array.shape;
    if (array.kind == NpyArray::Kind::text) fail("words; numbers are needed");
    if (shape.empty() || shape.size() > 2) {
        fail(fmt::format("an array of {} dimensions; one or two are needed", shape.size()));
    }
    if (std::ranges::any_of(shape, [](std::uint64_t each) { return each > most_rows; })) {
        fail(fmt::format("an array of {} numbers a side; accepted: {}", std::ranges::max(shape), most_rows));
    }
    DenseMatrix made;
    made.values = numbers_of<double>(array);
    made.rows = static_cast<Index>(shape[0]);
    made.columns = shape.size() > 1 ? static_cast<Index>(shape[1]) : 1;
    check_finite(made.values, fail);
    if (array.in_fortran_order || made.columns == 1) return made;
    std::vector<double> by_columns(made.values.size());
    const auto rows = static_cast<std::size_t>(made.rows), columns = static_cast<std::size_t>(made.columns);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) by_columns[j * rows + i] = made.values[i * columns + j];
    }
    made.values = std::move(by_columns);
    return made;
}

void write_npy(const std::filesystem::path& file, std::span<const double> values, Index columns) {
    if (columns < 1 || values.size() % static_cast<std::size_t>(columns) != 0) {
        throw InvalidInput(fmt::format("{} numbers do not fill {} columns", values.size(), columns));
    }
    check_finite(
        values, [&](const std::string& problem) { throw InvalidInput(fmt::format("{}: {}", file.string(), problem)); });
    const std::size_t count = static_cast<std::size_t>(columns), rows = values.size() / count;
    if (rows > most_rows) throw InvalidInput(fmt::format("{} rows; at most {} can be written", rows, most_rows));
    const std::array<std::uint64_t, 2> shape{rows, count};
    OutputFile out(file);
    out.write(npy_header("<f8", std::span(shape).first(count > 1 ? 2 : 1), count > 1));
    const Bytes bytes = bytes_of(values);
    out.write({bytes.data(), bytes.size()});
    out.commit();
}

}  // namespace glsolve::inline v0_1
