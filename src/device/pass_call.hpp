/// A pass with its arguments, as a plain value. Solvers write them by name: passes.hpp, which the build makes from the
/// heads of the kernels, has a struct for each pass.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "device/pass_table.hpp"

namespace glsolve::inline v0_1 {

/// The *name* of a rectangle of texels on a device, not a texture: where a pass may not write what it reads, the
/// backend writes elsewhere and swaps behind the name.
struct StorageId {
    std::uint32_t value = 0;

    explicit operator bool() const { return value != 0; }
    friend bool operator==(StorageId, StorageId) = default;
};

/// factor * n / d, formed on the device component by component from 1 x 1 storages; a storage that is not named counts
/// as 1, and a quotient with a zero denominator is 0.
struct ScalarArg {
    float factor = 1;
    StorageId n, d;
};

/// A further text for the shader of a pass (Backend::variant); 0 stands for none.
struct VariantId {
    std::uint32_t value = 0;
};

/// One evaluation of a pass. Meaning and order of the arguments: the row of the pass table says.
struct PassCall {
    PassId pass{};
    std::array<StorageId, max_outputs> output{};
    std::array<StorageId, max_inputs> input{};
    std::array<ScalarArg, max_scalars> scalar{};
    std::array<std::int32_t, max_integers> integer{};
    std::array<float, max_constants> constant{};
    std::span<const float> table{};  ///< pairs of numbers that the pass's variant asks for; copied by encode
    StorageId status{};              ///< guards the pass; none: it always runs
    VariantId variant{};
    int team = 1;          ///< where there are work groups: invocations that share the work of a texel, 1 to 32
    bool at_once = false;  ///< a reduction's first stage goes on to the end: see Backend::reduces_at_once
};

/// What a format supplies to each of its products: which passes they are, where the matrix is, and what they are told.
struct ProductOperands {
    ProductPasses passes;
    StorageId a, a_low;  ///< the values, and what rounding has lost of them (or any storage, where that is not read)
    std::span<const StorageId> structure;
    std::span<const std::int32_t> integers;
    std::span<const float> table;
    int team = 1;  ///< PassCall::team
};

namespace pass {

/// What has a storage: vectors, scalars, sums.
template <class T>
concept HasStorage = requires(const T& of) {
    { of.id() } -> std::same_as<StorageId>;
};

/// An input or output that every variant of a pass has: who leaves it out does not compile.
class Operand {
  public:
    Operand(StorageId id) : id_(id) {}
    template <HasStorage T>
    Operand(const T& of) : id_(of.id()) {}

    StorageId id() const { return id_; }

  private:
    StorageId id_;
};

/// One that some variants have, or the status that guards a pass; none by default, and from a null pointer.
class Optional {
  public:
    Optional() = default;
    Optional(StorageId id) : id_(id) {}
    template <HasStorage T>
    Optional(const T& of) : id_(of.id()) {}
    template <HasStorage T>
    Optional(const T* of) : id_(of != nullptr ? of->id() : StorageId{}) {}

    StorageId id() const { return id_; }

  private:
    StorageId id_;
};

/// A number that every variant has; of this very type, so that none is cut short.
template <class T>
class Given {
  public:
    template <std::same_as<T> U>
    Given(U value) : value_(value) {}
    T get() const { return value_; }

  private:
    T value_;
};

/// One that some variants have; none by default.
template <class T>
class OptionalNumber {
  public:
    OptionalNumber() = default;
    template <std::same_as<T> U>
    OptionalNumber(U value) : value_(value) {}
    const std::optional<T>& get() const { return value_; }

  private:
    std::optional<T> value_;
};

// --- for the functions that the build makes
// ---------------------------------------------------------------------------
inline bool given(Optional operand) { return static_cast<bool>(operand.id()); }
template <class T>
bool given(const OptionalNumber<T>& number) {
    return number.get().has_value();
}

inline StorageId value(Operand operand) { return operand.id(); }
inline StorageId value(Optional operand) { return operand.id(); }
template <class T>
T value(Given<T> number) {
    return number.get();
}
[[noreturn]] void is_missing(std::string_view name);
/// Throws Error, with its name, where it was not given, though the variant has it.
template <class T>
T needed(const OptionalNumber<T>& number, std::string_view name) {
    if (!number.get()) is_missing(name);
    return *number.get();
}

PassCall make_call(PassId pass, std::initializer_list<StorageId> outputs, std::initializer_list<StorageId> inputs,
                   std::initializer_list<ScalarArg> scalars, std::initializer_list<std::int32_t> integers,
                   std::initializer_list<float> constants, Optional status, VariantId variant);

/// The product of a format with an ending: first what is read before the textures of structure, then what is after
/// them; integers and constants behind those of the format. Throws Error where the format has no such product.
PassCall make_product(const ProductOperands& matrix, Ending ending, std::initializer_list<StorageId> outputs,
                      std::initializer_list<StorageId> before, std::initializer_list<StorageId> behind,
                      std::initializer_list<std::int32_t> integers, std::initializer_list<float> constants,
                      Optional status, VariantId variant);

/// The call, of a variant that has none of these arguments; throws Error where one was given.
struct Superfluous {
    std::string_view name;
    bool is_given;
};
PassCall without(const PassCall& call, std::initializer_list<Superfluous> superfluous);

/// Throws Error: what was given asks for none of the variants, which are those.
[[noreturn]] void no_such_variant(std::string_view pass, std::string_view variants);

}  // namespace pass

}  // namespace glsolve::inline v0_1
