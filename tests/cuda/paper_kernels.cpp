// The papers' CUDA kernels: on the host, where their text is C++; compiled by CUDA's compiler; and on a GPU.
#include "papers/methods/cuda_kernels.hpp"

#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "cuda/compile.hpp"
#include "support/catch.hpp"
#include "support/emulated_cuda.hpp"

using number = float;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wfloat-equal"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#include "papers/methods/csr_products.cu"
#include "papers/methods/inner_product.cu"
#include "papers/methods/relaxations.cu"

#pragma GCC diagnostic pop

namespace tests_of_paper_kernels {

using namespace glsolve;
using namespace glsolve::test;

namespace {

std::vector<float> random_numbers(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> made(count);
    for (float& m : made) m = static_cast<float>(random.uniform() + 0.5);
    return made;
}

/// A row with all columns, empty rows, and short ones; positive definite but for the empty rows.
CsrMatrix uneven(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        if (i % 50 == 17) continue;
        entries.insert(entries.end(), {{i, i, 4.0}, {i, (i * 7 + 3) % n, -0.5}, {n / 2, i, 0.01}});
    }
    return csr_from_triplets(n, n, entries);
}

/// A in the arrays that kernels take, each row beginning with its diagonal.
struct Arrays {
    explicit Arrays(const CsrMatrix& A) : ptr(A.offsets.begin(), A.offsets.end()), indices(A.column) {
        data.assign(A.value.begin(), A.value.end());
        for (Index i = 0; i < A.rows; ++i) {
            for (int k = ptr[static_cast<std::size_t>(i)]; k < ptr[static_cast<std::size_t>(i) + 1]; ++k) {
                if (indices[static_cast<std::size_t>(k)] != i) continue;
                const auto first = static_cast<std::size_t>(ptr[static_cast<std::size_t>(i)]);
                std::swap(indices[first], indices[static_cast<std::size_t>(k)]);
                std::swap(data[first], data[static_cast<std::size_t>(k)]);
            }
        }
    }
    std::vector<int> ptr, indices;
    std::vector<float> data;
};

std::vector<double> exact_product(const CsrMatrix& A, const std::vector<float>& x) {
    std::vector<double> y(static_cast<std::size_t>(A.rows));
    multiply(A, std::vector<double>(x.begin(), x.end()), y);
    return y;
}

void check_close(const std::vector<float>& y, const std::vector<double>& exact) {
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
        worst = std::max(worst, std::abs(static_cast<double>(y[i]) - exact[i]) / (1 + std::abs(exact[i])));
    CHECK(worst < 1e-5);
}

/// alpha and beta of Chebyshev's iteration for eigenvalues in [low, high] of D^-1 A.
std::vector<float> chebyshev_steps(int count, double low, double high) {
    const double d = (high + low) / 2, c = (high - low) / 2;
    std::vector<float> steps;
    double alpha = 1 / d, beta = 0;
    for (int k = 0; k < count; ++k) {
        if (k == 1) beta = c * alpha * c * alpha / 2;
        if (k > 1) beta = c * alpha / 2 * (c * alpha / 2);
        if (k > 0) alpha = 1 / (d - beta / alpha);
        steps.push_back(static_cast<float>(alpha));
        steps.push_back(static_cast<float>(beta));
    }
    return steps;
}

/// Is there a GPU?
bool open(std::unique_ptr<cuda::Context>& context, std::unique_ptr<PaperKernels>& kernels) {
    try {
        context = std::make_unique<cuda::Context>(cuda::load_driver(), cuda::find_devices(cuda::load_driver()).front());
        kernels = std::make_unique<PaperKernels>(*context);
        return true;
    } catch (const NoDevice& missing) {
        WARN(missing.what() << ": skipped");
        return false;
    }
}

}  // namespace

