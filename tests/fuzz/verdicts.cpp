// What solvers say of tiny, extreme systems, against exact rational arithmetic: 1 to 6 rows, numbers over 40 powers of
// ten, any method, preconditioner and precision. Whatever a system is like,
//   - `converged` is true of the exact residual of the answer,
//   - the residual that is told is that residual, but for a tenth,
//   - an answer holds nothing but finite numbers,
//   - `inconsistent`, and what says that the matrix is singular, is true in rational arithmetic, but for matrices that
//     say to be singular "to within the rounding of their entries".
// What the options or the matrix do not allow may be refused; nothing else may be thrown.
//   fuzz_verdicts [SYSTEMS [FIRST_SEED [host | fragment | compute [METHOD]]]]
// Prints each system that breaks one of these, with its seed, and how many were solved, refused and broken.
#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <glsolve/error.hpp>
#include <glsolve/solver.hpp>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "matrix/csr_build.hpp"

using namespace glsolve;

namespace {

constexpr double powers_of_ten = 40;
constexpr int most_rows = 6;

struct Case {
    CsrMatrix A;
    std::vector<double> b, x;
    Options options;
};

template <class T>
T any_of(Random& random, const std::vector<T>& values) {
    return values[random.bits() % values.size()];
}

int up_to(Random& random, int most) { return 1 + static_cast<int>(random.bits() % static_cast<unsigned>(most)); }

/// Numbers of a system lie in a window of these powers of ten: in some systems all are alike, in others none.
class Numbers {
  public:
    explicit Numbers(Random& random)
        : random_(random),
          width_(powers_of_ten * random.uniform()),
          low_((powers_of_ten - width_) * random.uniform()) {}
    double positive() {
        if (random_.uniform() < 0.1) return 1;
        return (1 + 9 * random_.uniform()) * std::pow(10, low_ + width_ * random_.uniform() - powers_of_ten / 2);
    }
    double any() { return random_.uniform() < 0.5 ? positive() : -positive(); }

  private:
    Random& random_;
    double width_, low_;
};

/// With the method of this name, or with any.
Case make_case(std::uint64_t seed, const std::string& only) {
    Random random(seed);
    Case c;
    c.options.method = any_of(random, all_methods());
    for (const Method each : all_methods()) {
        if (name(each) == only) c.options.method = each;
    }
    const Method method = c.options.method;
    c.options.preconditioner = any_of(random, all_preconditioners());
    if (method == Method::cgnr || method == Method::direct || random.uniform() < 0.3) {  // what takes no other
        c.options.preconditioner = random.uniform() < 0.5 ? PreconditionerKind::none : PreconditionerKind::jacobi;
    }
    c.options.precision = any_of<Precision>(random, {Precision::automatic, Precision::single});
    const bool iterates_in_single = is_chebyshev(method) || is_stationary(method) || method == Method::direct;
    if (!iterates_in_single && random.uniform() < 0.3) c.options.precision = Precision::two_float;
    c.options.tolerance = std::pow(10, -14 * random.uniform());
    c.options.max_iterations = up_to(random, 400);
    if (random.uniform() < 0.1) c.options.fixed_iterations = std::exchange(c.options.max_iterations, 0);
    c.options.gmres.restart = up_to(random, most_rows);

    const bool least_squares = c.options.method == Method::cgnr || c.options.method == Method::automatic;
    const int n = up_to(random, most_rows), m = least_squares ? up_to(random, most_rows) : n;
    const bool symmetric = m == n && random.uniform() < 0.6;
    const bool definite = symmetric && random.uniform() < 0.7, singular = random.uniform() < 0.1;
    const bool nearly_singular = m == n && n > 1 && random.uniform() < 0.2;
    const double density = std::sqrt(random.uniform());
    Numbers numbers(random);
    std::vector<std::vector<double>> dense(static_cast<std::size_t>(m),
                                           std::vector<double>(static_cast<std::size_t>(n)));
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < (symmetric ? i : n); ++j) {
            if (random.uniform() > density) continue;
            dense[i][j] = numbers.any();
            if (symmetric) dense[j][i] = dense[i][j];
        }
    }
    for (int i = 0; i < std::min(m, n); ++i) {
        double others = 0;
        for (int j = 0; j < n; ++j) others += j == i ? 0 : std::abs(dense[i][j]);
        dense[i][i] = definite ? others * (singular ? 1 : 1 + random.uniform()) + (singular ? 0 : numbers.positive())
                               : numbers.any();
    }
    if (definite && singular) {
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) dense[i][j] = j == i ? dense[i][i] : -std::abs(dense[i][j]);
        }
    }
    if (nearly_singular) {  // a row is that of another one, but for some digits, or for none
        const double difference = random.uniform() < 0.2 ? 0 : std::pow(10, -16 * random.uniform());
        const double factor = numbers.any();
        for (int j = 0; j < n; ++j) dense[n - 1][j] = factor * dense[0][j] * (1 + difference * random.uniform());
    }
    c.A = assemble_csr(m, n, [&](auto&& entry) {
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j) {
                if (dense[i][j] != 0) entry(i, j, dense[i][j]);
            }
        }
    });
    c.b.assign(static_cast<std::size_t>(m), 0.0);
    c.x.assign(static_cast<std::size_t>(n), 0.0);
    if (random.uniform() < 0.4) {  // b in the range, but for rounding
        std::vector<double> answer(c.x.size());
        for (double& number : answer) number = numbers.any();
        multiply(c.A, answer, c.b);
    } else {
        for (double& number : c.b) number = random.uniform() < 0.2 ? 0 : numbers.any();
    }
    if (random.uniform() < 0.2) {
        for (double& number : c.x) number = numbers.any();
    }
    return c;
}

