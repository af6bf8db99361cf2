#include "solver/method_on_device.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>

#include "base/suggestions.hpp"
#include "methods/method_table.hpp"
#include "methods/multi_rhs_cg.hpp"

namespace glsolve::inline v0_1 {

MethodOnDevice::MethodOnDevice(System system, AssembledMatrix* matrix, std::unique_ptr<IterativeMethod> method,
                               const Options& options, std::int64_t max_iterations)
    : system_(std::move(system)),
      matrix_(matrix),
      method_(std::move(method)),
      options_(options),
      max_iterations_(max_iterations) {}

bool MethodOnDevice::takes_several() const { return takes_multi_rhs(options_, system_); }

MultiRhsMethod& MethodOnDevice::four_at_once() {
    if (!several_) {
        const Session open(system_.backend);
        several_ = make_multi_rhs_cg({system_, *matrix_}, max_iterations_);
    }
    return *several_;
}

ScaledPreconditioner& MethodOnDevice::preconditioner() {
    const auto has_M = [](const MethodTraits& is) { return is.takes_M && !is.any_shape; };  // else it is one of A^T A
    if (!has_M(method_row(options_.method).is)) {
        throw InvalidInput(fmt::format("precondition: {} has no preconditioner; {} have one", name(options_.method),
                                       listed(methods_that(has_M))));
    }
    if (!preconditioner_) {
        const bool identity = options_.preconditioner == PreconditionerKind::none;
        preconditioner_ = std::make_unique<ScaledPreconditioner>(system_, identity);
    }
    return *preconditioner_;
}

TextureWork::System MethodOnDevice::on_textures(std::function<Work::Subject()> subject) {
    std::function<DeviceRuns&()> together;
    if (takes_several()) together = [this]() -> DeviceRuns& { return four_at_once(); };
    return {.backend = system_.backend,
            .options = options_,
            .max_iterations = max_iterations_,
            .one = *method_,
            .several = std::move(together),
            .preconditioner = [this]() -> ScaledPreconditioner& { return preconditioner(); },
            .subject = std::move(subject)};
}

}  // namespace glsolve::inline v0_1