TEST_CASE("the papers' products in CSR are A x", "[papers]") {
    const CsrMatrix A = GENERATE(uneven(300), poisson2d(15));
    const int n = A.rows, entries = static_cast<int>(A.nonzeros()), blocks = (n + 127) / 128;
    const Arrays a(A);
    const std::vector<float> x = random_numbers(static_cast<std::size_t>(n), 1);
    const std::vector<double> exact = exact_product(A, x);
    constexpr float poison = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> v(static_cast<std::size_t>(entries), poison), y(static_cast<std::size_t>(n), poison);
    const auto *ptr = a.ptr.data(), *indices = a.indices.data();
    emulate_in_turn((entries + 127) / 128, 128,
                    [&] { multiply_entries(entries, a.data.data(), indices, x.data(), v.data()); });
    SECTION("two kernels, tiles of 128") {
        emulate(blocks, 128, [&] { sum_rows_128(n, ptr, v.data(), y.data()); });
        check_close(y, exact);
    }
    SECTION("two kernels, tiles of 512") {
        emulate(blocks, 128, [&] { sum_rows_512(n, ptr, v.data(), y.data()); });
        check_close(y, exact);
    }
    SECTION("a thread a row") {
        emulate_in_turn(blocks, 128, [&] { thread_a_row(n, ptr, indices, a.data.data(), x.data(), y.data()); });
        check_close(y, exact);
    }
    SECTION("a warp a row") {
        emulate((32 * n + 127) / 128, 128, [&] { warp_a_row(n, ptr, indices, a.data.data(), x.data(), y.data()); });
        check_close(y, exact);
    }
}

