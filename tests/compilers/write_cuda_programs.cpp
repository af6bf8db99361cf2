// Writes the programs of the CUDA backend, a file each, and what they include, for compilers of other vendors
// (scripts/hip_programs.sh).  write_cuda_programs FOLDER
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "compilers/cuda_programs.hpp"

int main(int argc, char** argv) {
    using namespace glsolve;
    if (argc != 2) {
        fmt::print(stderr, "write_cuda_programs FOLDER\n");
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder / "headers");
    for (const cuda::Header& header : cuda::program_headers())
        std::ofstream(folder / "headers" / header.name) << header.text;
    int number = 0;
    for (const test::CudaProgram& program : test::all_cuda_programs()) {
        const std::string name =
            fmt::format("{}.{}{}.hip", program.row->name, number++, program.kind.double_reals ? ".double" : "");
        std::ofstream(folder / name) << cuda::program_text(*program.row, program.kind).text;
    }
    fmt::print("{} programs in {}\n", number, folder.string());
}
