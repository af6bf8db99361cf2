/// One call into an object at a time: an observer, which is called while its solver works, must not call that solver.
#pragma once

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <string_view>
#include <utility>

namespace glsolve::inline v0_1 {

class OneCall {
  public:
    /// Throws InvalidInput where another call is under way. `under_way` outlives the call; `object`: its name.
    OneCall(bool& under_way, std::string_view object) : under_way_(under_way) {
        if (std::exchange(under_way_, true)) {
            throw InvalidInput(fmt::format(
                "{0}: it is at work in another call, and cannot be called until that has returned; an observer may "
                "return false to end that call, and use another {0}",
                object));
        }
    }
    ~OneCall() { under_way_ = false; }
    OneCall(const OneCall&) = delete;
    OneCall& operator=(const OneCall&) = delete;

  private:
    bool& under_way_;
};

}  // namespace glsolve::inline v0_1