TEST_CASE("the decision tree of the inner product gives every number to a block", "[papers]") {
    for (const int n : {1, 127, 128, 129, 65'536, 65'537, 131'073, 262'144, 262'145, 10'000'000}) {
        const InnerProductPlan plan = plan_inner_product(n);
        CHECK(plan.blocks <= 512);
        CHECK(plan.threads <= 512);
        CHECK(std::int64_t{plan.blocks} * plan.piece >= n);
        CHECK(std::int64_t{plan.blocks - 1} * plan.piece < n);
    }
    CHECK(plan_inner_product(65'536).threads == 128);
    CHECK(plan_inner_product(262'145).piece == 513);
}

TEST_CASE("the paper's inner product is (v, w)", "[papers]") {
    for (const InnerProductPlan plan : {plan_inner_product(1000), InnerProductPlan{512, 2, 700}}) {
        const int n = 1000;
        const auto v = random_numbers(n, 2), w = random_numbers(n, 3);
        std::vector<float> parts(static_cast<std::size_t>(plan.blocks), std::numeric_limits<float>::quiet_NaN());
        emulate(plan.blocks, plan.threads, [&] { inner_product(n, plan.piece, v.data(), w.data(), parts.data()); });
        const double exact = std::inner_product(v.begin(), v.end(), w.begin(), 0.0);
        CHECK(std::accumulate(parts.begin(), parts.end(), 0.0) == Approx(exact).epsilon(1e-5));
    }
}

TEST_CASE("the paper's relaxation changes the rows with its mark, and no others", "[papers]") {
    const CsrMatrix A = poisson2d(12);
    const int n = A.rows;
    const Arrays a(A);
    const auto f = random_numbers(static_cast<std::size_t>(n), 4),
               before = random_numbers(static_cast<std::size_t>(n), 5);
    std::vector<int> marks(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = i % 3 == 0 ? 1 : -1;
    std::vector<float> u = before;
    emulate_in_turn((n + 127) / 128, 128, [&] {
        jacobi_csr_kernel(n, -1, 0.75f, marks.data(), a.ptr.data(), a.indices.data(), a.data.data(), before.data(),
                          f.data(), u.data());
    });
    const std::vector<double> Au = exact_product(A, before), d = diagonal(A);
    for (std::size_t i = 0; i < u.size(); ++i) {
        const double step = 0.75 * (static_cast<double>(f[i]) - Au[i]) / d[i];
        CHECK(static_cast<double>(u[i])
              == Approx(static_cast<double>(before[i]) + (marks[i] == -1 ? step : 0.0)).epsilon(1e-5));
    }
}

TEST_CASE("the paper's chaotic steps converge to the solution", "[papers]") {
    const CsrMatrix A = poisson2d(10);
    const int n = A.rows;
    const Arrays a(A);
    const auto wanted = random_numbers(static_cast<std::size_t>(n), 6);
    const std::vector<double> exact = exact_product(A, wanted);
    const std::vector<float> b(exact.begin(), exact.end()), steps = chebyshev_steps(1, 0.04, 1.96);
    std::vector<float> x(static_cast<std::size_t>(n)), p(static_cast<std::size_t>(n));
    for (int k = 0; k < 600; ++k) {
        emulate_in_turn(1, 128, [&] {
            chebyshev_stochastic(n, 1, steps.data(), a.ptr.data(), a.indices.data(), a.data.data(), b.data(), x.data(),
                                 p.data());
        });
    }
    check_close(x, std::vector<double>(wanted.begin(), wanted.end()));
}

TEST_CASE("CUDA's compiler takes the papers' kernels", "[programs]") {
    const cuda::Compiler* compiler = nullptr;
    try {
        compiler = &cuda::load_compiler();
    } catch (const NoDevice& missing) {
        WARN(missing.what() << ": skipped");
        return;
    }
    for (const bool in_doubles : {false, true}) {
        for (const auto& [name, text] : paper_kernel_texts(in_doubles)) {
            const cuda::Compiled compiled = cuda::compile(*compiler, text, 80);
            INFO(name << "\n" << compiled.log);
            CHECK_FALSE(compiled.code.empty());
        }
    }
}

TEST_CASE("the papers' kernels on a GPU agree with double precision", "[gpu]") {
    std::unique_ptr<cuda::Context> context;
    std::unique_ptr<PaperKernels> kernels;
    if (!open(context, kernels)) return;
    const CsrMatrix A = GENERATE(uneven(30'000), poisson2d(200));
    const auto n = static_cast<std::size_t>(A.rows);
    const auto numbers = random_numbers(n, 1);
    const DeviceNumbers x(*context, numbers);
    DeviceNumbers y(*context, n);
    const PaperMatrix on_device(*context, A);
    for (const PaperProduct how : all_paper_products) {
        y.upload(std::vector<float>(n, std::numeric_limits<float>::quiet_NaN()));
        kernels->multiply(how, on_device, y, x);
        check_close(y.download(), exact_product(A, numbers));
    }
    CHECK(kernels->inner_product(A.rows, x, x)
          == Approx(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0)).epsilon(1e-5));
}

TEST_CASE("the papers' steps on a GPU", "[gpu]") {
    std::unique_ptr<cuda::Context> context;
    std::unique_ptr<PaperKernels> kernels;
    if (!open(context, kernels)) return;
    const CsrMatrix A = poisson2d(60);
    const auto n = static_cast<std::size_t>(A.rows);
    const PaperMatrix rows(*context, A, true);
    const std::vector<float> wanted = random_numbers(n, 2), zeros(n);
    const std::vector<double> Aw = exact_product(A, wanted);
    const DeviceNumbers b(*context, std::vector<float>(Aw.begin(), Aw.end()));
    DeviceNumbers u(*context, zeros), p(*context, zeros);
    // Half of the rows, from zeros: u_i <- w b_i / a_ii.
    std::vector<int> marks(n);
    for (std::size_t i = 0; i < n; ++i) marks[i] = static_cast<int>(i % 2);
    kernels->relax(rows, DeviceIntegers(*context, marks), 1, 0.5f, p, b, u);
    const std::vector<float> relaxed = u.download();
    for (std::size_t i = 0; i < n; ++i)
        REQUIRE(static_cast<double>(relaxed[i]) == Approx(i % 2 == 1 ? 0.5 * Aw[i] / 4 : 0.0).epsilon(1e-5));
    // Chaotic steps leave no bits to compare: they come closer.
    const std::vector<float> steps = chebyshev_steps(100, 0.0013, 1.9987);
    u.upload(zeros);
    for (auto k = steps.begin(); k != steps.end(); k += 10)
        kernels->chebyshev(rows, 5, DeviceNumbers(*context, std::vector<float>(k, k + 10)), b, u, p);
    const std::vector<float> found = u.download();
    double left = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        left += std::pow(static_cast<double>(found[i] - wanted[i]), 2);
        all += std::pow(static_cast<double>(wanted[i]), 2);
    }
    CHECK(left < 0.5 * all);
}

}  // namespace tests_of_paper_kernels
