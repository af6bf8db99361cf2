/* glsolve for C, and by it for every language that calls C.
 *
 *     glsolve_device* device = NULL;
 *     glsolve_solver* solver = NULL;
 *     glsolve_settings settings = {sizeof settings, "method=auto tolerance=1e-10"};
 *     glsolve_report report = {sizeof report};
 *     if (glsolve_device_open(NULL, &device) != GLSOLVE_OK
 *         || glsolve_solver_create(device, &A, &settings, &solver) != GLSOLVE_OK
 *         || glsolve_solve(solver, b, x, 1, &report) != GLSOLVE_OK)
 *         puts(glsolve_last_error());
 *
 * Errors. Functions that return int return GLSOLVE_OK or one of the other codes; glsolve_last_error() says in words
 * what is wrong and what would be accepted. After an error nothing has changed, and what was to be returned is not
 * written. A solve that does not converge is no error: glsolve_report says how it ended.
 *
 * Structures begin with their size, which the caller sets to sizeof. The library reads and writes that much of them, so
 * a program goes on working with a later library. What a shorter structure lacks is 0, which is always the usual value.
 *
 * Threads. A device belongs to the thread that opened it, and so do its solvers. A solver may outlive its device. One
 * call at a time: an observer must not call the solver that calls it.
 *
 * Texts are UTF-8 and end with a zero. Those that the library returns belong to it.
 */
#ifndef GLSOLVE_GLSOLVE_H
#define GLSOLVE_GLSOLVE_H

#include <stddef.h>
#include <stdint.h>

/* GLSOLVE_C_EXPORTED: a static glsolve goes into a shared library that shows these functions. */
#if defined(GLSOLVE_STATIC) && !defined(GLSOLVE_C_EXPORTED)
#define GLSOLVE_C_API
#elif defined(_WIN32)
#if defined(GLSOLVE_BUILDING)
#define GLSOLVE_C_API __declspec(dllexport)
#else
#define GLSOLVE_C_API __declspec(dllimport)
#endif
#else
#define GLSOLVE_C_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GLSOLVE_OK = 0,
    GLSOLVE_INVALID_INPUT = 1, /* the caller's data or arguments cannot be used */
    GLSOLVE_NO_DEVICE = 2,     /* the device does not exist here, or lacks something that is needed */
    GLSOLVE_DEVICE_ERROR = 3,  /* the device failed while working, or its memory ran out */
    GLSOLVE_OUT_OF_MEMORY = 4, /* of the host */
    GLSOLVE_FAILED = 5         /* anything else: a file that cannot be written, say */
};

/* Of the last call of this thread that failed; until the next one that fails. Empty: none has failed yet. */
GLSOLVE_C_API const char* glsolve_last_error(void);
/* "0.1.0" */
GLSOLVE_C_API const char* glsolve_version(void);

/* ---- options --------------------------------------------------------------------------------------------------------
 * Options are texts, "method=cg preconditioner=amg tolerance=1e-10": name=value, white space between them; a value with
 * white space in it stands in double quotes. The names are those of the program's switches without the dashes. NULL and
 * "" set none. */

typedef struct glsolve_option {
    uint32_t size;
    const char* name;
    const char* heading; /* what it belongs to */
    const char* words;   /* what it does */
    const char* usual;   /* its value where nobody sets it */
    const char* values;  /* of a choice: its values, a space between them; else empty */
    const char* takers;  /* the methods or preconditioners that take it, a space between them; empty: all */
} glsolve_option;

/* How many options there are, and one of them, counted from 0. The texts stay valid. */
GLSOLVE_C_API size_t glsolve_option_count(void);
GLSOLVE_C_API int glsolve_option_at(size_t number, glsolve_option* option);
/* Is this a text of options? */
GLSOLVE_C_API int glsolve_check_options(const char* options);

/* ---- devices --------------------------------------------------------------------------------------------------------
 */

typedef struct glsolve_device glsolve_device;

/* Options: backend (auto, opengl, cuda, host), stage (auto, fragment, compute), device (its number, PCI address, or
 * part of its name), threads, current (true: the thread's current OpenGL context, which stays the caller's), state
 * (restore, host-resets), platform, program-cache (a folder, or "default"), debug. */
