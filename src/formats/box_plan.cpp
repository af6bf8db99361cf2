#include "formats/box_plan.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset box_grain = 1 << 13;  // texels of rows
constexpr int strides = 4, widest = 8;
constexpr Offset fetches_of_a_slot = 6;  // in slices: four values, their columns, and what stands there in x
constexpr Offset fewest_sharing = 4;     // texels of rows for each record, in the mean; with fewer each has its own

/// A range of coordinates, empty at first.
struct TexelSpan {
    Index low = std::numeric_limits<Index>::max(), high = std::numeric_limits<Index>::min();

    void include(Index at) {
        low = std::min(low, at);
        high = std::max(high, at);
    }
    bool empty() const { return high < low; }
    Index size() const { return empty() ? 0 : high - low + 1; }
};

/// The columns of up to four rows: along the first axis lane by lane, along the others of all of them.
struct Reach {
    std::array<TexelSpan, 4> x;
    TexelSpan y, z;

    /// Where lane 0 has to begin for each lane r to begin `stride` r later, and the columns that it then has to hold.
    TexelSpan with(int stride) const {
        TexelSpan box;
        for (int r = 0; r < 4; ++r) {
            const TexelSpan& lane = x[static_cast<std::size_t>(r)];
            if (lane.empty()) continue;
            box.include(lane.low - stride * r);
            box.include(lane.high - stride * r);
        }
        return box;
    }
};

/// The line of a lattice that a column is on: most often the one before's, or one beside it.
class Line {
  public:
    explicit Line(const std::array<Index, 3>& columns) : nx_(columns[0]), ny_(columns[1]) {}

    void move_to(Index column) {
        if (column >= end() && column - end() < nx_ && y_ + 1 < ny_) {
            begin_ += nx_;
            ++y_;
        } else if (column < begin_ && begin_ - column <= nx_ && y_ > 0) {
            begin_ -= nx_;
            --y_;
        } else if (column < begin_ || column >= end()) {
            const Index line = column / nx_;
            begin_ = line * nx_;
            z_ = line / ny_;
            y_ = line - z_ * ny_;
        }
    }
    Index begin() const { return begin_; }
    Index end() const { return begin_ + nx_; }
    Index y() const { return y_; }
    Index z() const { return z_; }

  private:
    Index nx_, ny_, begin_ = 0, y_ = 0, z_ = 0;
};

/// Goes through the entries of P, texel by texel of its rows.
class Texels {
  public:
    explicit Texels(const TransferInput& in) : P_(in.P), rows_(in.rows), columns_(in.columns) {}

    Offset count() const { return (Offset{P_.rows} + 3) / 4; }
    /// Entries of the longest row of texel t.
    Offset longest(Offset t) const {
        Offset most = 0;
        for (Offset i = 4 * t; i < std::min<Offset>(4 * t + 4, P_.rows); ++i)
            most = std::max<Offset>(most, std::ssize(P_.row(i)));
        return most;
    }
    /// Rows of texel t that belong to the line of the first of them. All others are on the next line.
    int split(Offset t) const { return static_cast<int>(std::min<Offset>(4, rows_[0] - 4 * t % rows_[0])); }
    /// The columns of the rows of texel t before the split, and of those behind.
    std::array<Reach, 2> reaches(Offset t) const {
        std::array<Reach, 2> found;
        const int end_of_line = split(t);
        Line line(columns_);
        each_row(t, [&](int r, Offset begin, Offset end) {
            Reach& reach = found[r < end_of_line ? 0 : 1];
            for (Offset k = begin; k < end; ++k) {  // from line to line: columns ascend
                line.move_to(P_.column[k]);
                reach.x[static_cast<std::size_t>(r)].include(P_.column[k] - line.begin());
                while (k + 1 < end && P_.column[k + 1] < line.end()) ++k;
                reach.x[static_cast<std::size_t>(r)].include(P_.column[k] - line.begin());
                reach.y.include(line.y());
                reach.z.include(line.z());
            }
        });
        return found;
    }
    /// Calls f(lane, entry, x, y, z) for each entry of the rows of texel t, which is in that column.
    template <class Function>
    void each_entry(Offset t, const Function& f) const {
        Line line(columns_);
        each_row(t, [&](int r, Offset begin, Offset end) {
            for (Offset k = begin; k < end; ++k) {
                line.move_to(P_.column[k]);
                f(r, k, P_.column[k] - line.begin(), line.y(), line.z());
            }
        });
    }

  private:
    /// Calls f(lane, its entries' begin, end) for the rows of texel t.
    template <class Function>
    void each_row(Offset t, const Function& f) const {
        for (int r = 0; r < 4 && 4 * t + r < P_.rows; ++r) {
            const auto i = static_cast<std::size_t>(4 * t + r);
            f(r, P_.offsets[i], P_.offsets[i + 1]);
        }
    }

