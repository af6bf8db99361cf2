/// Where the unknowns of a system are in a texture of the caller's, and the passes there and back.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/texture.hpp>
#include <string_view>

#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {

/// How the unknowns lie in vectors: planes of rows, in lines of numbers.
struct Numbering {
    Index unknowns = 0;                         ///< of a plane, where it may have any shape
    Index columns = 0, height = 1, planes = 1;  ///< numbers of a row, rows of a plane; columns 0: any shape
    Index pitch = 0, lines = 1;                 ///< numbers of a line, lines of a plane: some may be none
};

/// A texture while it is used. Inside a session of the backend.
class TextureWindow {
  public:
    /// Throws InvalidInput, which begins with `role`, where the view does not fit the unknowns, or the texture cannot
    /// be used so.
    TextureWindow(Backend& backend, const TextureView& view, const Numbering& numbering, TextureUse use,
                  std::string_view role);
    ~TextureWindow() { backend_.release(texture_); }
    TextureWindow(const TextureWindow&) = delete;
    TextureWindow& operator=(const TextureWindow&) = delete;

    /// Which of the numbers count: those where the vector `m` is not zero. Not `used`: all of them, and m is any other
    /// vector that is as long.
    struct Mask {
        StorageId m;
        bool used = false;
    };
    /// y <- a times a right-hand side, counted from 0; zeros where there is no unknown, where the mask has none, and,
    /// if all shall be `finite`, where the texture holds no number.
    void take(Vector& y, const ScalarArg& a, Mask mask, int column = 0, bool finite = false) const;
    /// Its place <- x, unless the texel `refused` is 1.
    void put(const Vector& x, int column, StorageId refused) const;

  private:
    std::int32_t length_of(const Vector& x) const;

    Backend& backend_;
    TextureView view_;
    Numbering numbering_;
    StorageId texture_;
};

}  // namespace glsolve::inline v0_1