GLSOLVE_C_API int glsolve_device_open(const char* options, glsolve_device** device);
/* NULL does nothing. */
GLSOLVE_C_API void glsolve_device_close(glsolve_device* device);
/* Gives spare memory back to the driver. */
GLSOLVE_C_API int glsolve_device_trim(glsolve_device* device);

typedef struct glsolve_device_info {
    uint32_t size;
    int32_t software; /* 1: a renderer on the processor */
    int32_t number;   /* of its backend; -1: not known */
    int32_t max_texture_size;
    int64_t memory_bytes; /* of the GPU; 0: not known */
    const char* backend;
    const char* stage;
    const char* renderer;
    const char* vendor;
    const char* version;
    const char* pci_address;
    const char* choice;  /* what was chosen for "auto", and why */
    const char* missing; /* of glsolve_list_devices: why it cannot be opened; empty: it can */
} glsolve_device_info;

/* The texts stay valid until the device is closed. */
GLSOLVE_C_API int glsolve_device_describe(const glsolve_device* device, glsolve_device_info* info);
/* All devices of this machine: `count` says how many; the first `room` are written. The texts stay valid until the next
 * such call of this thread. */
GLSOLVE_C_API int glsolve_list_devices(glsolve_device_info* infos, size_t room, size_t* count);

/* ---- matrices -------------------------------------------------------------------------------------------------------
 */

/* A matrix in compressed sparse rows: row i has the entries offsets[i] ... offsets[i + 1] - 1. Columns are counted from
 * 0 and ascend in each row. Bits: 32 or 64 of whole numbers, 32 or 64 of values. */
typedef struct glsolve_csr {
    uint32_t size;
    int32_t offset_bits, column_bits, value_bits;
    int64_t rows, columns;
    const void* offsets;
    const void* column;
    const void* value;
} glsolve_csr;

/* A matrix of the library's own. */
typedef struct glsolve_matrix glsolve_matrix;

/* Matrix Market (.mtx, .mtx.gz) or scipy.sparse.save_npz (.npz). */
GLSOLVE_C_API int glsolve_matrix_read(const char* file, glsolve_matrix** matrix);
/* The ending says which of the two. */
GLSOLVE_C_API int glsolve_matrix_write(const char* file, const glsolve_csr* matrix);
/* Entries in any order; those in the same place are added. */
GLSOLVE_C_API int glsolve_matrix_from_entries(int64_t rows, int64_t columns, int64_t count, const int32_t* row,
                                              const int32_t* column, const double* value, glsolve_matrix** matrix);
/* A test matrix: "poisson2d" with N, "poisson3d" with N, "anisotropic" with N and epsilon, "jumping-coefficients" with
 * N and contrast, "convection-diffusion" and "convection-diffusion3d" with N and the cell Peclet number, "stokes2d"
 * with N, "darcy2d" with N and contrast, "helmholtz2d" with N and points per wavelength, "circuit" with nodes,
 * "thermal-shell" with three numbers of elements, "elasticity" with three numbers of bricks, "graph-laplacian" with
 * rows and degree, "random-spd" with rows and nonzeros. */
GLSOLVE_C_API int glsolve_matrix_generate(const char* kind, const double* numbers, size_t count,
                                          glsolve_matrix** matrix);
/* Its arrays, which stay valid until it is freed. */
GLSOLVE_C_API int glsolve_matrix_view(const glsolve_matrix* matrix, glsolve_csr* view);
GLSOLVE_C_API void glsolve_matrix_free(glsolve_matrix* matrix);

/* ---- solvers --------------------------------------------------------------------------------------------------------
 */

typedef struct glsolve_solver glsolve_solver;

typedef struct glsolve_progress {
    uint32_t size;
    int64_t iteration, corrections;
    double relative_residual; /* as the method knows it */
} glsolve_progress;

/* 0 ends the solve as "cancelled"; anything else goes on. */
typedef int (*glsolve_observer)(const glsolve_progress* progress, void* context);

