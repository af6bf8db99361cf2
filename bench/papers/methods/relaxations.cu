// Steps of iterations over CSR, a thread a row, as the papers have them.

// Li et al. (2011), figure 7: Jacobi relaxation of the rows whose mark is `relax_points` (C or F),
//     u_i <- (1 - w) u_i + w (f_i - sum over j != i of a_ij Vtemp_j) / a_ii,
// with Vtemp the u before. Rows begin with their diagonal. (Their listing adds what it must subtract, and its weight is an
// integer.)
extern "C" __global__ void jacobi_csr_kernel(int num_rows, int relax_points, number relax_weight, const int* cf_marker,
                                             const int* ptr, const int* indices, const number* data,
                                             const number* Vtemp, const number* f, number* u) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= num_rows || cf_marker[row] != relax_points || data[ptr[row]] == 0) return;
    number res = f[row];
    for (int k = ptr[row] + 1; k < ptr[row + 1]; ++k) res -= data[k] * Vtemp[indices[k]];
    u[row] = (1 - relax_weight) * u[row] + relax_weight * res / data[ptr[row]];
}

// Chadov, the stochastic variant: step and product in one kernel, of several steps, with no barrier between them. Rows
// read whatever their neighbours have at this moment:
//     r_i = b_i - (A x)_i;  p_i <- r_i / a_ii + beta p_i;  x_i <- x_i + alpha p_i.
// `alpha_beta` has both for each step. Rows begin with their diagonal.
extern "C" __global__ void chebyshev_stochastic(int rows, int steps, const number* alpha_beta, const int* ptr,
                                                const int* indices, const number* data, const number* b,
                                                volatile number* x, number* p) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    for (int step = 0; step < steps; ++step) {
        number r = b[row];
        for (int k = ptr[row]; k < ptr[row + 1]; ++k) r -= data[k] * x[indices[k]];
        p[row] = r / data[ptr[row]] + alpha_beta[2 * step + 1] * p[row];
        x[row] = x[row] + alpha_beta[2 * step] * p[row];
    }
}
