/* The C interface from C: what it solves, what it refuses, and that its structures keep their layout. Prints what does
   not hold, and ends with the number of these. */
#include <glsolve/glsolve.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;
#define CHECK(holds) ((holds) ? (void)0 : (void)(++failures, printf("%s:%d: %s\n", __FILE__, __LINE__, #holds)))
#define WORKS(call)                 \
    ((call) == GLSOLVE_OK ? (void)0 \
                          : (void)(++failures, printf("%s:%d: %s\n", __FILE__, __LINE__, glsolve_last_error())))
#define REFUSES(call, code, words)                                   \
    ((call) == (code) && strstr(glsolve_last_error(), words) != NULL \
         ? (void)0                                                   \
         : (void)(++failures, printf("%s:%d: %s: \"%s\"\n", __FILE__, __LINE__, #call, glsolve_last_error())))

enum { n = 400 };
static double b[3 * n], x[3 * n], y[n];

/* |b - A x| / |b| */
static double residual(const glsolve_csr* A, const double* right, const double* left) {
    const int64_t* offsets = A->offsets;
    const int32_t* column = A->column;
    const double* value = A->value;
    double r = 0, size = 0;
    for (int64_t i = 0; i < A->rows; ++i) {
        double sum = right[i];
        for (int64_t k = offsets[i]; k < offsets[i + 1]; ++k) sum -= value[k] * left[column[k]];
        r += sum * sum;
        size += right[i] * right[i];
    }
    return sqrt(r / size);
}

static void random_numbers(double* numbers, int count) {
    static uint32_t state = 7;
    for (int i = 0; i < count; ++i) {
        state = 1664525u * state + 1013904223u;
        numbers[i] = (double)(state >> 8) / (1 << 24) - 0.5;
    }
}

static int seen = 0;
static int at_most_three(const glsolve_progress* progress, void* context) {
    CHECK(progress->size == sizeof *progress);
    CHECK(context == &seen);
    return ++seen < 3;
}

/* What programs were compiled with has to stay. */
static void check_layout(void) {
    CHECK(offsetof(glsolve_csr, rows) == 16 && sizeof(glsolve_csr) == 56);
    CHECK(offsetof(glsolve_settings, observer) == 32 && sizeof(glsolve_settings) == 56);
    CHECK(offsetof(glsolve_report, iterations) == 40 && offsetof(glsolve_report, history) == 152);
    CHECK(sizeof(glsolve_report) == 168 && sizeof(glsolve_history_entry) == 24);
    CHECK(sizeof(glsolve_progress) == 32 && sizeof(glsolve_option) == 56 && sizeof(glsolve_spectrum) == 40);
    CHECK(sizeof(glsolve_device_info) == 88 && sizeof(glsolve_solver_info) == 80);
    CHECK(offsetof(glsolve_grid, spacing) == 48 && sizeof(glsolve_grid) == 80);
    CHECK(sizeof(glsolve_texture) == 44 && sizeof(glsolve_budget) == 32);
}

static void check_solves(glsolve_device* device) {
    const double size = 20;
    glsolve_matrix* matrix = NULL;
    glsolve_csr A = {sizeof A};
    glsolve_solver* solver = NULL;
    WORKS(glsolve_matrix_generate("poisson2d", &size, 1, &matrix));
    WORKS(glsolve_matrix_view(matrix, &A));
    CHECK(A.rows == n && A.offset_bits == 64 && A.column_bits == 32 && A.value_bits == 64);
    glsolve_settings settings = {sizeof settings, "method=cg preconditioner=amg tolerance=1e-10"};
    WORKS(glsolve_solver_create(device, &A, &settings, &solver));
    random_numbers(b, 3 * n);
    glsolve_report reports[3];
    for (int k = 0; k < 3; ++k) reports[k].size = sizeof(glsolve_report);
    WORKS(glsolve_solve(solver, b, x, 3, reports));
    for (int k = 0; k < 3; ++k) {
        CHECK(reports[k].converged == 1 && strcmp(reports[k].outcome, "converged") == 0);
        CHECK(residual(&A, b + k * n, x + k * n) <= 1.1e-10);
        CHECK(reports[k].history_size > 0 && reports[k].reason[0] != 0);
    }
    glsolve_solver_info info = {sizeof info};
    WORKS(glsolve_solver_describe(solver, &info));
    CHECK(info.rows == n && info.nonzeros == 1920 && strcmp(info.method, "cg") == 0 && info.levels > 0);

    /* M^-1 b is near A^-1 b. */
    WORKS(glsolve_precondition(solver, b, y));
    double error = 0, all = 0;
    for (int i = 0; i < n; ++i) error += pow(y[i] - x[i], 2), all += pow(x[i], 2);
    CHECK(error > 0 && error < 0.5 * all);

    glsolve_spectrum spectrum = {sizeof spectrum};
    WORKS(glsolve_estimate_spectrum(solver, 0, &spectrum));
    CHECK(spectrum.smallest > 0.1 && spectrum.largest < 2 && spectrum.definite == 1);

    double* values = malloc(1920 * sizeof *values);
    for (int k = 0; k < 1920; ++k) values[k] = 2 * ((const double*)A.value)[k];
    WORKS(glsolve_update_values(solver, values, 1920));
    REFUSES(glsolve_update_values(solver, values, 1919), GLSOLVE_INVALID_INPUT, "1919 values");
    memset(y, 0, sizeof y);
    WORKS(glsolve_solve(solver, b, y, 1, NULL));
    for (int i = 0; i < n; ++i) CHECK(fabs(2 * y[i] - x[i]) <= 1e-7);
    glsolve_solver_free(solver);

    /* Other types of numbers, copied: the arrays may go. */
    int32_t offsets[n + 1];
    int64_t* column = malloc(1920 * sizeof *column);
    float* floats = malloc(1920 * sizeof *floats);
    for (int i = 0; i <= n; ++i) offsets[i] = (int32_t)((const int64_t*)A.offsets)[i];
    for (int k = 0; k < 1920; ++k) column[k] = ((const int32_t*)A.column)[k], floats[k] = (float)values[k] / 2;
    glsolve_csr other = {sizeof other, 32, 64, 32, n, n, offsets, column, floats};
    settings.observer = at_most_three;
    settings.context = &seen;
    settings.options = "method=cg preconditioner=none";
    settings.copies = 1;
    WORKS(glsolve_solver_create(device, &other, &settings, &solver));
    memset(offsets, 255, sizeof offsets);
    free(column);
    free(floats);
    free(values);
    memset(y, 0, sizeof y);
    WORKS(glsolve_solve(solver, b, y, 1, reports));
    CHECK(seen == 3 && reports[0].converged == 0 && strcmp(reports[0].outcome, "cancelled") == 0);
    glsolve_solver_free(solver);

    /* An older program, whose report ends behind `outcome`: what stands behind it is not touched. */
    memset(&reports[0], 170, sizeof reports[0]);
    reports[0].size = offsetof(glsolve_report, reason);
    settings.observer = NULL;
    settings.options = "method=auto tolerance=1e-9";
    WORKS(glsolve_solver_create(device, &A, &settings, &solver));
    memset(y, 0, sizeof y);
    WORKS(glsolve_solve(solver, b, y, 1, reports));
    CHECK(reports[0].converged == 1 && reports[0].size == offsetof(glsolve_report, reason));
    CHECK(((const unsigned char*)&reports[0])[offsetof(glsolve_report, reason)] == 170);
    CHECK(residual(&A, b, y) <= 1.1e-9);
    REFUSES(glsolve_enqueue(solver, NULL, NULL, NULL), GLSOLVE_INVALID_INPUT, "b is NULL");
    glsolve_texture texture = {sizeof texture, 1};
    REFUSES(glsolve_enqueue(solver, &texture, &texture, NULL), GLSOLVE_INVALID_INPUT, "textures");
    glsolve_solver_free(solver);
    glsolve_matrix_free(matrix);
}

static void check_grids(glsolve_device* device) {
    enum { width = 25, height = 16 };
    glsolve_grid grid = {sizeof grid, width, height};
    glsolve_solver* solver = NULL;
    glsolve_matrix* matrix = NULL;
    glsolve_csr A = {sizeof A};
    uint8_t kinds[width * height] = {0};
    float coefficients[width * height];
    grid.walls[0] = GLSOLVE_DIRICHLET_WALL;
    grid.spacing[0] = grid.spacing[1] = 0.1;
    WORKS(glsolve_grid_solver_create(device, &grid, NULL, &solver));
    for (int i = 0; i < width * height; ++i) coefficients[i] = (float)(1 + i % 7);
    kinds[180] = kinds[181] = GLSOLVE_SOLID_CELL;
    kinds[399] = GLSOLVE_OPEN_CELL;
    WORKS(glsolve_set_cells(solver, kinds, coefficients));
    random_numbers(b, 2 * n);
    for (int k = 0; k < 2; ++k) b[n * k + 180] = b[n * k + 181] = b[n * k + 399] = 0;
    glsolve_report reports[2] = {{sizeof reports[0]}, {sizeof reports[0]}};
    memset(x, 0, sizeof x);
    WORKS(glsolve_solve(solver, b, x, 2, reports));
    WORKS(glsolve_grid_matrix(solver, &matrix));
    WORKS(glsolve_matrix_view(matrix, &A));
    for (int k = 0; k < 2; ++k) CHECK(reports[k].converged == 1 && residual(&A, b + n * k, x + n * k) <= 1.1e-8);
    WORKS(glsolve_precondition(solver, b, y));
    CHECK(residual(&A, b, y) < 1);
    glsolve_solver_info info = {sizeof info};
    WORKS(glsolve_solver_describe(solver, &info));
    CHECK(info.rows == n && info.levels > 1 && strcmp(info.preconditioner, "multigrid") == 0);
    REFUSES(glsolve_update_values(solver, x, 3), GLSOLVE_INVALID_INPUT, "one of a grid");
    kinds[7] = 9;
    REFUSES(glsolve_set_cells(solver, kinds, NULL), GLSOLVE_INVALID_INPUT, "kinds[7] is 9");
    glsolve_solver_free(solver);
    solver = NULL;
    grid.walls[3] = 5;
    REFUSES(glsolve_grid_solver_create(device, &grid, NULL, &solver), GLSOLVE_INVALID_INPUT, "walls[3] is 5");
    grid.walls[3] = 0;
    grid.width = -4;
    REFUSES(glsolve_grid_solver_create(device, &grid, NULL, &solver), GLSOLVE_INVALID_INPUT, "");
    WORKS(glsolve_solver_create(device, &A, NULL, &solver));
    REFUSES(glsolve_set_cells(solver, NULL, NULL), GLSOLVE_INVALID_INPUT, "one of a matrix");
    glsolve_solver_free(solver);
    glsolve_matrix_free(matrix);
}

static void check_refusals(glsolve_device* device) {
    const int32_t row[] = {0, 1, 1, 5}, places[] = {0, 1, 1, 0};
    const double values[] = {2, 3, 4, 1}, number = 3;
    glsolve_matrix* matrix = NULL;
    glsolve_csr A = {sizeof A};
    glsolve_solver* solver = NULL;
    WORKS(glsolve_matrix_from_entries(2, 2, 3, row, places, values, &matrix));
    WORKS(glsolve_matrix_view(matrix, &A));
    CHECK(((const int64_t*)A.offsets)[2] == 2 && ((const double*)A.value)[1] == 7);
    glsolve_matrix* none = NULL;
    REFUSES(glsolve_matrix_from_entries(2, 2, 4, row, places, values, &none), GLSOLVE_INVALID_INPUT, "");
    REFUSES(glsolve_matrix_from_entries(-1, 2, 0, NULL, NULL, NULL, &none), GLSOLVE_INVALID_INPUT, "rows is -1");
    REFUSES(glsolve_matrix_generate("poison2d", &number, 1, &none), GLSOLVE_INVALID_INPUT, "poisson2d");
    REFUSES(glsolve_matrix_generate("poisson2d", &number, 2, &none), GLSOLVE_INVALID_INPUT, "");
    REFUSES(glsolve_matrix_read("no-such-file.mtx", &none), GLSOLVE_INVALID_INPUT, "no-such-file.mtx");
    REFUSES(glsolve_matrix_read(NULL, &none), GLSOLVE_INVALID_INPUT, "file is NULL");
    CHECK(none == NULL);

    glsolve_settings settings = {sizeof settings, "method=cg tolerence=1e-3"};
    REFUSES(glsolve_solver_create(device, &A, &settings, &solver), GLSOLVE_INVALID_INPUT, "tolerence");
    settings.options = "method=direct";
    REFUSES(glsolve_solver_create(NULL, &A, &settings, &solver), GLSOLVE_INVALID_INPUT, "device is NULL");
    REFUSES(glsolve_solver_create(device, NULL, &settings, &solver), GLSOLVE_INVALID_INPUT, "matrix is NULL");
    REFUSES(glsolve_solver_create(device, &A, &settings, NULL), GLSOLVE_INVALID_INPUT, "solver is NULL");
    settings.size = 0;
    REFUSES(glsolve_solver_create(device, &A, &settings, &solver), GLSOLVE_INVALID_INPUT, "size is not set");
    settings.size = sizeof settings;
    glsolve_csr bad = A;
    bad.value_bits = 16;
    REFUSES(glsolve_solver_create(device, &bad, NULL, &solver), GLSOLVE_INVALID_INPUT, "16 bits");
    bad = A;
    bad.rows = -2;
    REFUSES(glsolve_solver_create(device, &bad, NULL, &solver), GLSOLVE_INVALID_INPUT, "rows is -2");
    const int64_t wrong[] = {1, 1, 2};
    bad = A;
    bad.offsets = wrong;
    REFUSES(glsolve_solver_create(device, &bad, NULL, &solver), GLSOLVE_INVALID_INPUT, "offsets begin with 1");
    bad.offsets = NULL;
    REFUSES(glsolve_solver_create(device, &bad, NULL, &solver), GLSOLVE_INVALID_INPUT, "offsets is NULL");
    CHECK(solver == NULL);

    WORKS(glsolve_solver_create(device, &A, &settings, &solver));
    REFUSES(glsolve_solve(solver, NULL, x, 1, NULL), GLSOLVE_INVALID_INPUT, "b is NULL");
    REFUSES(glsolve_solve(solver, b, x, 0, NULL), GLSOLVE_INVALID_INPUT, "count is 0");
    REFUSES(glsolve_precondition(solver, b, x), GLSOLVE_INVALID_INPUT, "has no preconditioner");
    REFUSES(glsolve_solve(NULL, b, x, 1, NULL), GLSOLVE_INVALID_INPUT, "solver is NULL");
    glsolve_solver_free(solver);
    glsolve_solver_free(NULL);
    glsolve_matrix_free(matrix);
    glsolve_matrix_free(NULL);
}

static void check_options_and_devices(void) {
    glsolve_option option = {sizeof option};
    const size_t count = glsolve_option_count();
    CHECK(count > 40);
    int found = 0;
    for (size_t k = 0; k < count; ++k) {
        WORKS(glsolve_option_at(k, &option));
        CHECK(option.words[0] != 0);
        found += strcmp(option.name, "tolerance") == 0 && strcmp(option.usual, "1e-08") == 0;
    }
    CHECK(found == 1);
    REFUSES(glsolve_option_at(count, &option), GLSOLVE_INVALID_INPUT, "there are");
    WORKS(glsolve_check_options("method=gmres restart=20"));
    REFUSES(glsolve_check_options("method=magic"), GLSOLVE_INVALID_INPUT, "magic");

    glsolve_device* device = NULL;
    REFUSES(glsolve_device_open("backend=vulkan", &device), GLSOLVE_INVALID_INPUT, "opengl");
    REFUSES(glsolve_device_open("colour=red", &device), GLSOLVE_INVALID_INPUT, "colour");
    REFUSES(glsolve_device_open("backend=host threads=many", &device), GLSOLVE_INVALID_INPUT, "many");
    CHECK(device == NULL);
    size_t devices = 0;
    glsolve_device_info infos[8];
    for (int k = 0; k < 8; ++k) infos[k].size = sizeof infos[k];
    WORKS(glsolve_list_devices(infos, 8, &devices));
    CHECK(devices >= 1);
}

int main(void) {
    glsolve_device* device = NULL;
    glsolve_device_info info = {sizeof info};
    check_layout();
    check_options_and_devices();
    WORKS(glsolve_device_open("backend=host threads=2", &device));
    WORKS(glsolve_device_describe(device, &info));
    CHECK(strcmp(info.backend, "host") == 0);
    check_solves(device);
    check_grids(device);
    check_refusals(device);
    WORKS(glsolve_device_trim(device));
    glsolve_device_close(device);
    glsolve_device_close(NULL);
    return failures;
}
