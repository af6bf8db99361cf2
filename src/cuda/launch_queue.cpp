#include "cuda/launch_queue.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace glsolve::inline v0_1::cuda {
namespace {

constexpr std::size_t shortest_graph = 4;  // launches; fewer are as quick by themselves
constexpr std::size_t longest_graph = 1 << 12;
constexpr std::size_t most_known = 96;  // sequences

std::size_t hash_of(const std::vector<Launch>& launches) {
    std::uint64_t hash = launches.size();
    const auto mix = [&](std::uint64_t number) { hash = (hash ^ number) * 0x9e3779b97f4a7c15u + (hash >> 29); };
    for (const Launch& l : launches) {
        mix(reinterpret_cast<std::uintptr_t>(l.shape.function));
        mix(std::uint64_t{l.shape.grid_width} << 32 | l.shape.grid_height);
        mix(std::uint64_t{l.shape.block_width} << 32 | l.shape.block_height);
    }
    return static_cast<std::size_t>(hash);
}

/// The pointers that the driver wants, to a launch's arguments and table.
std::array<void*, 2> pointers_of(const Launch& launch, const std::vector<Table>& tables) {
    const void* table = launch.table >= 0 ? &tables[static_cast<std::size_t>(launch.table)] : nullptr;
    return {const_cast<Arguments*>(&launch.arguments), const_cast<void*>(table)};
}

KernelNode node_of(const LaunchShape& shape, void** arguments) {
    return {.function = shape.function,
            .grid_x = shape.grid_width,
            .grid_y = shape.grid_height,
            .grid_z = 1,
            .block_x = shape.block_width,
            .block_y = shape.block_height,
            .block_z = 1,
            .shared_bytes = 0,
            .arguments = arguments,
            .extra = nullptr};
}

bool same_bytes(const auto& a, const auto& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

LaunchQueue::~LaunchQueue() { forget_graphs(); }

void LaunchQueue::forget_graphs() {
    for (Known& known : known_) destroy(known);
    known_.clear();
}

void LaunchQueue::destroy(Known& known) {
    if (known.graph != nullptr) context_.driver().GraphExecDestroy(known.graph);
    if (known.plan != nullptr) context_.driver().GraphDestroy(known.plan);
}

void LaunchQueue::add(const LaunchShape& shape, const Arguments& arguments, const Table* table) {
    if (queued_.launches.size() == longest_graph) submit();
    queued_.launches.push_back({shape, table != nullptr ? static_cast<int>(queued_.tables.size()) : -1, arguments});
    if (table != nullptr) queued_.tables.push_back(*table);
}

void LaunchQueue::submit() {
    if (queued_.launches.empty()) return;
    struct Clear {
        Sequence& queued;
        ~Clear() {
            queued.launches.clear();
            queued.tables.clear();
        }
    } clear{queued_};
    if (queued_.launches.size() < shortest_graph) {
        launch_each();
        return;
    }
    const std::size_t hash = hash_of(queued_.launches);
    if (Known* known = find(hash)) {
        known->graph == nullptr ? make_graph(*known) : exchange_arguments(*known);
        context_.driver().check(context_.driver().GraphLaunch(known->graph, context_.stream()), "launching a graph");
        ++graphs_launched_;
        return;
    }
    launch_each();
    Known& known = known_.emplace_front();
    known.hash = hash;
    for (const Launch& l : queued_.launches) known.shapes.push_back(l.shape);
    if (known_.size() > most_known) {
        destroy(known_.back());
        known_.pop_back();
    }
}

LaunchQueue::Known* LaunchQueue::find(std::size_t hash) {
    const auto found = std::ranges::find_if(known_, [&](const Known& known) {
        return known.hash == hash
               && std::ranges::equal(known.shapes, queued_.launches, {}, {}, [](const Launch& l) { return l.shape; });
    });
    if (found == known_.end()) return nullptr;
    known_.splice(known_.begin(), known_, found);
    return &known_.front();
}

void LaunchQueue::launch_each() {
    const Driver& driver = context_.driver();
    for (const Launch& l : queued_.launches) {
        std::array<void*, 2> arguments = pointers_of(l, queued_.tables);
        driver.check(
            driver.LaunchKernel(l.shape.function, l.shape.grid_width, l.shape.grid_height, 1, l.shape.block_width,
                                l.shape.block_height, 1, 0, context_.stream(), arguments.data(), nullptr),
            "launching a pass");
    }
}

/// A chain: each launch waits for the one before.
void LaunchQueue::make_graph(Known& known) {
    const Driver& driver = context_.driver();
    if (known.plan != nullptr) driver.GraphDestroy(std::exchange(known.plan, nullptr));  // an attempt that failed
    driver.check(driver.GraphCreate(&known.plan, 0), "a graph of passes");
    known.nodes.clear();
    CUgraphNode before = nullptr;
    for (const Launch& l : queued_.launches) {
        std::array<void*, 2> arguments = pointers_of(l, queued_.tables);
        const KernelNode node = node_of(l.shape, arguments.data());
        CUgraphNode added = nullptr;
        driver.check(driver.GraphAddKernelNode(&added, known.plan, &before, before != nullptr ? 1 : 0, &node),
                     "a graph of passes");
        known.nodes.push_back(added);
        before = added;
    }
    driver.check(driver.GraphInstantiate(&known.graph, known.plan, 0), "a graph of passes");
    known.last = queued_;
}

void LaunchQueue::exchange_arguments(Known& known) {
    const Driver& driver = context_.driver();
    for (std::size_t i = 0; i < known.nodes.size(); ++i) {
        const Launch& now = queued_.launches[i];
        Launch& last = known.last.launches[i];
        const auto table = static_cast<std::size_t>(now.table);  // numbered alike: programs have tables or none
        const bool same_table = now.table < 0 || same_bytes(queued_.tables[table], known.last.tables[table]);
        if (same_table && same_bytes(now.arguments, last.arguments)) continue;
        std::array<void*, 2> arguments = pointers_of(now, queued_.tables);
        const KernelNode node = node_of(now.shape, arguments.data());
        driver.check(driver.GraphExecKernelNodeSetParams(known.graph, known.nodes[i], &node), "arguments of a graph");
        last.arguments = now.arguments;
        if (!same_table) known.last.tables[table] = queued_.tables[table];
    }
}

}  // namespace glsolve::inline v0_1::cuda
