#include "cuda/pass_runner.hpp"

#include <algorithm>
#include <span>

#include "device/verbs.hpp"
#include "kernels/shader_source.hpp"
#include "kernels/shared_programs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

static_assert(std::size(Arguments{}.inputs) == max_inputs && std::size(Arguments{}.outputs) == max_outputs
              && std::size(Arguments{}.integers) == max_integers && std::size(Arguments{}.constants) == max_constants
              && std::size(Arguments{}.factors) == max_scalars);

bool reads(const PassCall& call, const PassRow& row, StorageId storage) {
    const auto inputs = std::span(call.input).first(row.inputs.size());
    return std::find(inputs.begin(), inputs.end(), storage) != inputs.end();
}

/// Does it write beside what it reads? A pass that reads a texel only where it writes it need not: whoever writes it
/// has read it, and nobody else does.
bool writes_beside(const PassCall& call, const PassRow& row, StorageId output) {
    return !row.elementwise && !row.asynchronous && !row.ordered && reads(call, row, output);
}

/// How many steps an asynchronous pass makes.
int steps_of(const PassCall& call, const PassRow& row) { return call.integer[row.integers.size() - 1]; }

constexpr std::int64_t count_bytes = 16;

CUdeviceptr address(const Texels& texels) { return reinterpret_cast<CUdeviceptr>(texels.data); }

}  // namespace

PassRunner::~PassRunner() {
    memory_.give_back(address(left_), left_bytes_);
    memory_.give_back(reinterpret_cast<CUdeviceptr>(finished_), count_bytes);
}

PassRunner::PassRunner(Context& context, LaunchQueue& queue, NamedTexels& storages, ProgramCache& programs,
                       Memory& memory, bool double_reals)
    : context_(context),
      queue_(queue),
      storages_(storages),
      programs_(programs),
      memory_(memory),
      left_bytes_(std::int64_t{2} * left_width * left_width * (double_reals ? 32 : 16)),
      left_{reinterpret_cast<void*>(memory.make(left_bytes_, "left by groups")), 2 * left_width, left_width},
      finished_(reinterpret_cast<unsigned*>(memory.make(count_bytes, "finished groups"))) {}

void PassRunner::run(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Extent domain) {
    if (textures_ != nullptr && touches_textures(call, row)) {
        if (!begins_only_) run_with_textures(call, row, domain);
        return;
    }
    const std::uint32_t halves = half_inputs(call, row);
    if (begins_only_) {
        programs_.begin(call, row, variant, domain, halves);
        return;
    }
    const Program& program = programs_.get(call, row, variant, domain, halves);
    if (row.asynchronous && !past_.contains(call.output[0].value)) make_past(call.output[0]);
    const Arguments given = arguments(call, row, domain);
    if (!rehearses_) {
        Table table{};
        if (program.has_table)
            std::copy_n(call.table.begin(), std::min(call.table.size(), std::size(table.numbers)), table.numbers);
        queue_.add(shape(call, row, program, domain), given, program.has_table ? &table : nullptr);
    }
    exchange(call, row);
}

bool PassRunner::touches_textures(const PassCall& call, const PassRow& row) const {
    return (row.writes_outside && textures_->has(call.output[0]))
           || (!row.inputs.empty() && row.inputs[0].outside && textures_->has(call.input[0]));
}

/// OpenGL reads and writes the caller's textures; what has been queued here comes before that. The factor of what is
/// read is formed here, where its texels are:  y <- texels,  y <- a y.
void PassRunner::run_with_textures(const PassCall& call, const PassRow& row, Extent domain) {
    queue_.submit();
    if (row.writes_outside) {
        textures_->put(call, rehearses_);
        return;
    }
    textures_->take(call, row, rehearses_);
    const StorageId y = call.output[0];
    const PassCall scaled = pass::axpby{.y = y, .z = y, .x = y, .a = call.scalar[0], .b = scalar_arg(0)};
    run(scaled, glsolve::row(scaled.pass), {}, domain);
}

