// Products by diagonals of every kind, made at random, against double precision.
#include <array>
#include <cmath>
#include <random>
#include <set>

#include "device/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/harness.hpp"

namespace tests_of_dia {

using namespace glsolve;
using namespace glsolve::test;

namespace {

class RandomMatrix {
  public:
    explicit RandomMatrix(std::uint32_t seed) : random_(seed) {}

    CsrMatrix make() {
        n_ = 1 + below(90);
        entries_.clear();
        sums_.assign(static_cast<std::size_t>(n_), 0.0);
        std::set<Index> offsets;
        for (int k = 1 + below(7); k > 0; --k) offsets.insert(below(2 * n_ - 1) - (n_ - 1));
        offsets.erase(0);
        for (const Index offset : offsets) add_diagonal(offset);
        const int kind = below(5);
        for (Index i = 0; i < n_ && kind > 0; ++i) {
            const double balance = -sums_[static_cast<std::size_t>(i)];  // then rows sum to zero
            const std::array<double, 4> values{3.3, balance, balance + 0.25, 2.0 + below(5)};
            entries_.push_back({i, i, values[static_cast<std::size_t>(kind - 1)]});
        }
        return csr_from_triplets(n_, n_, entries_);
    }

  private:
    Index below(int limit) { return static_cast<Index>(random_() % static_cast<unsigned>(limit)); }

    /// One number with gaps at regular distances (at any place of the period), once, nowhere; or numbers that vary. Now
    /// and then an entry breaks the rule.
    void add_diagonal(Index offset) {
        const double value = (below(100) - 70) / 7.0;
        const int kind = below(4);
        const Index period = 2 + below(12), phase = below(period), length = 1 + below(3);
        const Index once = below(n_);
        for (Index i = std::max(0, -offset); i < n_ - std::max(0, offset); ++i) {
            bool missing = below(400) == 0;
            if (kind == 1) missing ^= (i + period - phase) % period < length;
            if (kind == 2) missing ^= i >= once && i < once + length;
            if (missing) continue;
            entries_.push_back({i, i + offset, kind == 3 ? value + 0.1 * below(3) : value});
            sums_[static_cast<std::size_t>(i)] += entries_.back().value;
        }
    }

    std::mt19937 random_;
    Index n_ = 0;
    std::vector<Triplet> entries_;
    std::vector<double> sums_;
};

/// The largest error of A x, in times of |A| |x| + 1; infinite where the padding is not zero.
double product_error(Backend& backend, const CsrMatrix& A) {
    const Session session(backend);
    const std::vector<double> scale(static_cast<std::size_t>(A.rows), 1.0);
    const auto matrix = make_dia(backend, {A, scale});
    const std::vector<float> x = random_numbers(static_cast<std::size_t>(A.rows), 5);
    Vector on_x(backend, A.rows, "x"), y(backend, A.rows, "y");
    on_x.upload(x);
    backend.upload(y.id(), Texels(static_cast<std::size_t>(y.layout().extent().texels()) * 4, -3e9f));
    matrix->multiply(y, on_x);
    const Texels made = y.download_texels();
    double worst = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
        double exact = 0, size = 1;
        for (Offset k = i < scale.size() ? A.offsets[i] : 0; i < scale.size() && k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto j = static_cast<std::size_t>(A.column[e]);
            exact += A.value[e] * static_cast<double>(x[j]);
            size += std::abs(A.value[e]) * 1.5;
        }
        if (i >= scale.size() && made[i] != 0) return 1e30;
        worst = std::max(worst, std::abs(static_cast<double>(made[i]) - exact) / size);
    }
    return worst;
}

}  // namespace

TEST_CASE("random diagonals", "[passes][dia_multiply]") {
    RandomMatrix random(1);
    const bool cheap = backend_under_test().info().backend == BackendKind::host;
    for (int k = 0; k < (cheap ? 10'000 : is_slow() ? 10 : 60); ++k) {  // OpenGL compiles most of them anew
        INFO(k);
        REQUIRE(product_error(backend_under_test(), random.make()) < 2e-6);
    }
}

}  // namespace tests_of_dia
