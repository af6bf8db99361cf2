/* Solves a Poisson equation on a grid of N x N points with multigrid:  -u_xx - u_yy = 1,  u = 0 on the boundary. */
#include <glsolve/glsolve.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 100, rows = N * N, most = 5 * rows };

static int32_t offsets[rows + 1], column[most];
static double value[most], b[rows], x[rows];

static void add(int32_t* at, int32_t j, double a) {
    column[*at] = j;
    value[*at] = a;
    ++*at;
}

static void assemble(void) {
    int32_t at = 0;
    for (int32_t i = 0; i < rows; ++i) {
        if (i >= N) add(&at, i - N, -1);
        if (i % N > 0) add(&at, i - 1, -1);
        add(&at, i, 4);
        if (i % N < N - 1) add(&at, i + 1, -1);
        if (i < rows - N) add(&at, i + N, -1);
        offsets[i + 1] = at;
        b[i] = 1;
    }
}

int main(void) {
    glsolve_device* device = NULL;
    glsolve_solver* solver = NULL;
    glsolve_csr A = {sizeof A, 32, 32, 64, rows, rows, offsets, column, value};
    glsolve_settings settings = {sizeof settings, "method=cg preconditioner=amg tolerance=1e-10"};
    glsolve_report report = {sizeof report};
    assemble();
    if (glsolve_device_open(NULL, &device) != GLSOLVE_OK
        || glsolve_solver_create(device, &A, &settings, &solver) != GLSOLVE_OK
        || glsolve_solve(solver, b, x, 1, &report) != GLSOLVE_OK) {
        fprintf(stderr, "%s\n", glsolve_last_error());
        return EXIT_FAILURE;
    }
    printf("%s after %d iterations: %s\n", report.outcome, (int)report.iterations, report.reason);
    const int converged = report.converged;
    glsolve_solver_free(solver);
    glsolve_device_close(device);
    return converged ? EXIT_SUCCESS : EXIT_FAILURE;
}