std::uint32_t PassRunner::half_inputs(const PassCall& call, const PassRow& row) const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        if (storages_.element(call.input[i]) == Element::half) bits |= 1u << i;
    }
    return bits;
}

Arguments PassRunner::arguments(const PassCall& call, const PassRow& row, Extent domain) {
    Arguments a{};
    a.where[0] = domain.width;
    a.where[1] = domain.height;
    if (row.domain == Domain::window) std::copy_n(call.integer.begin(), 2, a.where + 2);
    if (has_tasks(program_row(row, true))) {
        a.integers[0] = task_of(row);
        a.integers[1] = static_cast<int>(row.outputs.size());
        std::copy_n(call.integer.begin(), row.integers.size(), a.integers + first_integer_of_task);
    } else {
        std::copy_n(call.integer.begin(), row.integers.size(), a.integers);
    }
    std::copy_n(call.constant.begin(), row.constants.size(), a.constants);
    const auto texel = [&](StorageId storage) -> const void* {
        return storage ? storages_.front(storage).data : nullptr;
    };
    for (std::size_t i = 0; i < row.scalars.size(); ++i) {
        a.factors[i] = call.scalar[i].factor;
        a.numerators[i] = texel(call.scalar[i].n);
        a.denominators[i] = texel(call.scalar[i].d);
    }
    a.guard = texel(call.status);
    for (std::size_t i = 0; i < row.inputs.size(); ++i) a.inputs[i] = storages_.front(call.input[i]);
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        const StorageId output = call.output[i];
        a.outputs[i] = writes_beside(call, row, output) ? storages_.back(output) : storages_.front(output);
    }
    if (row.asynchronous) a.other = storages_.back(call.output[0]);
    if (call.at_once) {
        a.left = left_;
        a.finished = finished_;
    }
    return a;
}

LaunchShape PassRunner::shape(const PassCall& call, const PassRow& row, const Program& program, Extent domain) const {
    const PassRow& of_program = program_row(row, true);
    const WorkGroup group = work_group(of_program, domain, call.team);
    Extent groups = domain;  // a text of its own makes a texel with each work group
    if (row.ordered) {
        groups = {1, 1};
    } else if (row.asynchronous) {
        groups = {asynchronous_tiles(domain, false).groups, 1};
    } else if (call.at_once) {
        groups = reduced({call.integer[0], call.integer[1]}, reduction_shape(Stage::compute, false, row.summed()).tile);
    } else if (!has_compute_text(of_program)) {
        groups = reduced(domain, group.texels());
    }
    return {.function = program.function,
            .grid_width = static_cast<unsigned>(groups.width),
            .grid_height = static_cast<unsigned>(groups.height),
            .block_width = static_cast<unsigned>(group.invocations.width),
            .block_height = static_cast<unsigned>(group.invocations.height)};
}

/// What asynchronous passes read beside a vector must be a state of it: the one that it has.
void PassRunner::make_past(StorageId storage) {
    const Texels front = storages_.front(storage), back = storages_.back(storage);
    queue_.submit();
    context_.driver().check(
        context_.driver().MemcpyDtoDAsync(address(back), address(front),
                                          static_cast<std::size_t>(storages_.bytes(storage)), context_.stream()),
        "copying a vector");
}

void PassRunner::exchange(const PassCall& call, const PassRow& row) {
    if (row.asynchronous) {
        if (steps_of(call, row) % 2 == 1) storages_.exchange(call.output[0]);
        past_.insert(call.output[0].value);
        return;
    }
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        const StorageId output = call.output[i];
        if (writes_beside(call, row, output)) {
            storages_.exchange(output);
            past_.insert(output.value);
        } else {
            past_.erase(output.value);
        }
    }
}

}  // namespace glsolve::inline v0_1::cuda
