#include "support/harness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/device.hpp"
#include "support/oracle/oracle.hpp"

namespace glsolve::test {
namespace {

constexpr float garbage = -7.25e11f;

template <class List, class Name>
std::size_t find_index(const List& list, std::string_view name, const Name& name_of) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (name_of(list[i]) == name) return i;
    }
    throw std::logic_error("the pass has no argument " + std::string(name));
}

std::size_t find_index(std::span<const std::string_view> list, std::string_view name) {
    return find_index(list, name, [](std::string_view s) { return s; });
}

}  // namespace

std::vector<Offset> edge_lengths() {
    // 1024 numbers are 16 x 16 texels; 16 * 4 of them a row.
    std::vector<Offset> lengths{0, 1, 3, 4, 5, 64, 1023, 1024, 1025, 960, 961, 1084};
    if (!is_slow()) lengths.insert(lengths.end(), {4096 * 4 - 1, 4096 * 4 + 5, 300'001});
    return lengths;
}

std::vector<float> random_numbers(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<float> numbers(count);
    for (float& number : numbers) {
        const auto bits = random();
        number = 0.5f + static_cast<float>(bits >> 8) * 0x1p-24f;
        if (bits & 1) number = -number;
    }
    return numbers;
}

Texels random_vector(Offset length, std::uint32_t seed) {
    return pack(layout_of(length), random_numbers(static_cast<std::size_t>(length), seed));
}

DoubleSum double_sum(const Texels& texels) {
    DoubleSum result;
    for (const float value : texels) {
        result.sum += static_cast<double>(value);
        result.size += std::abs(static_cast<double>(value));
    }
    return result;
}

Harness::Harness(PassId pass, Extent domain) : row_(row(pass)), domain_(domain) { call_.pass = pass; }

Harness& Harness::input(std::string_view name, Extent extent, Texels texels) {
    index_of_input(name);
    real_[std::string(name)] = {extent, std::move(texels)};
    return *this;
}

Harness& Harness::input(std::string_view name, Extent extent, std::vector<std::int32_t> texels) {
    index_of_input(name);
    integers_in_[std::string(name)] = {extent, std::move(texels)};
    return *this;
}

Harness& Harness::in_place(std::string_view output, std::string_view input) {
    in_place_[std::string(output)] = std::string(input);
    return *this;
}

Harness& Harness::scalar(std::string_view name, float factor, float numerator, float denominator) {
    find_index(row_.scalars, name);
    scalars_[std::string(name)] = {factor, numerator, denominator};
    return *this;
}

Harness& Harness::integer(std::string_view name, std::int32_t value) {
    call_.integer[find_index(row_.integers, name)] = value;
    return *this;
}

Harness& Harness::constant(std::string_view name, float value) {
    call_.constant[find_index(row_.constants, name)] = value;
    return *this;
}

Harness& Harness::stopped(bool value) {
    stopped_ = value ? 1 : 0;
    return *this;
}

std::size_t Harness::index_of_input(std::string_view name) const {
    return find_index(row_.inputs, name, [](const Input& input) { return input.name; });
}

std::map<std::string, Texels> Harness::run_on(Backend& backend) const {
    const Session session(backend);
    PassCall call = call_;
    std::vector<Storage> storages;
    const auto make = [&](Extent extent, Element element) {
        storages.emplace_back(backend, extent, element, "test");
        return storages.back().id();
    };
    const auto make_scalar = [&](float value) {
        const StorageId id = make({1, 1}, Element::real);
        backend.upload(id, Texels(4, value));
        return id;
    };
    for (const auto& [name, input] : real_) {
        const StorageId id = make(input.extent, Element::real);
        backend.upload(id, input.texels);
        call.input[index_of_input(name)] = id;
    }
    for (const auto& [name, input] : integers_in_) {
        const StorageId id = make(input.extent, Element::integer);
        backend.upload(id, input.texels);
        call.input[index_of_input(name)] = id;
    }
    for (const auto& [name, parts] : scalars_) {
        call.scalar[find_index(row_.scalars, name)] = {parts[0], make_scalar(parts[1]), make_scalar(parts[2])};
    }
    if (stopped_ >= 0) call.status = make_scalar(static_cast<float>(stopped_));
    for (std::size_t i = 0; i < row_.outputs.size(); ++i) {
        const std::string name(row_.outputs[i]);
        if (const auto found = in_place_.find(name); found != in_place_.end()) {
            call.output[i] = call.input[index_of_input(found->second)];
            continue;
        }
        const Extent extent = name == "sum" ? backend.partial_extent(domain_) : domain_;
        call.output[i] = make(extent, Element::real);
        backend.upload(call.output[i], Texels(static_cast<std::size_t>(extent.texels()) * 4, garbage));
    }
    backend.encode(call);
    std::map<std::string, Texels> results;
    for (std::size_t i = 0; i < row_.outputs.size(); ++i) {
        Texels texels(static_cast<std::size_t>(backend.extent(call.output[i]).texels()) * 4);
        backend.read(call.output[i], texels);
        results.emplace(row_.outputs[i], std::move(texels));
    }
    return results;
}

std::map<std::string, std::vector<double>> Harness::by_formula() const {
    const oracle::Formula formula = oracle::formula_of(row_.name);
    if (formula == nullptr) return {};
    oracle::Given given;
    for (const auto& [name, input] : real_) given.images[name] = {input.extent, &input.texels};
    for (const auto& [name, parts] : scalars_) {
        const glm::dvec4 n(static_cast<double>(parts[1])), d(static_cast<double>(parts[2]));
        given.scalars[name] = static_cast<double>(parts[0]) * oracle::quotient(n, d);
    }
    for (std::size_t i = 0; i < row_.integers.size(); ++i) {
        given.integers[std::string(row_.integers[i])] = call_.integer[i];
    }
    for (std::size_t i = 0; i < row_.constants.size(); ++i) {
        given.constants[std::string(row_.constants[i])] = static_cast<double>(call_.constant[i]);
    }
    given.stopped = stopped_ == 1;
    std::map<std::string, std::vector<double>> all;
    for (int y = 0; y < domain_.height; ++y) {
        for (int x = 0; x < domain_.width; ++x) {
            const oracle::Made made = formula(given, {x, y});
            for (const std::string_view output : row_.outputs) {
                const auto found = made.find(output);
                if (found == made.end()) throw std::logic_error("the formula has no output " + std::string(output));
                std::vector<double>& texels = all[std::string(output)];
                for (int i = 0; i < 4; ++i) texels.push_back(found->second[i]);
            }
        }
    }
    return all;
}

void Harness::run() {
    made_ = run_on(backend_under_test());
    expected_ = by_formula();
}

const std::vector<double>& Harness::expected(const std::string& name) const {
    const auto found = expected_.find(name);
    if (found != expected_.end()) return found->second;
    throw std::logic_error("support/oracle has no formula for " + std::string(row_.name));
}

double Harness::difference(const std::string& name, double least) const {
    const Texels& mine = made_.at(name);
    const std::vector<double>& exact = expected(name);
    if (name == "sum") {
        std::array<double, 4> sum{}, total{}, size{};
        for (std::size_t i = 0; i < mine.size(); ++i) sum[i % 4] += static_cast<double>(mine[i]);
        for (std::size_t i = 0; i < exact.size(); ++i) {
            total[i % 4] += exact[i];
            size[i % 4] += std::abs(exact[i]);
        }
        double largest = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            largest = std::max(largest, std::abs(sum[k] - total[k]) / std::max(least, size[k]));
        }
        return largest;
    }
    double largest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const auto single = static_cast<float>(exact[i]);
        if (std::isfinite(mine[i]) && std::isfinite(single)) {
            const double scale = std::max(least, std::abs(exact[i]));
            largest = std::max(largest, std::abs(static_cast<double>(mine[i]) - exact[i]) / scale);
        } else if (!(std::isnan(mine[i]) && std::isnan(single)) && mine[i] != single) {
            return std::numeric_limits<double>::infinity();
        }
    }
    return largest;
}

}  // namespace glsolve::test
