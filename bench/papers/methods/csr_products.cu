// Products y <- A x with A in CSR (data, indices, rpos), as the papers have them. Plain CUDA, compiled at run time.
// In double precision `number` is double, else float.

// Liu, Yin and Wu (2011), section 2.1, first kernel: v_k <- data_k x_(indices_k), an entry a thread.
extern "C" __global__ void multiply_entries(int entries, const number* data, const int* indices, const number* x,
                                            number* v) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < entries) v[k] = data[k] * x[indices[k]];
}

// Second kernel, algorithm 2: y_i <- the sum of row i of v. A block of 128 threads has 128 rows. Their products come
// into shared memory tile by tile, side by side; each thread adds what of its row lies in the tile.
template <int tile> __device__ void sum_rows(int rows, const int* rpos, const number* v, number* y) {
    __shared__ int rpos_s[129];
    __shared__ number mres_s[tile];
    const int thread = threadIdx.x, first_row = blockIdx.x * 128, row = first_row + thread;
    rpos_s[thread] = rpos[row < rows ? row : rows];
    if (thread == 0) rpos_s[128] = rpos[first_row + 128 < rows ? first_row + 128 : rows];
    __syncthreads();
    number sum = 0;
    for (int begin = rpos_s[0]; begin < rpos_s[128]; begin += tile) {
        const int end = begin + tile < rpos_s[128] ? begin + tile : rpos_s[128];
        for (int k = begin + thread; k < end; k += 128) mres_s[k - begin] = v[k];
        __syncthreads();
        const int from = rpos_s[thread] > begin ? rpos_s[thread] : begin;
        const int to = rpos_s[thread + 1] < end ? rpos_s[thread + 1] : end;
        for (int k = from; k < to; ++k) sum += mres_s[k - begin];
        __syncthreads();
    }
    if (row < rows) y[row] = sum;
}
extern "C" __global__ void sum_rows_128(int rows, const int* rpos, const number* v, number* y) {
    sum_rows<128>(rows, rpos, v, y);
}
extern "C" __global__ void sum_rows_512(int rows, const int* rpos, const number* v, number* y) {
    sum_rows<512>(rows, rpos, v, y);
}

// A thread a row: Li et al. (2011), figure 5. (Their listing has blockDim.x * blockDim.x for blockIdx.x * blockDim.x.)
extern "C" __global__ void thread_a_row(int rows, const int* ptr, const int* indices, const number* data,
                                        const number* x, number* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    number dot = 0;
    for (int k = ptr[row]; k < ptr[row + 1]; ++k) dot += data[k] * x[indices[k]];
    y[row] = dot;
}

// A warp a row: Chadov's product by vectors, after Bell and Garland (2008).
extern "C" __global__ void warp_a_row(int rows, const int* ptr, const int* indices, const number* data,
                                      const number* x, number* y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows) return;
    number dot = 0;
    for (int k = ptr[row] + lane; k < ptr[row + 1]; k += 32) dot += data[k] * x[indices[k]];
    for (int distance = 16; distance > 0; distance /= 2) dot += __shfl_down_sync(~0u, dot, distance);
    if (lane == 0) y[row] = dot;
}