/// Squares of norms, exact.
struct Exact {
    mpq_class residual, b, normal, A;

    Exact(const CsrMatrix& matrix, const std::vector<double>& right, const std::vector<double>& x) {
        std::vector<mpq_class> s(x.size());
        for (std::size_t i = 0; i < right.size(); ++i) {
            mpq_class r(right[i]);
            b += r * r;
            for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
                const mpq_class a(matrix.value[static_cast<std::size_t>(k)]);
                r -= a * mpq_class(x[static_cast<std::size_t>(matrix.column[static_cast<std::size_t>(k)])]);
                A += a * a;
            }
            residual += r * r;
            for (Offset k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
                s[static_cast<std::size_t>(matrix.column[static_cast<std::size_t>(k)])] +=
                    mpq_class(matrix.value[static_cast<std::size_t>(k)]) * r;
            }
        }
        for (const mpq_class& number : s) normal += number * number;
    }
    bool met(double tolerance, bool least_squares) const {
        const mpq_class t(tolerance), square = t * t;
        return residual <= square * b || (least_squares && normal <= square * A * residual);
    }
    double relative() const { return b == 0 ? root(residual) : root(mpq_class(residual / b)); }

    static double root(const mpq_class& square) {
        return std::sqrt(mpf_class(square).get_d());  // 40 powers of ten, twice, twice: within a double's range
    }
};

/// Of A, or of A with b as a further column.
int rank(const Case& c, bool with_b) {
    std::vector<std::vector<mpq_class>> rows(c.b.size(), std::vector<mpq_class>(c.x.size() + 1));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (Offset k = c.A.offsets[i]; k < c.A.offsets[i + 1]; ++k) {
            rows[i][static_cast<std::size_t>(c.A.column[static_cast<std::size_t>(k)])] =
                c.A.value[static_cast<std::size_t>(k)];
        }
        if (with_b) rows[i].back() = c.b[i];
    }
    std::size_t found = 0;
    for (std::size_t j = 0; j <= c.x.size(); ++j) {
        std::size_t pivot = found;
        while (pivot < rows.size() && rows[pivot][j] == 0) ++pivot;
        if (pivot == rows.size()) continue;
        std::swap(rows[found], rows[pivot]);
        for (std::size_t i = found + 1; i < rows.size(); ++i) {
            const mpq_class factor = rows[i][j] / rows[found][j];
            for (std::size_t k = j; k <= c.x.size(); ++k) rows[i][k] -= factor * rows[found][k];
        }
        ++found;
    }
    return static_cast<int>(found);
}

/// A is not singular as long as each entry changes by less than this share of itself: 1 / rho(|A^-1| |A|), which no
/// scaling of rows and columns changes. A is regular.
double farthest_from_singular(const Case& c) {
    const std::size_t n = c.x.size();
    std::vector<std::vector<mpq_class>> A(n, std::vector<mpq_class>(2 * n));
    std::vector<std::vector<double>> sizes(n, std::vector<double>(n)), product = sizes;
    for (std::size_t i = 0; i < n; ++i) {
        A[i][n + i] = 1;
        for (Offset k = c.A.offsets[i]; k < c.A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k), j = static_cast<std::size_t>(c.A.column[e]);
            A[i][j] = c.A.value[e];
        }
    }
    const auto original = A;
    for (std::size_t j = 0; j < n; ++j) {  // Gauss and Jordan
        std::size_t pivot = j;
        while (A[pivot][j] == 0) ++pivot;
        std::swap(A[j], A[pivot]);
        const mpq_class by = A[j][j];
        for (mpq_class& a : A[j]) a /= by;
        for (std::size_t i = 0; i < n; ++i) {
            const mpq_class factor = A[i][j];
            if (i == j || factor == 0) continue;
            for (std::size_t k = j; k < 2 * n; ++k) A[i][k] -= factor * A[j][k];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            mpq_class sum;
            for (std::size_t k = 0; k < n; ++k) sum += abs(A[i][n + k]) * abs(original[k][j]);
            product[i][j] = sum.get_d();
        }
    }
    // The trace of the 64th power, by squaring six times: its 64th root is rho, but for a factor of n^(1/64).
    double logarithm = 0;
    for (int squaring = 0; squaring < 6; ++squaring) {
        double largest = 0;
        for (const auto& row : product) largest = std::max(largest, *std::ranges::max_element(row));
        logarithm = 2 * (logarithm + std::log(largest));
        std::vector<std::vector<double>> square(n, std::vector<double>(n, 0.0));
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < n; ++k) {
                for (std::size_t j = 0; j < n; ++j) {
                    square[i][j] += product[i][k] / largest * (product[k][j] / largest);
                }
            }
        }
        product = square;
    }
    double trace = 0;
    for (std::size_t i = 0; i < n; ++i) trace += product[i][i];
    return 1 / std::exp((logarithm + std::log(trace)) / 64);
}

