/// What all of the generator stands on: files, lists of words, patterns, and how a mistake ends the build.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/scanner.hpp"

namespace glsolve::generator {

using std::string;
using std::string_view;
using Words = std::vector<string>;

/// Ends the build: FILE:LINE: why
[[noreturn]] inline void complain(const string& file, int line, const string& why) {
    std::fprintf(stderr, "%s:%d: %s\n", file.c_str(), line, why.c_str());
    std::exit(1);
}

/// Adds to `text` all of a file; false, where it cannot be read.
inline bool read(const string& file, string& text) {
    std::FILE* stream = std::fopen(file.c_str(), "rb");
    if (stream == nullptr) return false;
    char piece[1 << 14];
    for (std::size_t count; (count = std::fread(piece, 1, sizeof(piece), stream)) > 0;) text.append(piece, count);
    std::fclose(stream);
    return true;
}
inline string read_file(const string& file) {
    string text;
    if (!read(file, text)) complain(file, 1, "cannot be read");
    return text;
}
/// What has not changed is left alone: nobody who includes it is compiled again.
inline void write_if_new(const string& file, const string& text) {
    if (string old; read(file, old) && old == text) return;
    std::FILE* stream = std::fopen(file.c_str(), "wb");
    const bool written = stream != nullptr && std::fwrite(text.data(), 1, text.size(), stream) == text.size();
    if (stream == nullptr || std::fclose(stream) != 0 || !written) complain(file, 1, "cannot be written");
}

inline Words split(string_view text, string_view by = " ") {
    Words words;
    while (!text.empty()) {
        const std::size_t end = text.find(by);
        words.emplace_back(text.substr(0, end));
        text = end == string_view::npos ? "" : text.substr(end + by.size());
    }
    return words;
}
inline string join(const Words& words, string_view by) {
    string text;
    for (const string& word : words) text.append(&word == &words.front() ? "" : by) += word;
    return text;
}
template <class T>
std::vector<T> operator+(std::vector<T> all, const std::vector<T>& more) {
    for (const T& each : more) all.push_back(each);
    return all;
}
inline bool has(const Words& words, string_view word) {
    for (const string& each : words) {
        if (each == word) return true;
    }
    return false;
}
inline string lower(string text) {
    for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return text;
}
/// `pattern` with `parts` for $1, $2 ...
inline string fill(string_view pattern, std::initializer_list<string_view> parts) {
    string text;
    for (Scanner rest{pattern}; text += rest.take_until("$"), !rest.rest.empty();)
        text += parts.begin()[rest.take(1)[0] - '1'];
    return text;
}

}  // namespace glsolve::generator
