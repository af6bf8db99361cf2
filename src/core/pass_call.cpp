#include "core/pass_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1::pass {

template <class T>
T value(const std::optional<T>& number) {
    if (!number) throw Error("a pass lacks a number that its variant has");
    return *number;
}
template ScalarArg value(const std::optional<ScalarArg>&);
template std::int32_t value(const std::optional<std::int32_t>&);
template float value(const std::optional<float>&);

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
    if (pass == PassId::count) {
        const auto multiply = matrix.passes[static_cast<std::size_t>(Ending::multiply)];
        throw Error(fmt::format("the format of pass {} has no product with that ending", row(multiply).name));
    }
    PassCall call = make_call(pass, outputs, before, {}, {}, constants, status, variant);
    auto input = std::ranges::copy(matrix.structure, call.input.begin() + before.size()).out;
    std::ranges::copy(behind, input);
    std::ranges::copy(integers, std::ranges::copy(matrix.integers, call.integer.begin()).out);
    call.table = matrix.table;
    return call;
}

void is_superfluous(PassId pass) {
    throw Error(fmt::format("pass {} is given an argument that this variant does not have", row(pass).name));
}

void no_such_variant(std::string_view pass) {
    throw Error(fmt::format("pass {} has no variant with what it is given", pass));
}

}  // namespace glsolve::inline v0_1::pass
