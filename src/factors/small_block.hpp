/// A(S, S): the small dense matrices that approximate inverses are solved with.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// Which rows and columns a small matrix has, and where. For one thread.
class SmallIndices {
  public:
    explicit SmallIndices(Index size) : place_(static_cast<std::size_t>(size), -1) {}

    /// `i` gets the next place.
    void add(Index i) {
        place_.data()[i] = static_cast<Index>(members_.size());
        members_.push_back(i);
    }
    void clear() {
        for (const Index i : members_) place_.data()[i] = -1;
        members_.clear();
    }
    void assign(std::span<const Index> members) {
        clear();
        for (const Index i : members) add(i);
    }
    Index place(Index i) const { return place_.data()[i]; }  ///< -1 if it has none
    Index count() const { return static_cast<Index>(members_.size()); }
    std::span<const Index> members() const { return members_; }

  private:
    std::vector<Index> place_, members_;
};

/// Writes A(S, S) into `block`, which has its size.
template <class Block>
void gather(CsrView A, const SmallIndices& S, Block&& block) {
    block.setZero();
    const Offset* const row = A.offsets.data();
    Index k = 0;
    for (const Index i : S.members()) {
        for (Offset e = row[i]; e < row[i + 1]; ++e) {
            const Index l = S.place(A.column.data()[e]);
            if (l >= 0) block(k, l) = A.value.data()[e];
        }
        ++k;
    }
}

}  // namespace glsolve::inline v0_1