    CsrView P_;
    std::array<Index, 3> rows_, columns_;
};

/// The sizes that all boxes need.
struct Needed {
    std::array<Index, strides> wide{};
    Index high = 1, deep = 1;
    Offset slots = 0;  // of all texels, where each has as many as its longest row needs

    void include(const Reach& reach) {
        if (reach.y.empty()) return;
        for (int s = 0; s < strides; ++s) {
            Index& most = wide[static_cast<std::size_t>(s)];
            most = std::max(most, reach.with(s).size());
        }
        high = std::max(high, reach.y.size());
        deep = std::max(deep, reach.z.size());
    }
    void include(const Needed& other) {
        for (std::size_t s = 0; s < wide.size(); ++s) wide[s] = std::max(wide[s], other.wide[s]);
        high = std::max(high, other.high);
        deep = std::max(deep, other.deep);
        slots += other.slots;
    }
};

Index points(const std::array<Index, 3>& grid) { return grid[0] * grid[1] * grid[2]; }

/// Records that are all different, and what they are called.
class Dictionary {
  public:
    explicit Dictionary(std::size_t floats) : floats_(floats) {}

    Offset count() const { return static_cast<Offset>(values_.size() / std::max<std::size_t>(floats_, 1)); }
    const float* record(Offset k) const { return values_.data() + static_cast<std::size_t>(k) * floats_; }
    /// The number of this record, which is new or not.
    std::int32_t find(const float* record) {
        std::size_t key = std::hash<std::string_view>{}(
            {reinterpret_cast<const char*>(record), floats_ * sizeof(float)});  // bits, not values
        for (;; ++key) {
            const auto [place, is_new] = number_.try_emplace(key, static_cast<std::int32_t>(count()));
            if (is_new) values_.insert(values_.end(), record, record + floats_);
            if (is_new || std::memcmp(this->record(place->second), record, floats_ * sizeof(float)) == 0)
                return place->second;
        }
    }

  private:
    std::size_t floats_;
    std::vector<float> values_;
    std::unordered_map<std::size_t, std::int32_t> number_;
};

class Recorder {
  public:
    Recorder(const TransferInput& in, const BoxShape& shape)
        : in_(in), shape_(shape), texels_(in), floats_(static_cast<std::size_t>(shape.slots()) * 4) {}

    BoxRecords make() {
        const Offset texels = layout_of(in_.P.rows).extent().texels();
        made_.places = HostArray<std::int32_t>(static_cast<std::size_t>(texels) * 4);
        // Behind the last row there is nothing to add up, and zeros are what it takes: those of a record of zeros.
        if (!share(texels)) keep_apart(texels);
        made_.split = splits();
        return std::move(made_);
    }

  private:
    /// The numbers of texel t, and where its boxes begin.
    void describe(Offset t, float* record, std::int32_t* place) const {
        std::fill_n(record, floats_, 0.0f);
        std::fill_n(place, 3, 0);
        if (t >= texels_.count()) {
            place[2] = 4;
            return;
        }
        const int split = texels_.split(t);
        const std::array<Reach, 2> reaches = texels_.reaches(t);
        std::array<std::array<Index, 3>, 2> corner{};
        for (std::size_t part = 0; part < 2; ++part) {
            const Reach& reach = reaches[part];
            if (reach.y.empty()) continue;
            corner[part] = {reach.with(shape_.stride).low, reach.y.low, reach.z.low};
            place[part] = corner[part][0] + in_.columns[0] * (corner[part][1] + in_.columns[1] * corner[part][2]);
        }
        place[2] = split;
        texels_.each_entry(t, [&](int r, Offset entry, Index x, Index y, Index z) {
            const std::array<Index, 3>& from = corner[r < split ? 0 : 1];
            const Index slot =
                ((z - from[2]) * shape_.high + y - from[1]) * shape_.wide + x - from[0] - shape_.stride * r;
            const auto row = static_cast<std::size_t>(4 * t + r);
            record[slot * 4 + r] = in_.scaled(static_cast<Index>(row), entry);
        });
    }

    std::int32_t* place(Offset t) const { return &made_.places[static_cast<std::size_t>(t) * 4]; }

