#include "formats/function_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>

#include "base/pattern.hpp"
#include "base/random.hpp"
#include "device/verbs.hpp"
#include "matrix/csr_build.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t most_inputs = 4;
constexpr double linear_enough = 1e-4;  // relative to |A| |x|; single precision is good for some 1e-6

bool has_function(const std::string& source, const std::string& name) {
    return Pattern("\\bvec4\\s+" + name + "\\s*\\(\\s*ivec2\\b").is_in(source);
}

/// Does GLSL allow it, and is it not ours?
void check_name(const std::string& name, std::string_view what) {
    static const Pattern identifier("[A-Za-z][A-Za-z0-9_]*");
    static constexpr std::array<std::string_view, 10> taken{"x",    "apply", "diagonal", "inside", "column",
                                                            "line", "plane", "kernel",   "main",   "number"};
    const bool ours = std::ranges::find(taken, name) != taken.end() || name.starts_with("gl_")
                      || name.starts_with("in_") || name.starts_with("out_") || name.starts_with("arg_")
                      || name.starts_with("own_") || name.find("__") != std::string::npos;
    if (!identifier.match(name) || ours) {
        throw InvalidInput(fmt::format(
            "operator: {} '{}' needs a name of letters, digits and '_' that GLSL and glsolve have no use for", what,
            name));
    }
}

}  // namespace

FunctionMatrix::FunctionMatrix(Backend& backend, GlslOperator function)
    : backend_(backend), function_(std::move(function)), size_(0), has_diagonal_(false) {
    check();
    size_ = function_.width * function_.height * function_.depth;
    layout_ = layout_of(size_);
    has_diagonal_ = has_function(function_.source, "diagonal");
    table_ = {0, 0};
    for (const GlslConstant& constant : function_.constants) table_.insert(table_.end(), {constant.value, 0});
    if (!try_to_make(true)) try_to_make(false);
    for (std::size_t i = 0; i < function_.inputs.size(); ++i) {
        GlslInput& input = function_.inputs[i];
        if (input.numbers.empty()) input.numbers.assign(static_cast<std::size_t>(size_), 0.0f);
        set_input(input.name, std::exchange(input.numbers, {}));
    }
}

void FunctionMatrix::check() const {
    if (!backend_.can().glsl) {
        throw InvalidInput("operator: functions in GLSL run on OpenGL, and this device is the host");
    }
    const auto [width, height, depth] = std::array{function_.width, function_.height, function_.depth};
    if (width < 1 || height < 1 || depth < 1
        || 1.0 * width * height * depth > static_cast<double>(std::numeric_limits<Index>::max())) {
        throw InvalidInput(
            fmt::format("operator: {} x {} x {} unknowns; each side must be at least 1, and there may be "
                        "2^31 - 1 unknowns",
                        width, height, depth));
    }
    if (function_.reach < 1 || function_.reach > 2) {
        throw InvalidInput(fmt::format("operator: reach is {}; 1 and 2 are possible", function_.reach));
    }
    if (function_.inputs.size() > most_inputs) {
        throw InvalidInput(fmt::format("operator: {} inputs; {} are possible", function_.inputs.size(), most_inputs));
    }
    for (const GlslInput& input : function_.inputs) {
        check_name(input.name, "input");
        if (!input.numbers.empty() && 1.0 * width * height * depth != static_cast<double>(input.numbers.size())) {
            throw InvalidInput(
                fmt::format("operator: input '{}' has {} numbers; one for each of {} x {} x {} unknowns is "
                            "needed, or none",
                            input.name, input.numbers.size(), width, height, depth));
        }
    }
    for (const GlslConstant& constant : function_.constants) check_name(constant.name, "constant");
    if (!has_function(function_.source, "apply")) {
        throw InvalidInput("operator: the source has no function 'vec4 apply(ivec2 at)'");
    }
}

std::string FunctionMatrix::definitions(bool doubles) const {
    std::string text = fmt::format("LOG2_WIDTH {}\nWIDTH {}\nHEIGHT {}\nDEPTH {}\nTABLE {}\n", layout_.log2_width,
                                   function_.width, function_.height, function_.depth, table_.size() / 2);
    if (!doubles) text += "NO_DOUBLES\n";
    return text;
}

