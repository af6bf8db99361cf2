// Matrices of the C interface.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <glsolve/numpy_files.hpp>
#include <limits>

#include "base/parallel.hpp"
#include "base/suggestions.hpp"
#include "c/guarded.hpp"
#include "c/handles.hpp"

namespace glsolve::c {
namespace {

Index index_of(std::int64_t number, std::string_view name) {
    if (number < 0 || number > std::numeric_limits<Index>::max()) {
        throw InvalidInput(
            fmt::format("{} is {}; it has to be from 0 to {}", name, number, std::numeric_limits<Index>::max()));
    }
    return static_cast<Index>(number);
}

/// An array of numbers as `To`: in place where they are that, else in `room`.
template <class To, class From>
std::span<const To> converted(const void* array, std::size_t count, std::vector<To>& room, bool copies,
                              std::string_view name) {
    if (array == nullptr && count > 0) throw InvalidInput(fmt::format("matrix: {} is NULL", name));
    const std::span<const From> given(static_cast<const From*>(array), count);
    if constexpr (std::is_same_v<To, From>) {
        if (!copies) return given;
    }
    if constexpr (sizeof(From) > sizeof(To)) {  // columns of 64 bits
        if (parallel_any(count,
                         [&](std::size_t k) { return given[k] != static_cast<From>(static_cast<To>(given[k])); }))
            throw InvalidInput(fmt::format("matrix: {} holds a number beyond 32 bits", name));
    }
    room.resize(count);
    parallel_each(count, [&](std::size_t k) { room[k] = static_cast<To>(given[k]); });
    return room;
}

template <class To, class Narrow, class Wide>
std::span<const To> numbers(const void* array, std::int32_t bits, std::size_t count, std::vector<To>& room, bool copies,
                            std::string_view name) {
    if (bits == 32) return converted<To, Narrow>(array, count, room, copies, name);
    if (bits == 64) return converted<To, Wide>(array, count, room, copies, name);
    throw InvalidInput(fmt::format("matrix: {} have {} bits; they have 32 or 64", name, bits));
}

struct Generator {
    std::string_view kind;
    std::size_t least, most;  ///< numbers that it takes
    CsrMatrix (*make)(std::span<const double> numbers);
};

Index whole(double number) {
    if (!(number >= 0 && number <= std::numeric_limits<Index>::max()) || number != std::floor(number))
        throw InvalidInput(fmt::format("generate: {} is no size", number));
    return static_cast<Index>(number);
}
double or_else(std::span<const double> numbers, std::size_t k, double usual) {
    return k < numbers.size() ? numbers[k] : usual;
}
Convection flow(std::span<const double> numbers) { return {.cell_peclet = or_else(numbers, 1, 0)}; }

using Numbers = std::span<const double>;
constexpr Generator generators[] = {
    {"poisson2d", 1, 1, [](Numbers a) { return poisson2d(whole(a[0])); }},
    {"poisson3d", 1, 1, [](Numbers a) { return poisson3d(whole(a[0])); }},
    {"anisotropic", 2, 2, [](Numbers a) { return anisotropic(whole(a[0]), a[1]); }},
    {"jumping-coefficients", 2, 2, [](Numbers a) { return jumping_coefficients(whole(a[0]), a[1]); }},
    {"convection-diffusion", 1, 2, [](Numbers a) { return convection_diffusion(whole(a[0]), flow(a)); }},
    {"convection-diffusion3d", 1, 2, [](Numbers a) { return convection_diffusion3d(whole(a[0]), flow(a)); }},
    {"stokes2d", 1, 1, [](Numbers a) { return stokes2d(whole(a[0])); }},
    {"darcy2d", 2, 2, [](Numbers a) { return darcy2d(whole(a[0]), a[1]); }},
    {"helmholtz2d", 1, 2, [](Numbers a) { return helmholtz2d(whole(a[0]), or_else(a, 1, 10)); }},
    {"circuit", 1, 1, [](Numbers a) { return circuit(whole(a[0])); }},
    {"thermal-shell", 3, 3, [](Numbers a) { return thermal_shell(whole(a[0]), whole(a[1]), whole(a[2])); }},
    {"elasticity", 3, 3, [](Numbers a) { return elasticity(whole(a[0]), whole(a[1]), whole(a[2])).A; }},
    {"graph-laplacian", 2, 2, [](Numbers a) { return graph_laplacian(whole(a[0]), whole(a[1])); }},
    {"random-spd", 2, 2, [](Numbers a) { return random_spd(whole(a[0]), whole(a[1])); }}};

CsrMatrix generate(std::string_view kind, Numbers numbers) {
    std::vector<std::string> kinds;
    for (const Generator& each : generators) {
        kinds.emplace_back(each.kind);
        if (each.kind != kind) continue;
        if (numbers.size() >= each.least && numbers.size() <= each.most) return each.make(numbers);
        throw InvalidInput(
            fmt::format("generate: {} takes {} to {} numbers, not {}", kind, each.least, each.most, numbers.size()));
    }
    throw InvalidInput(fmt::format("generate: {}", not_among(kind, kinds)));
}

std::filesystem::path path_of(const char* file) { return &required(file, "file"); }
bool is_npz(const std::filesystem::path& file) { return file.extension() == ".npz"; }

}  // namespace

CsrView view_of(const glsolve_csr* given, CsrMatrix& room, bool copies) {
    const glsolve_csr A = taken(given, "matrix");
    const Index rows = index_of(A.rows, "matrix: rows"), columns = index_of(A.columns, "matrix: columns");
    const std::span<const Offset> offsets = numbers<Offset, std::int32_t, std::int64_t>(
        A.offsets, A.offset_bits, static_cast<std::size_t>(rows) + 1, room.offsets, copies, "offsets");
    if (offsets.front() != 0 || offsets.back() < 0) {
        throw InvalidInput(fmt::format("matrix: offsets begin with {} and end with {}; they begin with 0 and ascend",
                                       offsets.front(), offsets.back()));
    }
    const auto count = static_cast<std::size_t>(offsets.back());
    return {rows, columns, offsets,
            numbers<Index, std::int32_t, std::int64_t>(A.column, A.column_bits, count, room.column, copies, "columns"),
            numbers<double, float, double>(A.value, A.value_bits, count, room.value, copies, "values")};
}

}  // namespace glsolve::c

