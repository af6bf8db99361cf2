/// What every function of the C interface does: exceptions become codes, and structures have the caller's size.
#pragma once

#include <glsolve/glsolve.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <glsolve/error.hpp>
#include <string_view>

namespace glsolve::c {

/// Runs it; the code of what it throws, whose words glsolve_last_error() has then.
int guarded_call(void (*call)(const void* work), const void* work) noexcept;
template <class Work>
int guarded(const Work& work) noexcept {  // without std::function, which may allocate before anything is caught
    return guarded_call([](const void* of) { (*static_cast<const Work*>(of))(); }, &work);
}

/// Throws InvalidInput where a pointer that has to lead somewhere is null.
template <class Object>
Object& required(Object* pointer, std::string_view name) {
    if (pointer == nullptr) throw InvalidInput(std::string(name) + " is NULL");
    return *pointer;
}

/// What the caller has given of a structure, and zeros behind it.
template <class Structure>
Structure taken(const Structure* given, std::string_view name) {
    const std::uint32_t size = required(given, name).size;
    if (size < sizeof(std::uint32_t)) throw InvalidInput(std::string(name) + ": size is not set; it is sizeof");
    Structure made{};
    std::memcpy(&made, given, std::min<std::size_t>(size, sizeof made));
    return made;
}
/// The same where NULL stands for zeros.
template <class Structure>
Structure taken_if_any(const Structure* given, std::string_view name) {
    return given != nullptr ? taken(given, name) : Structure{};
}

/// As much of `made` as the caller has room for.
template <class Structure>
void give(Structure made, Structure* to, std::string_view name) {
    made.size = taken(to, name).size;
    std::memcpy(to, &made, std::min<std::size_t>(made.size, sizeof made));
}

/// The k-th of an array of structures that are as large as the first one says.
template <class Structure>
Structure* element_of(Structure* array, std::size_t k) {
    return reinterpret_cast<Structure*>(reinterpret_cast<std::byte*>(array) + k * array->size);
}

inline std::string_view text_or_empty(const char* text) { return text != nullptr ? text : ""; }

}  // namespace glsolve::c
