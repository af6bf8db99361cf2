// Runs a fuzz target without a fuzzer, with any compiler: over a corpus and over mutations of it, the same each time.
//   replay_TARGET CORPUS DICTIONARY MUTATIONS
// An input that aborts the process is left in replay_TARGET.input.
#include <algorithm>
#include <cctype>
#include <csignal>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/target.hpp"

namespace fs = std::filesystem;

namespace {

using Strings = std::vector<std::string>;

Strings load_corpus(const fs::path& folder) {
    std::vector<fs::path> files(fs::directory_iterator(folder), {});
    std::sort(files.begin(), files.end());
    Strings inputs;
    for (const fs::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return inputs;
}

/// The words of a dictionary of libFuzzer's: "word" on lines of their own, with \" \\ and \xAB inside.
Strings load_dictionary(const fs::path& file) {
    std::ifstream stream(file);
    Strings words;
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with('"')) continue;
        std::string word;
        for (std::size_t at = 1; at + 1 < line.size(); ++at) {
            if (line[at] != '\\') {  // NOLINT(bugprone-branch-clone): a plain character, or an escaped one
                word += line[at];
            } else if (line[++at] == 'x') {
                word += static_cast<char>(std::stoi(line.substr(at + 1, 2), nullptr, 16));
                at += 2;
            } else {
                word += line[at];
            }
        }
        words.push_back(word);
    }
    return words;
}

class Mutator {
  public:
    Mutator(Strings corpus, Strings dictionary) : corpus_(std::move(corpus)), dictionary_(std::move(dictionary)) {}

    std::string next() {
        std::string input = one_of(corpus_);
        for (std::size_t count = 1 + below(4); count > 0; --count) mutate(input);
        return input;
    }

  private:
    // Distributions differ between standard libraries, remainders do not.
    std::size_t below(std::size_t end) { return random_() % std::max<std::size_t>(end, 1); }
    const std::string& one_of(const Strings& strings) { return strings[below(strings.size())]; }

    void mutate(std::string& input) {
        const std::size_t at = below(input.size() + 1);
        const std::size_t length = 1 + below(1 + below(32));
        switch (below(8)) {
            case 0:
                if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
                break;
            case 1:
                input.insert(at, 1, static_cast<char>(below(256)));
                break;
            case 2:
                input.erase(at, length);
                break;
            case 3:
                input.insert(at, input.substr(at, length));
                break;
            case 4:
                input.replace(at, below(length), one_of(dictionary_));
                break;
            case 5:
                change_digit(input, at);
                break;
            case 6:
                input.erase(at);
                break;
            default:
                splice(input, at);
        }
    }

    void change_digit(std::string& input, std::size_t at) {
        const auto digit = std::find_if(input.begin() + static_cast<std::ptrdiff_t>(at), input.end(),
                                        [](unsigned char c) { return std::isdigit(c); });
        if (digit != input.end()) *digit = static_cast<char>('0' + below(10));
    }

    /// Goes on as another input does from some place.
    void splice(std::string& input, std::size_t at) {
        const std::string& other = one_of(corpus_);
        input.replace(at, std::string::npos, other.substr(below(other.size() + 1)));
    }

    Strings corpus_;
    Strings dictionary_;
    std::mt19937 random_{20240229};
};

// A signal's handler sees nothing else.
std::string failure_file;
const std::string* current = nullptr;

void keep_input(int) {
    std::ofstream(failure_file, std::ios::binary) << *current;
    // Not by std::cerr, which the target may have caught.
    std::fprintf(stderr, "the input is kept in %s\n", failure_file.c_str());
}

void run(const std::string& input) {
    current = &input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: " << argv[0] << " CORPUS DICTIONARY MUTATIONS\n";
        return 2;
    }
    const Strings corpus = load_corpus(argv[1]);
    const Strings dictionary = load_dictionary(argv[2]);
    const int mutations = std::stoi(argv[3]);
    fuzz::require(!corpus.empty() && !dictionary.empty(), "there are a corpus and a dictionary");

    failure_file = std::string(argv[0]) + ".input";
    std::signal(SIGABRT, keep_input);
    for (const std::string& input : corpus) run(input);
    Mutator mutator(corpus, dictionary);
    for (int k = 0; k < mutations; ++k) run(mutator.next());
    std::cout << corpus.size() << " inputs and " << mutations << " mutations of them\n";
}
