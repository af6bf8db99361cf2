#include "solver/method_on_device.hpp"

#include <utility>

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

TextureWork::System MethodOnDevice::on_textures(std::function<Work::Subject()> subject) {
    std::function<DeviceRuns&()> together;
    if (takes_several()) together = [this]() -> DeviceRuns& { return four_at_once(); };
    return {.backend = system_.backend,
            .options = options_,
            .max_iterations = max_iterations_,
            .one = *method_,
            .several = std::move(together),
            .subject = std::move(subject)};
}

}  // namespace glsolve::inline v0_1
