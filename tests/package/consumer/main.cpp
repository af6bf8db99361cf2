// Uses every function of the public interface: that headers, library and everything it links are in place, that a
// shared library exports what it declares, and that exceptions keep their type on the way out of it.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <glsolve/glsolve.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "not so: %s\n", what);
    ++failures;
}

// Caught as Exception, with these words, or as nothing.
template <class Exception, class Action>
void expect_throw(const char* what, Action action, const char* words = "") {
    try {
        action();
    } catch (const Exception& error) {
        std::printf("refused: %s\n", error.what());
        expect(std::string(error.what()).find(words) != std::string::npos, words);
        return;
    } catch (...) {
        // Another type, or the same by another type information.
    }
    expect(false, what);
}

void matrices_and_files() {
    const glsolve::CsrMatrix A = glsolve::poisson2d(4);
    glsolve::check(A);
    expect(glsolve::asymmetry(A) == 0, "poisson2d is symmetric");
    expect(glsolve::transpose(A).value == A.value, "its transpose is itself");
    expect(glsolve::diagonal(A) == std::vector<double>(16, 4.0), "its diagonal");
    expect(glsolve::poisson3d(3).rows == 27, "poisson3d's rows");
    expect(glsolve::anisotropic(3, 0.5).rows == 9, "anisotropic's rows");
    expect(glsolve::random_spd(20, 60).rows == 20, "random_spd's rows");
    const std::vector<glsolve::Triplet> entries{{0, 0, 2.0}, {1, 1, 3.0}};
    expect(glsolve::csr_from_triplets(2, 2, entries).nonzeros() == 2, "csr_from_triplets' nonzeros");

    // gzipped: so zlib is there as well.
    const std::filesystem::path file = "consumer.mtx.gz";
    glsolve::write_matrix_market(file, A, "written by the consumer");
    double share = 0;
    expect(glsolve::read_matrix_market(file, [&](double done) { share = done; }).value == A.value, "A comes back");
    expect(share > 0, "progress was told");
    const std::vector<double> b = glsolve::known_answer(A.rows);
    glsolve::write_matrix_market(file, b);
    expect(glsolve::read_matrix_market_vector(file) == b, "b comes back");
    std::filesystem::remove(file);
}

void solves() {
    glsolve::CsrMatrix A = glsolve::poisson2d(8);
    const std::vector<double> answer = glsolve::known_answer(A.rows);
    std::vector<double> b(answer.size());
    std::vector<double> x(answer.size());
    glsolve::multiply(A, answer, b);

    glsolve::Device device = glsolve::Device::host();
    expect(device.info().backend == glsolve::BackendKind::host, "the host is the host");
    const glsolve::Report report = glsolve::solve(device, A, b, x);
    std::printf("glsolve %s: %s after %lld iterations\n", GLSOLVE_VERSION,
                std::string(glsolve::name(report.outcome)).c_str(), static_cast<long long>(report.iterations));
    expect(report.converged(), "the one-liner converges");

    glsolve::GridSolver grid;
    expect(!grid && !glsolve::Solver() && !glsolve::Device(), "handles may be empty");
    glsolve::Solver first(device, std::move(A));
    glsolve::Solver solver(std::move(first));
    first = std::move(solver);
    expect(first.matrix().rows == 64 && !first.format().reason.empty(), "a solver tells what it holds");
    std::fill(x.begin(), x.end(), 0.0);
    expect(first.solve(b, x).converged(), "a solver converges");
    expect(glsolve::default_max_iterations(64) > 64, "there are enough iterations");

    // With OpenGL or without it; which, depends on the machine.
    glsolve::Device any = glsolve::Device::open();
    glsolve::Device moved(std::move(any));
    any = std::move(moved);
    expect(!any.info().choice.empty(), "a device says why it was chosen");

    std::string names;
    names += glsolve::name(any.info().backend);
    names += glsolve::name(glsolve::Stage::fragment);
    names += glsolve::name(glsolve::Method::cg);
    names += glsolve::name(glsolve::PreconditionerKind::jacobi);
    names += glsolve::name(first.format().format);
    expect(!names.empty(), "things have names");
}

void exceptions() {
    expect_throw<glsolve::InvalidInput>("InvalidInput is caught", [] { glsolve::parse_matrix_market("no matrix"); });
    expect_throw<glsolve::Error>("InvalidInput is an Error", [] { glsolve::parse_matrix_market("no matrix"); });
    expect_throw<std::runtime_error>("and a runtime_error", [] { glsolve::parse_matrix_market("no matrix"); });
    expect_throw<glsolve::InvalidInput>("an empty handle is refused", [] { glsolve::Solver().matrix(); });
    // This thread has no context.
    expect_throw<glsolve::NoDevice>("NoDevice is caught", [] { glsolve::Device::adopt_current_opengl(); });
    // Nothing here makes the device fail; callers may throw it in tests of their own.
    expect_throw<glsolve::Error>("DeviceError is an Error", [] { throw glsolve::DeviceError("a trial"); });
}

}  // namespace

int main() {
    matrices_and_files();
    solves();
    exceptions();
    return failures == 0 ? 0 : 1;
}