/// How the function reads its inputs and constants.
std::string FunctionMatrix::accessors() const {
    static constexpr std::array<std::string_view, most_inputs> stored{"a", "f1", "f2", "f3"};
    std::string text;
    for (std::size_t i = 0; i < function_.inputs.size(); ++i) {
        text += fmt::format(
            "vec4 {0}(ivec2 at, ivec3 offset) {{ GIVEN(in_{1}_clamped) }}\n"
            "vec4 {0}(ivec2 at) {{ return {0}(at, ivec3(0)); }}\n",
            function_.inputs[i].name, stored[i]);
    }
    for (std::size_t i = 0; i < function_.constants.size(); ++i) {
        text += fmt::format("#define {} (arg_table[{}].x)\n", function_.constants[i].name, i + 1);
    }
    return text;
}

/// The matrix and its programs, with residuals in double precision or not; false: these do not compile in double
/// precision.
bool FunctionMatrix::try_to_make(bool doubles) {
    std::string source = fmt::format("{}#line 1 {}\n{}\n", accessors(), callers_source, function_.source);
    for (const GlslConstant& constant : function_.constants) source += fmt::format("#undef {}\n", constant.name);
    matrix_ = std::make_unique<StoredMatrix>(backend_, StoredFormat{.passes = product_of::function,
                                                                    .integers = {layout_.log2_width, size_, 0},
                                                                    .definitions = definitions(doubles),
                                                                    .table = table_,
                                                                    .source = source});
    for (std::size_t i = 0; i < most_inputs; ++i) {
        const bool used = i < function_.inputs.size();
        Storage storage(backend_, used ? layout_.extent() : Extent{1, 1}, Element::real,
                        used ? "input " + function_.inputs[i].name : "no input");
        inputs_[i] = storage.id();
        i == 0 ? matrix_->take_values(std::move(storage)) : matrix_->take_structure(std::move(storage));
    }
    diagonal_variant_ = backend_.variant(definitions(doubles), source);
    const Rehearsal only(backend_);
    Vector x(backend_, size_, "x"), y(backend_, size_, "y");
    for (Vector* v : {&x, &y}) fill(*v, 0);
    matrix_->multiply(y, x);  // the caller's mistakes are found here
    if (has_diagonal_) make_reciprocal_diagonal(y);
    if (!doubles) return true;
    try {
        PartialSums sums(backend_, layout_.extent());
        matrix_->multiply_two_float(x, y, x, sums);
    } catch (const InvalidInput&) {
        return false;
    }
    return true;
}

void FunctionMatrix::set_norm(double infinity_norm) {
    table_[0] = static_cast<float>(infinity_norm);
    matrix_->set_table(table_);
}

std::size_t FunctionMatrix::input_of(std::string_view name) const {
    const auto found = std::ranges::find(function_.inputs, name, &GlslInput::name);
    if (found != function_.inputs.end()) return static_cast<std::size_t>(found - function_.inputs.begin());
    std::string all;
    for (const GlslInput& input : function_.inputs) all += fmt::format("{}'{}'", all.empty() ? "" : ", ", input.name);
    throw InvalidInput(
        fmt::format("operator: there is no input '{}'; there {}", name, all.empty() ? "are none" : "is " + all));
}

void FunctionMatrix::set_input(std::string_view name, std::span<const float> numbers) {
    const std::size_t input = input_of(name);
    if (numbers.size() != static_cast<std::size_t>(size_)) {
        throw InvalidInput(fmt::format("operator: input '{}' takes {} numbers, one for each unknown, and not {}", name,
                                       size_, numbers.size()));
    }
    backend_.upload(inputs_[input], [&](std::span<float> texels) {
        std::ranges::fill(std::ranges::copy(numbers, texels.begin()).out, texels.end(), 0.0f);
    });
}

void FunctionMatrix::set_input(std::string_view name, const TakeInput& take) {
    const std::size_t input = input_of(name);
    Vector taken(backend_, size_, "input");
    take(taken, inputs_[input]);
    copy(backend_, inputs_[input], taken.id());
}

void FunctionMatrix::set_constant(std::string_view name, float value) {
    const auto found = std::ranges::find(function_.constants, name, &GlslConstant::name);
    if (found == function_.constants.end()) {
        throw InvalidInput(fmt::format("operator: there is no constant '{}'", name));
    }
    table_[2 * static_cast<std::size_t>(found - function_.constants.begin()) + 2] = value;
    matrix_->set_table(table_);
}

