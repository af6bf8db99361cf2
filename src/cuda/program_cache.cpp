#include "cuda/program_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <utility>

#include "kernels/geometry.hpp"
#include "kernels/shared_programs.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

/// All that the code of a program depends on, with its text at the end.
std::string key_of(const Compiler& compiler, int architecture, const std::string& text) {
    return fmt::format("{} sm_{}\n{}", identity_of(compiler), architecture, text);
}

}  // namespace

ProgramCache::ProgramCache(Context& context, std::shared_ptr<Compilers> compilers, bool double_reals,
                           std::string_view folder, const std::function<void(const std::string&)>& warn,
                           HostClock& compiling)
    : context_(context),
      compilers_(std::move(compilers)),
      double_reals_(double_reals),
      compiling_(compiling),
      disk_(folder, warn, "compiled programs", "cuda") {}

ProgramCache::~ProgramCache() {
    const CurrentIfPossible current(context_);
    for (auto& [key, entry] : entries_) {
        if (entry.underway.valid()) entry.underway.wait();
        if (entry.program.module != nullptr) context_.driver().ModuleUnload(entry.program.module);
    }
}

ProgramCache::Made ProgramCache::make(const ProgramText& text) {
    Made made;
    made.key = key_of(compilers_->compiler(), context_.architecture(), text.text);
    made.has_table = text.has_table;
    made.compiled.code = disk_.find(made.key);
    made.from_disk = !made.compiled.code.empty();
    if (!made.from_disk) made.compiled = compilers_->compile(text.text, context_.architecture());
    return made;
}

ProgramText ProgramCache::text_of(const PassCall& call, const PassRow& row, const ShaderVariant& variant,
                                  const WorkGroup& group, std::uint32_t half_inputs) const {
    const ReductionShape shape = reduction_shape(Stage::compute, false, row.summed());
    return program_text(row, {.definitions = with_tile(row, variant.definitions, shape, call.at_once),
                              .source = variant.source,
                              .group = group,
                              .half_inputs = half_inputs,
                              .double_reals = double_reals_});
}

ProgramCache::Entry& ProgramCache::entry(const PassCall& call, const PassRow& of_call, const ShaderVariant& variant,
                                         Extent domain, std::uint32_t half_inputs) {
    const PassRow& row = program_row(of_call, true);
    const WorkGroup group = work_group(row, domain, call.team);
    const auto key = std::make_tuple(row.id, call.variant.value, half_inputs, group, call.at_once);
    const auto found = entries_.find(key);
    if (found != entries_.end()) return found->second;
    ProgramText text = text_of(call, row, variant, group, half_inputs);
    std::future<Made> underway = std::async(std::launch::async, [this, text = std::move(text)] { return make(text); });
    Entry& made = entries_[key];
    made.underway = std::move(underway);
    return made;
}

void ProgramCache::begin(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Extent domain,
                         std::uint32_t half_inputs) {
    entry(call, row, variant, domain, half_inputs);
}

const Program& ProgramCache::get(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Extent domain,
                                 std::uint32_t half_inputs) {
    Entry& wanted = entry(call, row, variant, domain, half_inputs);
    if (!wanted.underway.valid()) return wanted.program;
    const HostClock::Running timed(compiling_);
    const PassRow& of_program = program_row(row, true);
    try {
        Made made = wanted.underway.get();
        if (made.compiled.code.empty() && of_program.user_glsl) {
            const WorkGroup group = work_group(of_program, domain, call.team);
            check_callers_source(made.compiled.log,
                                 text_of(call, of_program, {variant.definitions, ""}, group, half_inputs));
        }
        wanted.program = load(std::move(made), of_program);
    } catch (...) {
        std::erase_if(entries_, [&](const auto& each) { return &each.second == &wanted; });
        throw;
    }
    return wanted.program;
}

void ProgramCache::check_callers_source(const std::string& log, const ProgramText& with_another) {
    const std::string words = about_callers_source(log);
    // Where no message has a line of the caller's text, another text in its place tells whose mistake it is.
    if (words.empty() && make(with_another).compiled.code.empty()) return;
    throw InvalidInput("operator: CUDA's compiler does not compile the source:"
                       + (words.empty() ? fmt::format("\n  {}\n  (no line of the source; is a brace or a comment not "
                                                      "closed, or a function not defined?)",
                                                      log.substr(0, log.find('\n')))
                                        : words));
}

Program ProgramCache::load(Made made, const PassRow& row) {
    if (made.compiled.code.empty()) {
        throw DeviceError(fmt::format("CUDA: pass {}: the compiler (NVRTC {}.{}) does not compile its program:\n{}",
                                      row.name, compilers_->compiler().major, compilers_->compiler().minor,
                                      made.compiled.log));
    }
    ++(made.from_disk ? counts_.from_disk : counts_.compiled);
    const Driver& driver = context_.driver();
    Program program{.has_table = made.has_table};
    const std::string what = fmt::format("loading the program of pass {}", row.name);
    driver.check(driver.ModuleLoadData(&program.module, made.compiled.code.c_str()), what);
    if (const CUresult result = driver.ModuleGetFunction(&program.function, program.module, "pass");
        result != success) {
        driver.ModuleUnload(program.module);
        driver.check(result, what);
    }
    if (!made.from_disk) disk_.keep(made.key, made.compiled.code);
    return program;
}

}  // namespace glsolve::inline v0_1::cuda
