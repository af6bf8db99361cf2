/// Launches on their way to the device. They are queued until somebody wants the device to begin; a sequence of them
/// that has come before is a graph, which the device goes through without the host. Solvers need not know: an iteration
/// is the same sequence each time, a cycle of multigrid is, and what differs in the arguments is exchanged.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "cuda/arguments.hpp"
#include "cuda/context.hpp"

namespace glsolve::inline v0_1::cuda {

/// What is launched: everything that a graph keeps.
struct LaunchShape {
    CUfunction function = nullptr;
    unsigned grid_width = 1, grid_height = 1, block_width = 1, block_height = 1;
    bool operator==(const LaunchShape&) const = default;
};

/// One launch.
struct Launch {
    LaunchShape shape;
    int table = -1;  ///< its number in the queue's tables; -1: the program has none
    Arguments arguments{};
};

class LaunchQueue {
  public:
    explicit LaunchQueue(Context& context) : context_(context) {}
    ~LaunchQueue();
    LaunchQueue(const LaunchQueue&) = delete;
    LaunchQueue& operator=(const LaunchQueue&) = delete;

    /// The table of the next launch; empty where its program has none.
    void add(const LaunchShape& shape, const Arguments& arguments, const Table* table);
    /// Hands all of them over to the device.
    void submit();
    /// Functions are unloaded: no graph may hold them.
    void forget_graphs();

    std::uint64_t graphs_launched() const { return graphs_launched_; }

  private:
    struct Sequence {
        std::vector<Launch> launches;
        std::vector<Table> tables;
    };
    /// Seen once: no more than the shapes are kept. Seen again: a graph.
    struct Known {
        std::vector<LaunchShape> shapes;
        std::size_t hash = 0;
        CUgraph plan = nullptr;  ///< whose nodes name those of `graph`
        CUgraphExec graph = nullptr;
        std::vector<CUgraphNode> nodes;
        Sequence last;  ///< the arguments that the graph has now
    };

    void launch_each();
    void make_graph(Known& known);
    void exchange_arguments(Known& known);
    void destroy(Known& known);
    Known* find(std::size_t hash);

    Context& context_;
    Sequence queued_;
    std::list<Known> known_;  // the one used last comes first
    std::uint64_t graphs_launched_ = 0;
};

}  // namespace glsolve::inline v0_1::cuda
