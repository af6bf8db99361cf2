// The program `glsolve`.
#include <fmt/format.h>

#include <cstdio>
#include <glsolve/device.hpp>
#include <glsolve/error.hpp>
#include <new>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/open_ahead.hpp"

namespace glsolve::cli {
namespace {

struct Run {
    int operator()(const SolveArguments& a) const { return solve(a); }
    int operator()(const CompareArguments& a) const { return compare(a); }
    int operator()(const AnalyzeArguments& a) const { return analyze(a); }
    int operator()(const ConvertArguments& a) const { return convert(a); }
    int operator()(const WarmArguments& a) const { return warm(a); }
    int operator()(const InfoArguments& a) const { return info(a); }
    int operator()(const GenerateArguments& a) const { return generate(a); }
};

int fail(int code, const char* what) {
    fmt::print(stderr, "glsolve: {}\n", what);
    return code;
}

int run(int argc, char** argv) {
    if (argc == 2 && argv[1] == std::string_view(compile_for_parent_argument)) return compile_for_parent();
    const auto parsed = parse(argc, argv);
    const int* const code_of_help = std::get_if<int>(&parsed);
    const int code = code_of_help != nullptr ? *code_of_help : std::visit(Run{}, std::get<Arguments>(parsed));
    flush_standard_output();  // what is buffered may not fit where it goes
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    reserve_standard_streams();
    try {
        return run(argc, argv);
    } catch (const NoDevice& error) {
        return fail(exit_no_device, error.what());
    } catch (const DeviceError& error) {
        return fail(exit_no_device, error.what());
    } catch (const std::bad_alloc&) {
        return fail(exit_bad_input, "out of memory");
    } catch (const std::exception& error) {
        return fail(exit_bad_input, error.what());
    }
}

}  // namespace glsolve::cli

int main(int argc, char** argv) { glsolve::cli::end_process(glsolve::cli::main(argc, argv)); }