typedef struct glsolve_settings {
    uint32_t size;
    const char* options;
    /* Vectors that the matrix maps nearly to zero, for multigrid: one number for each row, vector after vector. Copied.
     */
    const double* near_null_space;
    int64_t near_null_vectors;
    glsolve_observer observer;
    void* context;  /* of the observer */
    int32_t copies; /* 1: the arrays of the matrix are copied, and need not stay */
} glsolve_settings;

/* Prepares a matrix on a device. Unless settings say `copies`, its arrays have to stay as they are until the solver is
 * freed: 32-bit columns and double values are read in place, other types are converted once. `settings` may be NULL. */
GLSOLVE_C_API int glsolve_solver_create(glsolve_device* device, const glsolve_csr* matrix,
                                        const glsolve_settings* settings, glsolve_solver** solver);
GLSOLVE_C_API void glsolve_solver_free(glsolve_solver* solver);

typedef struct glsolve_history_entry {
    int64_t iteration;
    double relative_residual;
    int64_t corrected; /* 1: the true residual in double precision */
} glsolve_history_entry;

typedef struct glsolve_report {
    uint32_t size;
    int32_t converged;   /* 1: the answer meets the tolerance */
    const char* outcome; /* "converged", "met_on_device", "max_iterations", "time_limit", "stagnated", "diverged",
                            "breakdown", "not_finite", "precision_limit", "inconsistent", "cancelled" */
    const char* reason;  /* why the solve ended, in words */
    const char* remarks;
    const char* residuals; /* where corrections were computed, in words */
    int64_t iterations, corrections, corrections_on_device;
    double relative_residual, normal_residual;
    double setup_seconds, solve_seconds, device_seconds, compile_seconds;
    uint64_t passes, reads;
    int64_t device_bytes, matrix_bytes, vector_bytes;
    const glsolve_history_entry* history;
    size_t history_size;
} glsolve_report;

/* Solves A X = B for `count` right-hand sides, one after the other in b; x holds the guesses and receives the
 * solutions. `reports`: as many, each with its size set; or NULL. Their texts and histories stay valid until the next
 * call of this solver that reports. */
GLSOLVE_C_API int glsolve_solve(glsolve_solver* solver, const double* b, double* x, int32_t count,
                                glsolve_report* reports);
/* Goes on where the last solve of this b and x has ended. */
GLSOLVE_C_API int glsolve_resume(glsolve_solver* solver, const double* b, double* x, glsolve_report* report);
/* x = M^-1 b with the solver's preconditioner. */
GLSOLVE_C_API int glsolve_precondition(glsolve_solver* solver, const double* b, double* x);
/* Other values in the same places, `count` of them; they are copied. */
GLSOLVE_C_API int glsolve_update_values(glsolve_solver* solver, const double* values, int64_t count);

typedef struct glsolve_solver_info {
    uint32_t size;
    int32_t levels; /* of multigrid; 0: there is none */
    int64_t rows, columns, nonzeros;
    const char* method;
    const char* method_reason; /* where "auto" has chosen */
    const char* preconditioner;
    const char* preconditioner_remark;
    const char* format;
    const char* format_reason;
} glsolve_solver_info;

/* The texts stay valid until the next such call of this solver. */
GLSOLVE_C_API int glsolve_solver_describe(glsolve_solver* solver, glsolve_solver_info* info);

typedef struct glsolve_spectrum {
    uint32_t size;
    int32_t steps;
    double smallest, largest, gershgorin;
    int32_t definite; /* 1: in this run the matrix appeared positive definite */
    int32_t scaled;   /* 1: of the scaled matrix, since single precision cannot hold this one */
} glsolve_spectrum;

/* Where the eigenvalues of M^-1 A lie, for a symmetric A. steps 0: 32. */
GLSOLVE_C_API int glsolve_estimate_spectrum(glsolve_solver* solver, int32_t steps, glsolve_spectrum* spectrum);

/* ---- grids ----------------------------------------------------------------------------------------------------------
 *  -div (k grad x) + shift x = b  on a grid, without a matrix (glsolve/grid.hpp). The solver of a grid is solved with,
 * applied to textures and freed as one of a matrix; x varies fastest in b and x, then y, then z. glsolve_resume,
 * glsolve_update_values and glsolve_estimate_spectrum are for matrices only. */

