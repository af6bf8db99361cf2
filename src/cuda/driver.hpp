/// CUDA's driver and its compiler, loaded when they are first needed: to build glsolve takes nothing of CUDA, and one
/// binary serves all machines. What is declared here is what we use of their documented interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace glsolve::inline v0_1::cuda {

// The driver's types, by its own names.
using CUresult = int;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphNode = struct CUgraphNode_st*;
using CUgraphExec = struct CUgraphExec_st*;
using CUarray = struct CUarray_st*;
using CUgraphicsResource = struct CUgraphicsResource_st*;
using nvrtcProgram = struct nvrtcProgram_st*;

inline constexpr CUresult success = 0, out_of_memory = 2, not_ready = 600;

enum DeviceAttribute : int {
    pci_bus_id = 33,
    pci_device_id = 34,
    pci_domain_id = 50,
    compute_capability_major = 75,
    compute_capability_minor = 76
};
inline constexpr unsigned stream_non_blocking = 1, event_disable_timing = 2;

enum MemoryType : int { of_device = 2, of_array = 3 };

/// A rectangle that is copied.
struct Copy2D {
    std::size_t from_x_bytes, from_y;
    MemoryType from_type;
    const void* from_host;
    CUdeviceptr from;
    CUarray from_array;
    std::size_t from_pitch;
    std::size_t to_x_bytes, to_y;
    MemoryType to_type;
    void* to_host;
    CUdeviceptr to;
    CUarray to_array;
    std::size_t to_pitch;
    std::size_t width_bytes, height;
};

/// A kernel in a graph.
struct KernelNode {
    CUfunction function;
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    void** arguments;
    void** extra;
};

// Each with the name that the library exports it by.
#define GLSOLVE_CUDA_FUNCTIONS(each)                                                                                   \
    each(Init, "cuInit", unsigned) each(DriverGetVersion, "cuDriverGetVersion", int*) each(                            \
        GetErrorString, "cuGetErrorString", CUresult, const char**) each(DeviceGet, "cuDeviceGet", CUdevice*, int)     \
        each(DeviceGetCount, "cuDeviceGetCount", int*) each(DeviceGetName, "cuDeviceGetName", char*, int, CUdevice)    \
            each(DeviceGetAttribute, "cuDeviceGetAttribute", int*, int, CUdevice) each(                                \
                DeviceTotalMem, "cuDeviceTotalMem_v2", std::size_t*,                                                   \
                CUdevice) each(DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", CUcontext*,                         \
                               CUdevice) each(DevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2",                 \
                                              CUdevice) each(CtxPushCurrent, "cuCtxPushCurrent_v2", CUcontext)         \
                each(CtxPopCurrent, "cuCtxPopCurrent_v2", CUcontext*) each(                                            \
                    MemAlloc, "cuMemAlloc_v2", CUdeviceptr*, std::size_t) each(MemFree, "cuMemFree_v2", CUdeviceptr)   \
                    each(MemHostAlloc, "cuMemHostAlloc", void**, std::size_t, unsigned) each(                          \
                        MemFreeHost, "cuMemFreeHost",                                                                  \
                        void*) each(MemsetD32Async, "cuMemsetD32Async", CUdeviceptr, unsigned, std::size_t,            \
                                    CUstream) each(MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", CUdeviceptr, const void*,  \
                                                   std::size_t,                                                        \
                                                   CUstream)                                                           \
                        each(MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", void*, CUdeviceptr, std::size_t, CUstream) each( \
                            MemcpyDtoDAsync,                                                                           \
                            "cuMemcpyDtoDAsync_v2",                                                                    \
                            CUdeviceptr,                                                                               \
                            CUdeviceptr,                                                                               \
                            std::size_t,                                                                               \
                            CUstream) each(StreamCreate, "cuStreamCreate",                                             \
                                           CUstream*, unsigned) each(StreamDestroy, "cuStreamDestroy_v2", CUstream)    \
                            each(StreamSynchronize, "cuStreamSynchronize", CUstream) each(                             \
                                EventCreate,                                                                           \
                                "cuEventCreate",                                                                       \
                                CUevent*,                                                                              \
                                unsigned) each(EventDestroy, "cuEventDestroy_v2",                                      \
                                               CUevent) each(EventRecord, "cuEventRecord", CUevent, CUstream)          \
                                each(EventQuery, "cuEventQuery", CUevent) each(                                        \
                                    EventSynchronize,                                                                  \
                                    "cuEventSynchronize",                                                              \
                                    CUevent) each(EventElapsedTime, "cuEventElapsedTime", float*, CUevent, CUevent)    \
                                    each(ModuleLoadData, "cuModuleLoadData", CUmodule*,                                \
                                         const void*) each(ModuleUnload, "cuModuleUnload",                             \
                                                           CUmodule) each(ModuleGetFunction, "cuModuleGetFunction",    \
                                                                          CUfunction*, CUmodule, const char*)          \
                                        each(LaunchKernel, "cuLaunchKernel", CUfunction, unsigned, unsigned, unsigned, \
                                             unsigned, unsigned,                                                       \
                                             unsigned, unsigned,                                                       \
                                             CUstream, void**,                                                         \
                                             void**) each(GraphCreate, "cuGraphCreate", CUgraph*,                      \
                                                          unsigned) each(GraphDestroy, "cuGraphDestroy", CUgraph)      \
                                            each(GraphAddKernelNode, "cuGraphAddKernelNode", CUgraphNode*,             \
                                                 CUgraph, const CUgraphNode*, std::size_t, const KernelNode*)          \
                                                each(GraphInstantiate, "cuGraphInstantiateWithFlags", CUgraphExec*,    \
                                                     CUgraph, unsigned long long)                                      \
                                                    each(GraphExecKernelNodeSetParams,                                 \
                                                         "cuGraphExecKernelNodeSetParams", CUgraphExec, CUgraphNode,   \
                                                         const KernelNode*)                                            \
                                                        each(                                                          \
                                                            GraphLaunch,                                               \
                                                            "cuGraphLaunch",                                           \
                                                            CUgraphExec,                                               \
                                                            CUstream) each(GraphExecDestroy, "cuGraphExecDestroy",     \
                                                                           CUgraphExec)                                \
                                                            each(                                                      \
                                                                Memcpy2DAsync, "cuMemcpy2DAsync_v2", const Copy2D*,    \
                                                                CUstream) each(GLGetDevices, "cuGLGetDevices_v2",      \
                                                                               unsigned*, CUdevice*, unsigned, int)    \
                                                                each(                                                  \
                                                                    GraphicsGLRegisterImage,                           \
                                                                    "cuGraphicsGLRegisterImage", CUgraphicsResource*,  \
                                                                    unsigned,                                          \
                                                                    unsigned,                                          \
                                                                    unsigned) each(GraphicsUnregisterResource,         \
                                                                                   "cuGraphicsUnregisterResource",     \
                                                                                   CUgraphicsResource)                 \
                                                                    each(GraphicsMapResources,                         \
                                                                         "cuGraphicsMapResources", unsigned,           \
                                                                         CUgraphicsResource*, CUstream)                \
                                                                        each(GraphicsUnmapResources,                   \
                                                                             "cuGraphicsUnmapResources", unsigned,     \
                                                                             CUgraphicsResource*, CUstream)            \
                                                                            each(                                      \
                                                                                GraphicsSubResourceGetMappedArray,     \
                                                                                "cuGraphicsSubResourceGetMappedArray", \
                                                                                CUarray*, CUgraphicsResource,          \
                                                                                unsigned, unsigned)

