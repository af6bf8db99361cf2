#include "io/npy_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/large_pages.hpp"
#include "base/number_text.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_header = 1 << 16;

/// What stands behind 'key': in the text of a dictionary.
std::optional<std::string_view> value_of(std::string_view text, std::string_view key) {
    const std::size_t at = text.find(fmt::format("'{}'", key));
    if (at == std::string_view::npos) return {};
    const std::size_t colon = text.find(':', at + key.size() + 2);
    if (colon == std::string_view::npos) return {};
    const std::size_t begin = text.find_first_not_of(' ', colon + 1);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin);
}

/// (5, 3) or (5,)
std::optional<std::vector<std::uint64_t>> shape_of(std::string_view text) {
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) return {};
    std::vector<std::uint64_t> shape;
    for (std::size_t at = 1; at < end;) {
        at = text.find_first_not_of(" ,", at);
        if (at >= end) break;
        std::uint64_t size = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, size);
        if (error != std::errc{}) return {};
        shape.push_back(size);
        at = static_cast<std::size_t>(stop - text.data());
    }
    return shape;
}

template <class Number, class Item>
Number converted(Item item) {
    if constexpr (std::is_integral_v<Number> && std::is_floating_point_v<Item>) {
        return 0;  // no index is a real number: whoever asks has refused these
    } else if constexpr (std::is_integral_v<Number>) {
        if (std::in_range<Number>(item)) return static_cast<Number>(item);
        return std::cmp_less(item, 0) ? std::numeric_limits<Number>::min() : std::numeric_limits<Number>::max();
    } else {
        return static_cast<Number>(item);
    }
}

template <class Number, class Item>
std::vector<Number> converted_from(const NpyArray& array) {
    const auto count = static_cast<std::size_t>(array.count());
    std::vector<Number> numbers = filled(count, Number{});
    parallel_each(count, [&](std::size_t k) {
        Item item;
        std::memcpy(&item, array.bytes.data() + k * sizeof(Item), sizeof(Item));
        numbers[k] = converted<Number>(item);
    });
    return numbers;
}

template <class Number, class Item8, class Item16, class Item32, class Item64>
std::vector<Number> by_size(const NpyArray& array) {
    switch (array.item_bytes) {
        case 1:
            return converted_from<Number, Item8>(array);
        case 2:
            return converted_from<Number, Item16>(array);
        case 4:
            return converted_from<Number, Item32>(array);
        default:
            return converted_from<Number, Item64>(array);
    }
}

}  // namespace

std::uint64_t NpyArray::count() const {
    return std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
}

NpyArray parse_npy(std::span<const char> file, const std::function<void(const std::string&)>& fail) {
    const std::string_view text(file.data(), file.size());
    if (!text.starts_with(magic) || text.size() < 12) fail("this is no array as numpy.save writes it");
    // Versions 2 and 3 have a longer number for the header's length.
    const bool is_first_version = text[6] == 1;
    const std::size_t begin = is_first_version ? 10 : 12;
    std::uint32_t length = 0;
    std::memcpy(&length, file.data() + 8, is_first_version ? 2 : 4);
    if (length > most_header || begin + length > text.size()) fail("the header is longer than the file");
    const std::string_view header = text.substr(begin, length);
    const auto type = value_of(header, "descr"), order = value_of(header, "fortran_order"),
               size = value_of(header, "shape");
    const auto shape = size ? shape_of(*size) : std::nullopt;
    if (!type || !order || !shape || type->size() < 5)
        fail(fmt::format("the header is not understood: {}", quoted(header)));
    const std::string word(type->substr(1, type->find_first_of("'\"", 1) - 1));  // without quotes: <f8
    NpyArray array;
    array.in_fortran_order = order->starts_with("True");
    array.shape = *shape;
    array.bytes = file.subspan(begin + length);
    static constexpr std::string_view accepted[] = {"<f8", "<f4", "<i8", "<i4", "<i2", "|i1",
                                                    "<u8", "<u4", "<u2", "|u1", "|b1"};
    const bool is_text = word.starts_with("|S");
    if (!is_text && std::ranges::find(accepted, word) == std::end(accepted)) {
        fail(fmt::format("numbers of type {}; accepted: {}", glsolve::quoted(word), fmt::join(accepted, ", ")));
    }
    array.kind = static_cast<NpyArray::Kind>(word[1]);
    const auto [stop, error] = std::from_chars(word.data() + 2, word.data() + word.size(), array.item_bytes);
    if (error != std::errc{} || stop != word.data() + word.size() || array.item_bytes == 0) {
        fail(fmt::format("a type {} is not understood", glsolve::quoted(word)));
    }
    const std::uint64_t room = array.bytes.size() / array.item_bytes;
    const bool is_empty = std::ranges::find(array.shape, 0) != array.shape.end();
    std::uint64_t count = is_empty ? 0 : 1;
    for (const std::uint64_t each : array.shape) {
        if (count == 0) break;
        if (count > room / each) fail("the file ends before all numbers that its header tells of");
        count *= each;
    }
    if (count > room) fail("the file ends before all numbers that its header tells of");
    return array;
}

template <class Number>
std::vector<Number> numbers_of(const NpyArray& array) {
    switch (array.kind) {
        case NpyArray::Kind::real:
            return array.item_bytes == 4 ? converted_from<Number, float>(array) : converted_from<Number, double>(array);
        case NpyArray::Kind::whole:
            return by_size<Number, std::int8_t, std::int16_t, std::int32_t, std::int64_t>(array);
        default:
            return by_size<Number, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(array);
    }
}
template std::vector<double> numbers_of(const NpyArray&);
template std::vector<std::int32_t> numbers_of(const NpyArray&);
template std::vector<std::int64_t> numbers_of(const NpyArray&);

std::string npy_header(std::string_view type, std::span<const std::uint64_t> shape, bool in_fortran_order) {
    std::string sizes;
    for (const std::uint64_t size : shape) sizes += fmt::format("{}, ", size);
    if (shape.size() > 1) sizes.resize(sizes.size() - 2);
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", type,
                                     in_fortran_order ? "True" : "False", sizes);
    constexpr std::size_t before = 10, unit = 64;  // numbers begin at a multiple of 64
    header.resize((header.size() + before + 1 + unit - 1) / unit * unit - before - 1, ' ');
    header += '\n';
    const auto length = static_cast<std::uint16_t>(header.size());
    std::string text(magic);
    text += "\x01\x00"sv;
    text.append(reinterpret_cast<const char*>(&length), sizeof(length));
    return text + header;
}

}  // namespace glsolve::inline v0_1
