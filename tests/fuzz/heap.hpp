/// How much memory code takes.
#pragma once

#include <cstdint>

namespace fuzz {

/// Counts what is allocated: by malloc and all above it under the address sanitizer, by `operator new` alone elsewhere.
class HeapPeak {
  public:
    HeapPeak();

    /// The most bytes held at once since the construction, beyond those held then.
    std::int64_t bytes() const;

  private:
    std::int64_t before_;
};

}  // namespace fuzz
