#include "this_machine.hpp"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <fstream>

namespace glsolve::bench {

std::string today() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm local{};
    localtime_r(&now, &local);
    return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

std::string machine(int threads) {
    std::ifstream file("/proc/cpuinfo");
    std::string processor = "processor of unknown name";
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        processor = line.substr(std::min(line.find(": ") + 2, line.size()));
        break;
    }
    return fmt::format("{}, {} cores in use", processor, threads);
}

std::string command_of(int argc, char** argv) {
    std::string text = "bench_papers";
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool whole = word.find_first_of(" ;'\"") == std::string::npos;
        text += whole ? fmt::format(" {}", word) : fmt::format(" '{}'", word);
    }
    return text;
}

}  // namespace glsolve::bench