using namespace glsolve;
using namespace glsolve::c;

int glsolve_matrix_read(const char* file, glsolve_matrix** matrix) {
    return guarded([&] {
        const std::filesystem::path path = path_of(file);
        required(matrix, "matrix") = new glsolve_matrix{is_npz(path) ? read_npz(path) : read_matrix_market(path)};
    });
}

int glsolve_matrix_write(const char* file, const glsolve_csr* matrix) {
    return guarded([&] {
        const std::filesystem::path path = path_of(file);
        CsrMatrix room;
        const CsrView A = view_of(matrix, room, false);
        check(A);
        is_npz(path) ? write_npz(path, A) : write_matrix_market(path, A);
    });
}

int glsolve_matrix_from_entries(int64_t rows, int64_t columns, int64_t count, const int32_t* row, const int32_t* column,
                                const double* value, glsolve_matrix** matrix) {
    return guarded([&] {
        glsolve_matrix*& made = required(matrix, "matrix");
        if (count < 0) throw InvalidInput(fmt::format("count is {}", count));
        std::vector<Triplet> entries(static_cast<std::size_t>(count));
        for (std::size_t k = 0; k < entries.size(); ++k)
            entries[k] = {(&required(row, "row"))[k], (&required(column, "column"))[k], (&required(value, "value"))[k]};
        made = new glsolve_matrix{csr_from_triplets(index_of(rows, "rows"), index_of(columns, "columns"), entries)};
    });
}

int glsolve_matrix_generate(const char* kind, const double* numbers, size_t count, glsolve_matrix** matrix) {
    return guarded([&] {
        glsolve_matrix*& made = required(matrix, "matrix");
        if (count > 0) required(numbers, "numbers");
        made = new glsolve_matrix{generate(text_or_empty(kind), {numbers, count})};
    });
}

int glsolve_matrix_view(const glsolve_matrix* matrix, glsolve_csr* view) {
    return guarded([&] {
        const CsrMatrix& A = required(matrix, "matrix").A;
        give({.size = sizeof(glsolve_csr),
              .offset_bits = 64,
              .column_bits = 32,
              .value_bits = 64,
              .rows = A.rows,
              .columns = A.columns,
              .offsets = A.offsets.data(),
              .column = A.column.data(),
              .value = A.value.data()},
             view, "view");
    });
}

void glsolve_matrix_free(glsolve_matrix* matrix) { delete matrix; }
