#include "headers/facts.hpp"

namespace headers_test {

Facts alone() { return facts(); }

}  // namespace headers_test
