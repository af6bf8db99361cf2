// A sweep of the fixed-point iteration that makes incomplete factors, for all entries at once (E. Chow and A. Patel, SIAM J. Sci.
// Comput. 37, 2015), in a form whose factors are symmetric where the matrix is:
//     v_ij <- c_ij - sum over k < min(i, j) of v_ik w_kj,   w_kj = v_kj / v_kk
// for the places of C, and with them  C ~ (D + L) D^-1 (D + U),  where D, L and U are the diagonal and the triangles of V.
// The entries stand four a texel. The terms of entry e are those from offsets[e] to offsets[e + 1]. A term is two places, of v_ik
// and of w_kj; two terms are a texel.
//
// pass ilu_sweep: v <- c - the terms of each entry
// out: v
// in: v w c terms:int offsets:int
// integer: log2_width log2_terms log2_offsets
void kernel(ivec2 at) {
    int t = count_of(at, arg_log2_width);
    ivec4 begin = in_offsets(place(t, arg_log2_offsets));
    int end = in_offsets(place(t + 1, arg_log2_offsets)).x;
    vec4 sum = vec4(0.0);
    for (int k = begin.x; k < end; ++k) {
        ivec4 two = in_terms(place(k >> 1, arg_log2_terms));
        ivec2 term = (k & 1) != 0 ? two.zw : two.xy;
        float product = NUMBER(in_v, term.x, arg_log2_width) * NUMBER(in_w, term.y, arg_log2_width);
        int lane = int(k >= begin.y) + int(k >= begin.z) + int(k >= begin.w);
        sum += mix(vec4(0.0), vec4(product), equal(ivec4(lane), ivec4(0, 1, 2, 3)));
    }
    out_v = in_c(at) - sum;
}
