#pragma once

#include <cstdint>
#include <string>

namespace glsolve::inline v0_1 {

/// Which functions a library means by a name that the program has as well.
enum class OwnNames : std::uint8_t {
    as_usual,  ///< the program's, if the program shows them
    first      ///< its own
};

/// A library that is loaded when it is first needed: who links glsolve and only adopts contexts need not have it. It
/// stays loaded, as drivers want it.
class LoadedLibrary {
  public:
    /// Throws NoDevice with the loader's reason.
    explicit LoadedLibrary(const char* file, OwnNames names = OwnNames::as_usual);

    /// Finds a function. Throws NoDevice where the library has none of that name.
    template <class Function>
    void find(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(address(name));
    }

  private:
    void* address(const char* name) const;

    std::string file_;
    void* handle_;
};

}  // namespace glsolve::inline v0_1