#define GLSOLVE_NVRTC_FUNCTIONS(each)                                                                               \
    each(Version, "nvrtcVersion", int*, int*) each(GetNumSupportedArchs, "nvrtcGetNumSupportedArchs", int*)         \
        each(GetSupportedArchs, "nvrtcGetSupportedArchs", int*)                                                     \
            each(CreateProgram, "nvrtcCreateProgram", nvrtcProgram*, const char*, const char*, int,                 \
                 const char* const*, const char* const*) each(DestroyProgram, "nvrtcDestroyProgram", nvrtcProgram*) \
                each(CompileProgram, "nvrtcCompileProgram", nvrtcProgram, int, const char* const*)                  \
                    each(GetProgramLogSize, "nvrtcGetProgramLogSize", nvrtcProgram, std::size_t*)                   \
                        each(GetProgramLog, "nvrtcGetProgramLog", nvrtcProgram, char*)                              \
                            each(GetPTXSize, "nvrtcGetPTXSize", nvrtcProgram, std::size_t*)                         \
                                each(GetPTX, "nvrtcGetPTX", nvrtcProgram, char*)                                    \
                                    each(GetCUBINSize, "nvrtcGetCUBINSize", nvrtcProgram, std::size_t*)             \
                                        each(GetCUBIN, "nvrtcGetCUBIN", nvrtcProgram, char*)

#define GLSOLVE_DECLARE(name, symbol, ...) CUresult (*name)(__VA_ARGS__) = nullptr;

/// The driver. All functions answer 0 where they succeed.
struct Driver {
    GLSOLVE_CUDA_FUNCTIONS(GLSOLVE_DECLARE)

    /// Throws DeviceError, with what the driver says, where `result` is no success.
    void check(CUresult result, std::string_view what) const;
    /// In the driver's words.
    std::string_view words(CUresult result) const;
};

/// The compiler of CUDA C++, NVRTC.
struct Compiler {
    GLSOLVE_NVRTC_FUNCTIONS(GLSOLVE_DECLARE)

    int major = 0, minor = 0;
};
#undef GLSOLVE_DECLARE

/// Throws NoDevice, with what is missing and how to get it.
const Driver& load_driver();
const Compiler& load_compiler();

}  // namespace glsolve::inline v0_1::cuda
