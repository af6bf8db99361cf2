#include "device/pass_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1::pass {

void is_missing(std::string_view name) {
    throw Error(fmt::format("a pass lacks the number '{}', which its variant has", name));
}

PassCall make_call(PassId pass, std::initializer_list<StorageId> outputs, std::initializer_list<StorageId> inputs,
                   std::initializer_list<ScalarArg> scalars, std::initializer_list<std::int32_t> integers,
                   std::initializer_list<float> constants, Optional status, VariantId variant) {
    PassCall call{.pass = pass, .status = status.id(), .variant = variant};
    std::ranges::copy(outputs, call.output.begin());
    std::ranges::copy(inputs, call.input.begin());
    std::ranges::copy(scalars, call.scalar.begin());
    std::ranges::copy(integers, call.integer.begin());
    std::ranges::copy(constants, call.constant.begin());
    return call;
}

PassCall make_product(const ProductOperands& matrix, Ending ending, std::initializer_list<StorageId> outputs,
                      std::initializer_list<StorageId> before, std::initializer_list<StorageId> behind,
                      std::initializer_list<std::int32_t> integers, std::initializer_list<float> constants,
                      Optional status, VariantId variant) {
    const PassId pass = matrix.passes[static_cast<std::size_t>(ending)];
    if (pass == PassId::count) throw Error("the format has no product with that ending");
    const PassRow& row = glsolve::row(pass);
    if (before.size() + matrix.structure.size() + behind.size() != row.inputs.size()
        || matrix.integers.size() + integers.size() != row.integers.size()) {
        throw Error(
            fmt::format("pass {}: the format has {} textures of structure and {} integers, and not those that the "
                        "head of its kernel names",
                        row.name, matrix.structure.size(), matrix.integers.size()));
    }
    PassCall call = make_call(pass, outputs, before, {}, {}, constants, status, variant);
    auto input = std::ranges::copy(matrix.structure, call.input.begin() + before.size()).out;
    std::ranges::copy(behind, input);
    std::ranges::copy(integers, std::ranges::copy(matrix.integers, call.integer.begin()).out);
    call.table = matrix.table;
    call.team = matrix.team;
    return call;
}

PassCall without(const PassCall& call, std::initializer_list<Superfluous> superfluous) {
    for (const auto& [name, is_given] : superfluous) {
        if (is_given)
            throw Error(fmt::format("pass {} is given '{}', which it does not have", row(call.pass).name, name));
    }
    return call;
}

void no_such_variant(std::string_view pass, std::string_view variants) {
    throw Error(fmt::format("what pass {} is given asks for none of its variants: {}", pass, variants));
}

}  // namespace glsolve::inline v0_1::pass
