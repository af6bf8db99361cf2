#include "factors/triangular_products.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {
namespace {

/// A row of a product, ascending by columns.
using Row = std::vector<std::pair<Index, double>>;

/// The rows of some neighbouring levels, multiplied out.
class Group {
  public:
    explicit Group(Index n) : member_(static_cast<std::size_t>(n), -1), slot_(static_cast<std::size_t>(n), -1) {}

    /// The row of the inverse:  e_i - sum over j of t_ij (row j of this group, or e_j).
    Row inverse_row(CsrView T, Index i) {
        Row made{{i, 1.0}};
        slot_[static_cast<std::size_t>(i)] = 0;
        const auto add = [&](Index j, double value) {
            Index& slot = slot_[static_cast<std::size_t>(j)];
            if (slot < 0) {
                slot = static_cast<Index>(made.size());
                made.emplace_back(j, 0.0);
            }
            made[static_cast<std::size_t>(slot)].second += value;
        };
        for (const auto [k, t] : T.row(i)) {
            const Index member = member_[static_cast<std::size_t>(k)];
            if (member < 0) {
                add(k, -t);
            } else {
                for (const auto& [j, value] : rows_[static_cast<std::size_t>(member)]) add(j, -t * value);
            }
        }
        for (const auto& [j, value] : made) slot_[static_cast<std::size_t>(j)] = -1;
        std::ranges::sort(made, {}, &Row::value_type::first);
        return made;
    }

    void add(Index i, Row row) {
        member_[static_cast<std::size_t>(i)] = static_cast<Index>(rows_.size());
        owners_.push_back(i);
        rows_.push_back(std::move(row));
    }

    /// These rows, and those of the identity elsewhere; the group is empty after it.
    CsrMatrix take() {
        CsrMatrix P;
        P.rows = P.columns = static_cast<Index>(member_.size());
        P.offsets.reserve(member_.size() + 1);
        for (std::size_t i = 0; i < member_.size(); ++i) {
            if (member_[i] < 0) {
                P.column.push_back(static_cast<Index>(i));
                P.value.push_back(1);
            } else {
                for (const auto& [j, value] : rows_[static_cast<std::size_t>(member_[i])]) {
                    P.column.push_back(j);
                    P.value.push_back(value);
                }
            }
            P.offsets.push_back(static_cast<Offset>(P.column.size()));
        }
        for (const Index i : owners_) member_[static_cast<std::size_t>(i)] = -1;
        owners_.clear();
        rows_.clear();
        return P;
    }
    bool empty() const { return rows_.empty(); }

  private:
    std::vector<Index> member_;  // of each row of T its place in rows_, or -1
    std::vector<Index> slot_;    // of each column its place in the row at work, or -1
    std::vector<Index> owners_;
    std::vector<Row> rows_;
};

std::size_t entries(const std::vector<Row>& rows) {
    std::size_t count = 0;
    for (const Row& row : rows) count += row.size();
    return count;
}

}  // namespace

std::optional<std::vector<CsrMatrix>> triangular_products(CsrView T, Triangle triangle,
                                                          const TriangularProductOptions& options) {
    const Levels levels = level_sets(T, triangle);
    std::vector<CsrMatrix> products;
    Group group(T.rows);
    double of_T = 0, of_group = 0;  // entries of the rows of the group, in T and multiplied out
    for (Index level = 1; level < levels.count; ++level) {
        const auto begin = static_cast<std::size_t>(levels.begin[static_cast<std::size_t>(level)]),
                   end = static_cast<std::size_t>(levels.begin[static_cast<std::size_t>(level) + 1]);
        double more_of_T = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const auto i = static_cast<std::size_t>(levels.order[k]);
            more_of_T += static_cast<double>(T.row(i).size() + 1);
        }
        std::vector<Row> rows;
        const auto make_rows = [&] {
            rows.clear();
            for (std::size_t k = begin; k < end; ++k) rows.push_back(group.inverse_row(T, levels.order[k]));
        };
        make_rows();
        if (!group.empty() && of_group + static_cast<double>(entries(rows)) > options.most_fill * (of_T + more_of_T)) {
            products.push_back(group.take());
            if (static_cast<Index>(products.size()) >= options.most_products) return {};
            of_T = of_group = 0;
            make_rows();
        }
        of_T += more_of_T;
        of_group += static_cast<double>(entries(rows));
        for (std::size_t k = begin; k < end; ++k) group.add(levels.order[k], std::move(rows[k - begin]));
    }
    if (!group.empty()) products.push_back(group.take());
    return products;
}

}  // namespace glsolve::inline v0_1
