// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A stored by diagonals.
// Each tile of `a` is one diagonal: texel t of it holds the entries of rows 4t ... 4t + 3, zero where it leaves A. Tile
// arg_diagonal holds the main diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp).
// Row i needs x[i + offset(k)]: four rows need four consecutive numbers, which lie in one texel of x or in two.
//
// COUNT and what belongs to the diagonals are constants for the usual few of them: the compiler unrolls the loop and drops
// the second fetch where an offset is a multiple of four. A diagonal that holds one number (most of a grid's do) then
// needs no tile: `tile(k)` is negative and `value(k)`, of a table, is the number. Where it leaves A it meets zeros, where it has a gap
// (src/formats/diagonals.hpp) x is replaced by zeros, and the main diagonal accounts for both. MAIN: the main diagonal is
// one number, too, and whether it is zero. Without these constants the count is an argument, the offsets are read from a texture, and every
// diagonal has its tile.
#ifdef OFFSETS
const int offsets[COUNT] = int[COUNT](OFFSETS);
const int tiles[COUNT] = int[COUNT](TILES);
const int same[COUNT] = int[COUNT](SAME);
uniform vec2 arg_table[COUNT + 1];  // numbers in two floats, that of the main diagonal last
const ivec3 gaps[COUNT] = ivec3[COUNT](GAPS);  // period, begin, length

// x without what meets the gap of diagonal k: rows i with  begin <= i mod period < begin + length.
number without_gap(number x, int t, int k) {
    if (gaps[k].z == 0) return x;
    uvec4 lanes = uvec4(0u, 1u, 2u, 3u);
    uint period = uint(gaps[k].x), quarter = max(period >> 2, 1u);
    uvec4 phase = (period & 3u) == 0u ? uvec4((uint(t) % quarter) << 2) + lanes : (uvec4(uint(t) << 2) + lanes) % period;
    return where(greaterThanEqual(phase - uint(gaps[k].y), uvec4(gaps[k].z)), x);
}
#define offset(k) offsets[k]
#define tile(k) tiles[k]
#define value(k) arg_table[k]
#define same_as_next(k) (same[k] != 0)
#else
#define COUNT arg_count
#define offset(k) in_diagonals(ivec2(k, 0)).x
#define tile(k) k
#define value(k) vec2(0.0)
#define same_as_next(k) false
#define without_gap(x, t, k) x
#endif

void kernel(ivec2 at) {
    int t = (at.y << LOG2_WIDTH) + at.x;
    number here = x_texel(t);  // as its neighbours are read, so that it is read once
    number base = base_of(here);
    Row row = empty_row();
#if !defined(MAIN)
    add_term(row, a_texel(tile_corner(arg_diagonal) + at), here, zero());
#elif MAIN != 0
    add_term(row, number_of(arg_table[COUNT]), here, zero());
#endif
    number together = zero();  // what neighbouring diagonals of one number multiply: they multiply once
    for (int k = 0; k < COUNT; ++k) {
        number x = without_gap(x_run(t, offset(k)), t, k);
        if (tile(k) >= 0) {
            add_term(row, a_texel(tile_corner(tile(k)) + at), x, base);
        } else {
            together = plus(together, minus(x, base));
            add_size(row, number_of(value(k)), x, base);
            if (!same_as_next(k)) {
                add_product(row, number_of(value(k)), together);
                together = zero();
            }
        }
    }
    bvec4 inside = lessThan(ivec4(4 * t) + ivec4(0, 1, 2, 3), ivec4(arg_length));  // padding stays zero
    row = Row(where(inside, row.sum), mix(vec4(0.0), row.rest, inside), mix(vec4(0.0), row.size, inside));
    store_product(at, here, row);
}