/// What is wrong with a claim that the matrix is singular, or that no x solves the system; empty: nothing.
std::string false_claim(const Case& c, const Report& report) {
    const auto says = [&](const char* words) {
        return report.reason.find(words) != std::string::npos || report.remarks.find(words) != std::string::npos;
    };
    if (c.A.rows != c.A.columns) return "";
    const int rank_of_A = rank(c, false);
    const bool is_singular = rank_of_A < c.A.rows, by_rounding = says("singular to within the rounding");
    if (says("the matrix is singular,") || says("the matrix is singular:")) {
        if (!is_singular) return "a matrix that is not singular is called so";
    }
    if (report.outcome == Outcome::inconsistent && !by_rounding && rank(c, true) == rank_of_A) {
        return "a system that has answers is called inconsistent";
    }
    if (by_rounding && !is_singular && farthest_from_singular(c) > 2e-14) {
        return "a matrix that is far from singular is called so but for rounding";
    }
    if (is_singular && !says("singular")) return "a singular matrix is not told";
    return "";
}

/// What is wrong with an answer; empty: nothing.
std::string fault(const Case& c, const std::vector<double>& x, const Report& report, Method method) {
    for (const double number : x) {
        if (!std::isfinite(number)) return "an answer that is not finite";
    }
    const Exact exact(c.A, c.b, x);
    const double told = report.relative_residual, truth = exact.relative();
    if (report.converged() && !exact.met(c.options.tolerance, method == Method::cgnr)) {
        return fmt::format("false converged: {:.4e} was told, {:.4e} is true", told, truth);
    }
    if (!(std::abs(told - truth) <= 0.11 * truth)) {
        return fmt::format("a wrong residual: {:.4e} was told, {:.4e} is true", told, truth);
    }
    return false_claim(c, report);
}

void print(const Case& c, std::uint64_t seed, const std::string& fault, const Report& report) {
    const Options& o = c.options;
    fmt::print("seed {}: {} with {}, {}, tolerance {:.2e}, {} iterations ({}: {})\n  {}\n", seed, name(o.method),
               name(o.preconditioner), name(o.precision), o.tolerance, o.max_iterations, name(report.outcome),
               report.reason, fault);
    fmt::print("{} {} {}\n", c.A.rows, c.A.columns, c.A.value.size());
    for (Index i = 0; i < c.A.rows; ++i) {
        for (Offset k = c.A.offsets[i]; k < c.A.offsets[i + std::size_t{1}]; ++k) {
            fmt::print("{} {} {:.17g}\n", i + 1, c.A.column[k] + 1, c.A.value[k]);
        }
    }
    fmt::print("b: {:.17g}\nguess: {:.17g}\n", fmt::join(c.b, " "), fmt::join(c.x, " "));
}

Device open(const std::string& name) {
    if (name == "host") return Device::host();
    return Device::open(
        {.backend = BackendKind::opengl, .stage = name == "compute" ? Stage::compute : Stage::fragment});
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t systems = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
    const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    Device device = open(argc > 3 ? argv[3] : "host");
    std::uint64_t refused = 0, broken = 0;
    std::map<std::string, std::uint64_t> outcomes;
    for (std::uint64_t seed = first; seed < first + systems; ++seed) {
        const Case c = make_case(seed, argc > 4 ? argv[4] : "");
        std::vector<double> x = c.x;
        Report report;
        std::string wrong;
        try {
            Solver solver(device, c.A, c.options);
            report = solver.solve(c.b, x);
            ++outcomes[std::string(name(report.outcome))];
            wrong = fault(c, x, report, solver.method().method);
        } catch (const InvalidInput&) {
            ++refused;
        } catch (const std::exception& error) {
            wrong = std::string("an exception: ") + error.what();
        }
        if (wrong.empty()) continue;
        ++broken;
        print(c, seed, wrong, report);
        std::fflush(stdout);
    }
    fmt::print("{} systems: {} refused, {} broken", systems, refused, broken);
    for (const auto& [outcome, count] : outcomes) fmt::print(", {} {}", count, outcome);
    fmt::print("\n");
    return broken == 0 ? 0 : 1;
}
