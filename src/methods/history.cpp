#include "methods/history.hpp"

#include <algorithm>

#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int width = 1024;
constexpr std::int64_t most = std::int64_t{1} << 16;  // 1 MB

Extent extent_for(std::int64_t iterations) {
    const std::int64_t count = std::clamp<std::int64_t>(iterations, 1, most);
    return {width, static_cast<int>((count + width - 1) / width)};
}

}  // namespace

History::History(Backend& backend, std::int64_t iterations)
    : texels_(backend, extent_for(iterations), Element::real, "history"), capacity_(extent_for(iterations).texels()) {}

void History::clear() {
    drained_ = 0;
    residuals_.clear();
    corrections_.clear();
}

void History::corrected(std::int64_t first, double factor, double relative) {
    corrections_.push_back({first, factor, relative});
}

std::int64_t History::room(std::int64_t first) {
    if (first - drained_ >= capacity_) drain(first);
    return capacity_ - (first - drained_);
}

void History::record(std::int64_t i, const Scalar& state) {
    glsolve::record(texels_, static_cast<int>(i - drained_), state);
}

void History::drain(std::int64_t end) {
    if (end <= drained_) return;
    std::vector<float> texels(static_cast<std::size_t>(capacity_) * 4);
    texels_.backend().read(texels_.id(), texels);
    for (std::int64_t i = 0; i < end - drained_; ++i) {
        residuals_.push_back(texels[static_cast<std::size_t>(i) * 4 + 3]);
    }
    drained_ = end;
}

std::vector<HistoryEntry> History::entries(std::span<const float> texels, std::int64_t iterations, double relative) {
    const std::int64_t count = std::min<std::int64_t>(iterations, std::ssize(texels) / 4);
    const auto residual = [&](std::int64_t i) {
        return static_cast<double>(texels[static_cast<std::size_t>(i) * 4 + 3]);
    };
    std::vector<HistoryEntry> entries;
    if (count < 1 || count < iterations || !(residual(count - 1) > 0)) return entries;
    for (std::int64_t i = 0; i < count; ++i) {
        entries.push_back({i + 1, residual(i) / residual(count - 1) * relative, i + 1 == count});
    }
    return entries;
}

void History::know(std::int64_t first, std::span<const double> residuals) {
    drain(first);
    for (const double residual : residuals) residuals_.push_back(static_cast<float>(residual));
    drained_ = first + static_cast<std::int64_t>(residuals.size());
}

std::vector<HistoryEntry> History::collect(std::int64_t iterations) {
    drain(iterations);
    std::vector<HistoryEntry> entries;
    entries.reserve(residuals_.size() + corrections_.size());
    auto next = corrections_.begin();
    double factor = 1;
    const auto take_corrections = [&](std::int64_t i) {
        for (; next != corrections_.end() && next->first <= i; ++next) {
            factor = next->factor;
            entries.push_back({next->first, next->relative, true});
        }
    };
    for (std::int64_t i = 0; i < std::min<std::int64_t>(iterations, static_cast<std::int64_t>(residuals_.size()));
         ++i) {
        take_corrections(i);
        const auto residual = static_cast<double>(residuals_[static_cast<std::size_t>(i)]);
        if (residual != unknown) entries.push_back({i + 1, factor * residual, false});
    }
    take_corrections(iterations);
    return entries;
}

}  // namespace glsolve::inline v0_1
