// CONTRIBUTING.md: a single pass. The function stands there word for word.
#include "device/verbs.hpp"

#include <cstdio>
#include <glsolve/glsolve.hpp>

using namespace glsolve;

// y <- y + (rho / pi) x: the quotient is formed on the device, and nothing is read back until the end.
std::vector<float> one_update(Backend& backend, std::span<const float> numbers) {
    const Session session(backend);
    Vector x(backend, static_cast<Offset>(numbers.size()), "x"), y(backend, static_cast<Offset>(numbers.size()), "y");
    Scalar rho(backend, "rho"), pi(backend, "pi");
    x.upload(numbers);
    fill(y, 1.0f);                     // y   <- 1
    fill(rho, 3.0f);                   // rho <- 3
    fill(pi, 2.0f);                    // pi  <- 2
    axpy(y, scalar_arg(rho, pi), x);   // y   <- y + (rho / pi) x
    return y.download_texels();
}

int main() {
    Device host = Device::host();
    const std::vector<float> numbers{10, 20, 30, 40, 50};
    const std::vector<float> y = one_update(host.backend(), numbers);
    for (const float value : y) std::printf("%g ", static_cast<double>(value));
    std::puts("");
    return y == std::vector<float>{16, 31, 46, 61, 76, 0, 0, 0} ? 0 : 1;
}
