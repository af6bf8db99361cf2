#include "compilers/cuda_programs.hpp"

#include <string>

#include "compilers/kernel_variants.hpp"
#include "kernels/shared_programs.hpp"

namespace glsolve::test {
namespace {

std::vector<std::string> definitions(const PassRow& row, const PassRow& program) {
    if (has_tasks(program)) return {""};
    if (row.reduces()) {
        const ReductionShape shape = reduction_shape(Stage::compute, false, row.summed());
        std::vector<std::string> made{with_tile(row, "", shape, false)};
        if (test::goes_on_to_the_end(row)) made.push_back(with_tile(row, "", shape, true));
        return made;
    }
    std::vector<std::string> made = test::kernel_variants(row);
    // Rounds of many slots are for software renderers.
    std::erase_if(made, [](const std::string& d) { return d.find("LONG") != d.npos; });
    return made;
}

}  // namespace

std::vector<CudaProgram> all_cuda_programs() {
    std::vector<CudaProgram> all;
    for (const PassRow& row : pass_table()) {
        const PassRow& program = program_row(row, true);
        if (has_tasks(program) && task_of(row) != 0) continue;
        for (const std::string& d : definitions(row, program)) {
            const cuda::ProgramKind kind{.definitions = d, .group = work_group(program, {2048, 2048}, 1)};
            all.push_back({&program, kind});
            if (d == definitions(row, program).front()) {
                all.push_back({&program, kind});
                all.back().kind.double_reals = true;
            }
            if (row.kind == "product" && !row.asynchronous) {
                all.push_back({&program, kind});
                all.back().kind.group = work_group(program, {2048, 2048}, 8);
            }
            if (row.kind != "product" || !row.name.ends_with("_multiply")) continue;
            all.push_back({&program, kind});
            all.back().kind.half_inputs = ~0u;
        }
    }
    return all;
}

}  // namespace glsolve::test