    void allocate(Offset records) {
        made_.count = records;
        made_.value_layout = layout_of((records + 3) / 4 * 4 * static_cast<Offset>(floats_));
        made_.values = host_texels(made_.value_layout);
        std::ranges::fill(made_.values.all().subspan(static_cast<std::size_t>(made_.value_layout.length)), 0.0f);
    }
    void put(Offset k, const float* record) const {
        float* to = &made_.values[static_cast<std::size_t>(k / 4 * 4) * floats_ + static_cast<std::size_t>(k % 4) * 4];
        for (std::size_t slot = 0; slot < floats_ / 4; ++slot) std::copy_n(record + 4 * slot, 4, to + 16 * slot);
    }

    /// False where too few are alike.
    bool share(Offset texels) {
        const int ranges = parallel_ranges(texels, box_grain);
        std::vector<Dictionary> found(static_cast<std::size_t>(ranges), Dictionary(floats_));
        std::atomic<bool> worth_it = true;
        parallel_for(texels, box_grain, [&](int range, Offset begin, Offset end) {
            Dictionary& own = found[static_cast<std::size_t>(range)];
            const Offset most = (end - begin) / fewest_sharing + 16;
            std::vector<float> record(floats_);
            for (Offset t = begin; t < end && worth_it; ++t) {
                describe(t, record.data(), place(t));
                place(t)[3] = own.find(record.data());
                if (own.count() > most) worth_it = false;
            }
        });
        if (!worth_it) return false;
        Dictionary all(floats_);
        std::vector<std::vector<std::int32_t>> number(found.size());  // of what each range has found, among all
        for (std::size_t range = 0; range < found.size(); ++range) {
            for (Offset k = 0; k < found[range].count(); ++k) number[range].push_back(all.find(found[range].record(k)));
        }
        allocate(all.count());
        for (Offset k = 0; k < (all.count() + 3) / 4 * 4; ++k) put(k, all.record(std::min(k, all.count() - 1)));
        parallel_for(texels, box_grain, [&](int range, Offset begin, Offset end) {
            for (Offset t = begin; t < end; ++t) {
                place(t)[3] = number[static_cast<std::size_t>(range)][static_cast<std::size_t>(place(t)[3])];
            }
        });
        return true;
    }

    /// A record for each texel.
    void keep_apart(Offset texels) {
        allocate(texels);
        parallel_for((texels + 3) / 4, box_grain / 4, [&](int, Offset begin, Offset end) {
            std::vector<float> record(floats_);
            std::array<std::int32_t, 4> behind{};
            for (Offset t = 4 * begin; t < 4 * end; ++t) {
                std::int32_t* const here = t < texels ? place(t) : behind.data();
                describe(t, record.data(), here);
                here[3] = static_cast<std::int32_t>(t);
                put(t, record.data());
            }
        });
    }

    bool splits() const { return in_.rows[0] % 4 != 0 && in_.rows[0] < in_.P.rows; }

    const TransferInput& in_;
    BoxShape shape_;
    Texels texels_;
    std::size_t floats_;
    BoxRecords made_;
};

}  // namespace

std::optional<BoxShape> boxes_of(const TransferInput& in) {
    const bool lattices = points(in.rows) == in.P.rows && points(in.columns) == in.P.columns && in.P.rows > 0;
    if (!lattices || in.P.nonzeros() == 0) return {};
    if (in.rows[0] < 4 && in.rows[0] < in.P.rows) return {};  // a texel would hold more than two lines
    const Texels texels(in);
    const auto parts = parallel_parts(texels.count(), box_grain, [&](Offset begin, Offset end) {
        Needed needed;
        for (Offset t = begin; t < end; ++t) {
            for (const Reach& reach : texels.reaches(t)) needed.include(reach);
            needed.slots += texels.longest(t);
        }
        return needed;
    });
    Needed needed;
    for (const Needed& part : parts) needed.include(part);
    std::optional<BoxShape> best;
    for (int s = 0; s < strides; ++s) {
        const BoxShape shape{s, needed.wide[static_cast<std::size_t>(s)], needed.high, needed.deep};
        if (shape.wide > widest || shape.high > 2 * widest || shape.deep > 2 * widest) continue;
        if (!best || shape.fetches() < best->fetches()) best = shape;
    }
    if (!best || static_cast<Offset>(best->fetches()) * texels.count() > fetches_of_a_slot * needed.slots) return {};
    return best;
}

bool fits(const BoxShape& shape, Index rows, int max_texture_size) {
    const Offset numbers = 16 * Offset{shape.slots()} * ((layout_of(rows).extent().texels() + 3) / 4);
    if (numbers > std::numeric_limits<Index>::max()) return false;
    const Extent extent = layout_of(numbers).extent();
    return std::max(extent.width, extent.height) <= max_texture_size;
}

BoxRecords make_records(const TransferInput& in, const BoxShape& shape) { return Recorder(in, shape).make(); }

}  // namespace glsolve::inline v0_1
