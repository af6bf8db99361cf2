// The program's options: whatever the words are, parsing them gives arguments and prints nothing, or gives exit code 0
// with a help text or 2 with a complaint; it neither throws nor touches a file.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/exit_code.hpp"
#include "fuzz/target.hpp"

using namespace glsolve::cli;
using fuzz::require;

namespace {

/// Catches what is written to a stream.
class Capture {
  public:
    explicit Capture(std::ostream& stream) : stream_(stream), original_(stream.rdbuf(text_.rdbuf())) {}
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() { stream_.rdbuf(original_); }

    std::string text() const { return text_.str(); }

  private:
    std::ostream& stream_;
    std::ostringstream text_;
    std::streambuf* original_;
};

/// Works in a folder as long as it lives.
class Visit {
  public:
    explicit Visit(const std::filesystem::path& folder) : original_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { std::filesystem::current_path(original_); }

  private:
    std::filesystem::path original_;
};

/// The program's name, then the input's lines; a NUL ends a word as well, as words can hold none.
std::vector<std::string> words_of(std::string_view input) {
    std::vector<std::string> words{"glsolve"};
    while (!input.empty()) {
        const std::size_t length = std::min(input.find_first_of(std::string_view("\n\0", 2)), input.size());
        words.emplace_back(input.substr(0, length));
        input.remove_prefix(std::min(length + 1, input.size()));
    }
    return words;
}

struct Outcome {
    std::variant<Arguments, int> parsed;
    std::string printed;
    std::string complaint;
};

Outcome parse_words(std::vector<std::string> words) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const Capture out(std::cout);
    const Capture err(std::cerr);
    auto parsed = parse(static_cast<int>(words.size()), argv.data());
    return {std::move(parsed), out.text(), err.text()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::TemporaryFolder folder;
    const std::vector<std::string> words = words_of({reinterpret_cast<const char*>(data), size});
    const Outcome outcome = [&] {
        const Visit visit(folder.path());
        return parse_words(words);
    }();
    require(std::filesystem::is_empty(folder.path()), "parsing writes no file");

    if (const int* code = std::get_if<int>(&outcome.parsed)) {
        require(*code == exit_converged || *code == exit_bad_input, "the exit code is 0 or 2");
        const bool good = *code == exit_converged;
        require(outcome.printed.empty() != good, "help is printed, and nothing besides: " + outcome.printed);
        require(outcome.complaint.empty() == good, "bad use is complained about: " + outcome.complaint);
    } else {
        require(outcome.printed.empty() && outcome.complaint.empty(), "arguments that are good are taken in silence");
    }
    const Outcome again = parse_words(words);
    require(again.parsed.index() == outcome.parsed.index() && again.printed == outcome.printed
                && again.complaint == outcome.complaint,
            "parsing leaves nothing behind");
    return 0;
}