void FunctionMatrix::make_reciprocal_diagonal(const Vector& d) {
    PassCall call = pass::function_diagonal{.y = d,
                                            .x = inputs_[0],
                                            .a = inputs_[0],
                                            .f1 = inputs_[1],
                                            .f2 = inputs_[2],
                                            .f3 = inputs_[3],
                                            .log2_width = layout_.log2_width,
                                            .length = size_,
                                            .differences = 0,
                                            .variant = diagonal_variant_};
    call.table = table_;
    backend_.encode(call);
}

std::array<Index, 3> FunctionMatrix::place(std::size_t unknown) const {
    const auto i = static_cast<Index>(unknown), line = i / function_.width;
    return {i % function_.width, line % function_.height, line / function_.height};
}

/// A x, in double precision where the device has it. Waits.
std::vector<double> FunctionMatrix::product(std::span<const float> x) {
    Vector on_device(backend_, size_, "x");
    TwoFloatVector y(backend_, size_, "A x");
    PartialSums sums(backend_, layout_.extent());
    on_device.upload(x);
    matrix_->multiply_two_float(y.hi, y.lo, on_device, sums);
    return y.download();
}

/// Probe p is 1 where all coordinates are those of p, modulo the distance that no row sees two of.
CsrMatrix FunctionMatrix::probe() {
    const Index reach = function_.reach, apart = 2 * reach + 1;
    const std::array<Index, 3> sides{function_.width, function_.height, function_.depth};
    std::vector<std::array<Index, 3>> probes;
    for (Index z = 0; z < std::min(apart, sides[2]); ++z) {
        for (Index y = 0; y < std::min(apart, sides[1]); ++y) {
            for (Index x = 0; x < std::min(apart, sides[0]); ++x) probes.push_back({x, y, z});
        }
    }
    const auto n = static_cast<std::size_t>(size_);
    std::vector<std::vector<double>> seen;
    std::vector<float> numbers(n);
    for (const std::array<Index, 3>& probe : probes) {
        parallel_each(n, [&](std::size_t i) {
            const std::array<Index, 3> at = place(i);
            const bool one = at[0] % apart == probe[0] && at[1] % apart == probe[1] && at[2] % apart == probe[2];
            numbers[i] = one ? 1.0f : 0.0f;
        });
        seen.push_back(product(numbers));
    }
    /// The unknown of a probe that a row sees: the one that is within reach; -1: none.
    const auto column_of = [&](const std::array<Index, 3>& row, const std::array<Index, 3>& probe) -> Index {
        std::array<Index, 3> column{};
        for (std::size_t a = 0; a < 3; ++a) {
            const Index low = row[a] - reach;
            column[a] = low + ((probe[a] - low) % apart + apart) % apart;
            if (column[a] < 0 || column[a] >= sides[a]) return -1;
        }
        return column[0] + sides[0] * (column[1] + sides[1] * column[2]);
    };
    CsrMatrix A = assemble_csr(size_, size_, [&](auto&& entry) {
        for (std::size_t i = 0; i < n; ++i) {
            const std::array<Index, 3> row = place(i);
            for (std::size_t p = 0; p < probes.size(); ++p) {
                if (seen[p][i] == 0) continue;
                const Index column = column_of(row, probes[p]);
                if (column >= 0) entry(static_cast<Index>(i), column, seen[p][i]);
            }
        }
    });
    check_against(A);
    return A;
}

/// Is that all there is to the function?
void FunctionMatrix::check_against(CsrView A) {
    Random random(1);
    std::vector<float> x(static_cast<std::size_t>(size_));
    for (float& number : x) number = static_cast<float>(0.5 + random.uniform());
    const std::vector<double> found = product(x);
    for (std::size_t i = 0; i < found.size(); ++i) {
        double sum = 0, size = 0;
        for (const auto [j, a] : A.row(i)) {
            const double term = a * static_cast<double>(x[j]);
            sum += term;
            size += std::abs(term);
        }
        if (std::abs(found[i] - sum) <= linear_enough * std::max(size, std::abs(found[i]))) continue;
        const auto [column, line, plane] = place(i);
        throw InvalidInput(fmt::format(
            "operator: 'apply' is not linear, or it reads farther than its reach of {}. In a test, the result at "
            "column {}, line {}, plane {} was {:.6g}; the entries that were found there give {:.6g}",
            function_.reach, column, line, plane, found[i], sum));
    }
}

}  // namespace glsolve::inline v0_1
