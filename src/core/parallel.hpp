/// Work of the host that is divided among its cores.
#pragma once

#include <functional>
#include <glsolve/csr.hpp>

namespace glsolve::inline v0_1 {

/// How many ranges `parallel_for` makes of so many items: one for each core, but none with fewer than `grain` items.
int parallel_ranges(Index count, Index grain);

/// Calls work(range, begin, end) for consecutive ranges of 0 ... count - 1, each in a thread of its own (the first in
/// the caller's), and returns when all are done. The ranges are the same each time: what one call leaves for range k,
/// the next finds there. If `work` throws, one of the exceptions is thrown again when all are done.
void parallel_for(Index count, Index grain, const std::function<void(int range, Index begin, Index end)>& work);

}  // namespace glsolve::inline v0_1
