#include "multigrid/levels_on_host.hpp"

namespace glsolve::inline v0_1 {

namespace {

class HostLevels final : public CoarseSolver {
  public:
    /// `cycle`: the lower part of a cycle, on the backend `host`, which must outlive this; its first level has `size`
    /// rows.
    HostLevels(Backend& host, Index size, std::unique_ptr<Cycle> cycle)
        : x_(host, size, "x"), b_(host, size, "b"), cycle_(std::move(cycle)), texels_(host_texels(x_.layout())) {}

    void solve(Vector& x, const Vector& b) override {
        b.backend().read(b.id(), texels_.all());
        b_.backend().upload(b_.id(), texels_.all());
        cycle_->apply_below(x_, b_);
        x_.backend().read(x_.id(), texels_.all());
        x.backend().upload(x.id(), texels_.all());
    }

  private:
    Vector x_, b_;
    std::unique_ptr<Cycle> cycle_;
    HostArray<float> texels_;  // x or b on its way
};

}  // namespace

std::unique_ptr<CoarseSolver> leave_to_host(std::vector<Level>& levels, std::size_t first,
                                            std::unique_ptr<CoarseSolver> coarsest, MultigridCycle kind, int steps) {
    std::vector<Level> below;
    for (std::size_t k = first; k < levels.size(); ++k) below.push_back(std::move(levels[k]));
    while (levels.size() > first) levels.pop_back();
    const AssembledSystem& system = below.front().system;
    Backend& host = system.backend;
    Backend& device = levels.back().system.backend;
    const auto vector = [&](const char* what) { return Vector(device, system.size, what); };
    levels.push_back({system, nullptr, nullptr, vector("x for the host"), vector("b for the host")});
    return std::make_unique<HostLevels>(
        host, levels.back().system.size,
        std::make_unique<Cycle>(std::move(below), std::move(coarsest), kind, steps, Cycle::Part::lower));
}

}  // namespace glsolve::inline v0_1