enum { GLSOLVE_CLOSED_WALL = 0, GLSOLVE_DIRICHLET_WALL = 1 };
enum { GLSOLVE_UNKNOWN_CELL = 0, GLSOLVE_SOLID_CELL = 1, GLSOLVE_OPEN_CELL = 2 };

typedef struct glsolve_grid {
    uint32_t size;
    int32_t width, height, depth; /* unknowns along x, y, z; depth 0 means 1: a grid of two dimensions */
    int32_t at_vertices;          /* 1: unknowns are at vertices; 0: in the middles of cells */
    int32_t walls[6];             /* at the low and the high end of x, of y, of z */
    double spacing[3];            /* of neighbours along x, y, z; 0 means 1 */
    double shift;
} glsolve_grid;

/* Without options it is conjugate gradients with multigrid. */
GLSOLVE_C_API int glsolve_grid_solver_create(glsolve_device* device, const glsolve_grid* grid,
                                             const glsolve_settings* settings, glsolve_solver** solver);
/* The kinds of all cells, and their coefficients k; either may be NULL: all hold unknowns, k is 1. */
GLSOLVE_C_API int glsolve_set_cells(glsolve_solver* solver, const uint8_t* kinds, const float* coefficients);
/* The matrix that is solved. */
GLSOLVE_C_API int glsolve_grid_matrix(glsolve_solver* solver, glsolve_matrix** matrix);

/* ---- textures of the caller's OpenGL context ------------------------------------------------------------------------
 * For devices that were opened with current=true. The context has to be current during each call. */

typedef struct glsolve_texture {
    uint32_t size;
    uint32_t texture;         /* its OpenGL name */
    int32_t x, y;             /* the first texel of a rectangle */
    int32_t width, height;    /* in texels; 0: up to the end */
    int32_t four;             /* 1: a texel holds four unknowns; 0: one, in `component` */
    int32_t component;        /* 0: red ... 3: alpha */
    int32_t right_hand_sides; /* in this component and those behind it; 0 means 1 */
    int32_t layered, layer;   /* 1: of an array or a 3D texture, this layer */
} glsolve_texture;

typedef struct glsolve_budget {
    uint32_t size;
    int32_t zero_guess;  /* 1: what x holds is not looked at */
    int64_t iterations;  /* at most; 0: as many as the time allows, or 32 */
    double milliseconds; /* of the device; 0: no limit */
    int32_t silent;      /* 1: nothing is copied for glsolve_poll */
    int32_t history;     /* 1: with the residuals of the iterations */
} glsolve_budget;

/* Encodes a solve and returns; never waits. `budget` may be NULL. */
GLSOLVE_C_API int glsolve_enqueue(glsolve_solver* solver, const glsolve_texture* b, const glsolve_texture* x,
                                  const glsolve_budget* budget);
/* The oldest outcome that was not returned yet. `arrived` is 0 if there is none so far; never waits. */
GLSOLVE_C_API int glsolve_poll(glsolve_solver* solver, int32_t* arrived, glsolve_report* report);
/* Solves, and waits. `report` may be NULL. */
GLSOLVE_C_API int glsolve_solve_textures(glsolve_solver* solver, const glsolve_texture* b, const glsolve_texture* x,
                                         glsolve_report* report);
/* x = M^-1 b; never waits. */
GLSOLVE_C_API int glsolve_precondition_textures(glsolve_solver* solver, const glsolve_texture* b,
                                                const glsolve_texture* x);
/* The kinds of the cells of a grid: positive unknown, 0 solid, negative open. */
GLSOLVE_C_API int glsolve_set_cells_from(glsolve_solver* solver, const glsolve_texture* cells);
/* Compiles and allocates what `enqueue` needs for such textures. */
GLSOLVE_C_API int glsolve_warm_up(glsolve_solver* solver, const glsolve_texture* b, const glsolve_texture* x);

#ifdef __cplusplus
}
#endif
#endif
