// Reads Matrix Market files with fast_matrix_market, into triplets, on all cores: to compare with `glsolve`.
//
//   git clone https://github.com/alugowski/fast_matrix_market
//   g++ -std=c++17 -O3 -march=native -pthread -DFMM_USE_FAST_FLOAT -I fast_matrix_market/include fmm_read.cpp -o
//   fmm_read fmm_read A.mtx ROUNDS
//
// Prints the seconds of each round.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fast_matrix_market/fast_matrix_market.hpp>
#include <fstream>
#include <vector>

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "fmm_read A.mtx ROUNDS\n");
        return 2;
    }
    for (int round = 0; round < std::atoi(argv[2]); ++round) {
        const auto begin = std::chrono::steady_clock::now();
        std::ifstream file(argv[1]);
        std::int32_t rows = 0, columns = 0;
        std::vector<std::int32_t> row, column;
        std::vector<double> value;
        fast_matrix_market::read_matrix_market_triplet(file, rows, columns, row, column, value);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        std::printf("%zu entries, %.3f s\n", value.size(), took.count());
    }
}
