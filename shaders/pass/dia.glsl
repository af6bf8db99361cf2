// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A stored by diagonals.
// Each tile of `a` is one diagonal: texel t of it holds the entries of rows 4t ... 4t + 3, zero where it leaves A. Tile
// arg_diagonal holds the main diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp).
// Row i needs x[i + offset(k)]: four rows need four consecutive numbers, which lie in one texel of x or in two.
//
// COUNT and what belongs to the diagonals are constants for the usual few of them: the compiler unrolls the loop and drops
// the second fetch where an offset is a multiple of four. A diagonal that holds the same number everywhere (most of a
// grid's do) then needs no tile: `tile(k)` is negative and `value(k)` is the number, also where it leaves A and meets zeros;
// tile arg_diagonal accounts for that. Without these constants the count is
// an argument, the offsets are read from a texture, and every diagonal has its tile.
#ifdef OFFSETS
const int offsets[COUNT] = int[COUNT](OFFSETS);
const int tiles[COUNT] = int[COUNT](TILES);
const float values[COUNT] = float[COUNT](VALUES);
#define offset(k) offsets[k]
#define tile(k) tiles[k]
#define value(k) values[k]
#else
#define COUNT arg_count
#define offset(k) in_diagonals(ivec2(k, 0)).x
#define tile(k) k
#define value(k) 0.0
#endif

void kernel(ivec2 at) {
    int t = (at.y << LOG2_WIDTH) + at.x;
    vec4 here = x_texel(t);
    vec4 base = arg_differences != 0 ? here : vec4(0.0);
    vec4 product = in_a(tile_corner(arg_diagonal) + at) * here;
    for (int k = 0; k < COUNT; ++k) {
        vec4 x = x_run(t + (offset(k) >> 2), offset(k) & 3);
        if (tile(k) >= 0) product += in_a(tile_corner(tile(k)) + at) * (x - base);
        else product += value(k) * (x - base);
    }
#ifdef OFFSETS
    product = mix(vec4(0.0), product, lessThan(ivec4(4 * t) + ivec4(0, 1, 2, 3), ivec4(arg_length)));  // padding stays zero
#endif
    store_product(at, here, product);
}
