/// A driver that remembers what it was asked for: what the backend asks of CUDA can be tested without a GPU.
#pragma once

#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "cuda/arguments.hpp"
#include "cuda/context.hpp"

namespace glsolve::test {

struct FakeDriver {
    /// What the device has done: a launch's function and its first integer, or, of no function, a filling with zeros.
    struct Done {
        cuda::CUfunction function;
        int first_integer;
        bool operator==(const Done&) const = default;
    };
    static inline std::vector<Done> done;
    static inline int launches = 0, graphs_made = 0, graph_launches = 0, exchanged = 0;
    static inline std::size_t memory = 0, page_locked = 0;    ///< bytes in use, on the device and on the host
    static inline std::size_t memory_limit = 0;               ///< bytes that the device has
    static inline cuda::CUresult fails_with = cuda::success;  ///< what launches and waiting answer from now on

    static cuda::Driver make() {
        done.clear();
        graphs().clear();
        launches = graphs_made = graph_launches = exchanged = 0;
        fails_with = cuda::success;
        memory_limit = std::size_t{1} << 40;
        cuda::Driver d;
        d.DriverGetVersion = [](int* version) {
            *version = 13000;
            return cuda::success;
        };
        d.MemAlloc = [](cuda::CUdeviceptr* made, std::size_t bytes) {
            if (memory + bytes > memory_limit) return cuda::out_of_memory;
            memory += bytes;
            *made = reinterpret_cast<cuda::CUdeviceptr>(allocate(bytes));
            return cuda::success;
        };
        d.MemFree = [](cuda::CUdeviceptr piece) {
            memory -= free(reinterpret_cast<void*>(piece));
            return cuda::success;
        };
        d.MemHostAlloc = [](void** made, std::size_t bytes, unsigned) {
            page_locked += bytes;
            *made = allocate(bytes);
            return cuda::success;
        };
        d.MemFreeHost = [](void* piece) {
            page_locked -= free(piece);
            return cuda::success;
        };
        d.MemsetD32Async = [](cuda::CUdeviceptr to, unsigned, std::size_t count, cuda::CUstream) {
            std::memset(reinterpret_cast<void*>(to), 0, 4 * count);
            done.push_back({nullptr, 0});
            return cuda::success;
        };
        d.MemcpyHtoDAsync = [](cuda::CUdeviceptr to, const void* from, std::size_t bytes, cuda::CUstream) {
            std::memcpy(reinterpret_cast<void*>(to), from, bytes);
            return cuda::success;
        };
        d.MemcpyDtoHAsync = [](void* to, cuda::CUdeviceptr from, std::size_t bytes, cuda::CUstream) {
            std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
            return fails_with;
        };
        d.MemcpyDtoDAsync = [](cuda::CUdeviceptr to, cuda::CUdeviceptr from, std::size_t bytes, cuda::CUstream) {
            std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
            return cuda::success;
        };
        d.EventCreate = [](cuda::CUevent* event, unsigned) {
            *event = reinterpret_cast<cuda::CUevent>(std::uintptr_t{1});
            return cuda::success;
        };
        d.EventDestroy = [](cuda::CUevent) { return cuda::success; };
        d.EventRecord = [](cuda::CUevent, cuda::CUstream) { return cuda::success; };
        d.EventQuery = [](cuda::CUevent) { return cuda::success; };
        d.EventSynchronize = [](cuda::CUevent) { return cuda::success; };
        d.EventElapsedTime = [](float* milliseconds, cuda::CUevent, cuda::CUevent) {
            *milliseconds = 1;
            return cuda::success;
        };
        d.ModuleLoadData = [](cuda::CUmodule* module, const void*) {
            *module = reinterpret_cast<cuda::CUmodule>(std::uintptr_t{1});
            return cuda::success;
        };
        d.ModuleUnload = [](cuda::CUmodule) { return cuda::success; };
        d.ModuleGetFunction = [](cuda::CUfunction* function, cuda::CUmodule, const char*) {
            static std::uintptr_t count = 100;
            *function = reinterpret_cast<cuda::CUfunction>(++count);
            return cuda::success;
        };
        d.GetErrorString = [](cuda::CUresult, const char** text) {
            *text = "the device is lost";
            return cuda::success;
        };
        d.DevicePrimaryCtxRetain = [](cuda::CUcontext*, cuda::CUdevice) { return cuda::success; };
        d.DevicePrimaryCtxRelease = [](cuda::CUdevice) { return cuda::success; };
        d.CtxPushCurrent = [](cuda::CUcontext) { return cuda::success; };
        d.CtxPopCurrent = [](cuda::CUcontext*) { return cuda::success; };
        d.StreamCreate = [](cuda::CUstream*, unsigned) { return cuda::success; };
        d.StreamDestroy = [](cuda::CUstream) { return cuda::success; };
        d.StreamSynchronize = [](cuda::CUstream) { return fails_with; };
        d.LaunchKernel = [](cuda::CUfunction f, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                            cuda::CUstream, void** arguments, void**) {
            ++launches;
            done.push_back({f, first_integer(arguments)});
            return fails_with;
        };
        d.GraphCreate = [](cuda::CUgraph* graph, unsigned) {
            *graph = reinterpret_cast<cuda::CUgraph>(static_cast<std::uintptr_t>(++graphs_made));
            graphs()[*graph];
            return cuda::success;
        };
        d.GraphAddKernelNode = [](cuda::CUgraphNode* node, cuda::CUgraph graph, const cuda::CUgraphNode*, std::size_t,
                                  const cuda::KernelNode* what) {
            graphs()[graph].push_back({what->function, first_integer(what->arguments)});
            *node = reinterpret_cast<cuda::CUgraphNode>(graphs()[graph].size());
            return cuda::success;
        };
        d.GraphInstantiate = [](cuda::CUgraphExec* made, cuda::CUgraph graph, unsigned long long) {
            *made = reinterpret_cast<cuda::CUgraphExec>(graph);
            return cuda::success;
        };
        d.GraphExecKernelNodeSetParams = [](cuda::CUgraphExec graph, cuda::CUgraphNode node,
                                            const cuda::KernelNode* what) {
            ++exchanged;
            auto& nodes = graphs()[reinterpret_cast<cuda::CUgraph>(graph)];
            nodes[reinterpret_cast<std::uintptr_t>(node) - 1].first_integer = first_integer(what->arguments);
            return cuda::success;
        };
        d.GraphLaunch = [](cuda::CUgraphExec graph, cuda::CUstream) {
            ++graph_launches;
            const auto& nodes = graphs()[reinterpret_cast<cuda::CUgraph>(graph)];
            done.insert(done.end(), nodes.begin(), nodes.end());
            return fails_with;
        };
        d.GraphDestroy = [](cuda::CUgraph) { return cuda::success; };
        d.GraphExecDestroy = [](cuda::CUgraphExec) { return cuda::success; };
        return d;
    }

  private:
    static std::map<void*, std::size_t>& sizes() {
        static std::map<void*, std::size_t> made;
        return made;
    }
    static void* allocate(std::size_t bytes) {
        void* made = std::malloc(bytes);
        sizes()[made] = bytes;
        return made;
    }
    /// How many bytes it had.
    static std::size_t free(void* memory) {
        const std::size_t bytes = sizes().extract(memory).mapped();
        std::free(memory);
        return bytes;
    }
    static std::map<cuda::CUgraph, std::vector<Done>>& graphs() {
        static std::map<cuda::CUgraph, std::vector<Done>> made;
        return made;
    }
    static int first_integer(void** arguments) { return static_cast<cuda::Arguments*>(arguments[0])->integers[0]; }
};

}  // namespace glsolve::test
