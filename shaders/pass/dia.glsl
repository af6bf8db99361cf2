// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A stored by diagonals.
// Each tile of `a` is one diagonal: texel t of it holds the entries of rows 4t ... 4t + 3, zero where it leaves A. Tile
// arg_diagonal holds the main diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp).
// Row i needs x[i + offset(k)]: four rows need four consecutive numbers, which lie in one texel of x or in two.
//
// COUNT and what belongs to the diagonals are constants for the usual few of them: the compiler unrolls the loop and drops
// the second fetch where an offset is a multiple of four. A diagonal that holds one number (most of a grid's do) then
// needs no tile: `tile(k)` is negative and `value(k)`, of a table, is the number. Where it leaves A it meets zeros, where it has a gap
// (src/formats/diagonals.hpp) x is replaced by zeros, and the main diagonal accounts for both. MAIN: where the main diagonal
// is, which may be one number, too. Without these constants the count is an argument, the offsets are read from a texture, and every
// diagonal has its tile.
//
// product dia: multiply multiply_dot residual multiply_two_float residual_two_float relax relax_twice chebyshev chebyshev_norms multiply_dots field chebyshev_steps
// structure: diagonals:int
// integer: log2_width log2_columns count tile_height length diagonal differences
// compiled: OFFSETS:switch, OFFSETS:list TILES:list MEMBERS:list POWERS:list GAPS:list COUNT MAIN if OFFSETS
// faster: LOG2_WIDTH
#ifdef OFFSETS
const int offsets[COUNT] = int[COUNT](OFFSETS);
const int tiles[COUNT] = int[COUNT](TILES);
const int members[COUNT] = int[COUNT](MEMBERS);  // of the group of neighbours of one number that ends here; 0: it goes on
const int powers[COUNT] = int[COUNT](POWERS);    // 1: that number is a power of two
#ifndef ASYNCHRONOUS
uniform vec2 arg_table[COUNT + 1];  // numbers in two floats, that of the main diagonal last
#endif
const ivec3 gaps[COUNT] = ivec3[COUNT](GAPS);  // period, begin, length

// x without what meets the gap of diagonal k: rows i with  begin <= i mod period < begin + length.
number without_gap(number x, int t, int k) {
    if (gaps[k].z == 0) return x;
    uvec4 own = uvec4(lanes());
    uint period = uint(gaps[k].x), quarter = max(period >> 2, 1u);
    uvec4 phase = (period & 3u) == 0u ? uvec4((uint(t) % quarter) << 2) + own : (uvec4(uint(t) << 2) + own) % period;
    return where(greaterThanEqual(phase - uint(gaps[k].y), uvec4(uint(gaps[k].z))), x);
}
#define MAIN_ZERO 0
#define MAIN_IN_TILE 2
#define offset(k) offsets[k]
#define tile(k) tiles[k]
#define value(k) arg_table[k]
#define opens_group(k) (k == 0 || tiles[max(k - 1, 0)] >= 0 || members[max(k - 1, 0)] != 0)
#define members_of_group(k) members[k]
#define is_power(k) (powers[k] != 0)
#else
#define COUNT arg_count
#define offset(k) in_diagonals(ivec2(k, 0)).x
#define tile(k) k
#define value(k) vec2(0.0)
#define opens_group(k) true
#define members_of_group(k) 1
#define is_power(k) false
#define without_gap(x, t, k) x
#endif

// v x, which for powers of two takes no error-free product.
number multiple(vec2 v, bool power, number x) {
#if defined(TWO_FLOAT) && !defined(HAS_DOUBLES)
    if (power) return Two(v.x * x.hi, v.x * x.lo);
#endif
    return times(number_of(v), x);
}

// What a group adds up, and the sum over x - base that this makes. Single precision must subtract before it adds; in two floats
// once for all is accurate enough.
#ifdef TWO_FLOAT
number term_of(number x, number base) { return x; }
number of_differences(number sum, number base, int terms) {
    return minus(sum, multiple(vec2(float(terms), 0.0), (terms & (terms - 1)) == 0, base));
}
#else
number term_of(number x, number base) { return x - base; }
number of_differences(number sum, number base, int terms) { return sum; }
#endif

void kernel(ivec2 at) {
    int t = rows_at(at);
    ivec2 rows = place_of_rows(at);
    number here = x_texel(texel_of_x(t), 0);  // as its neighbours are read, so that it is read once
    number base = base_of(here);
    Row row = empty_row();
#ifdef OFFSETS
    if (MAIN == MAIN_IN_TILE) {
        add_term(row, a_texel(tile_corner(arg_diagonal) + rows), here, zero());
    } else if (MAIN != MAIN_ZERO) {
        add_term(row, number_of(arg_table[COUNT]), here, zero());
    }
#else
    add_term(row, a_texel(tile_corner(arg_diagonal) + rows), here, zero());
#endif
    number together = zero();  // the terms of a group: its number multiplies them once
    for (int k = 0; k < COUNT; ++k) {
        number x = without_gap(x_run(t, offset(k)), t, k);
        if (tile(k) >= 0) {
            add_term(row, a_texel(tile_corner(tile(k)) + rows), x, base);
        } else {
            add_size(row, number_of(value(k)), x, base);
            if (opens_group(k)) {
                together = term_of(x, base);
            } else {
                together = plus(together, term_of(x, base));
            }
            if (members_of_group(k) > 0) {
                add(row, multiple(value(k), is_power(k), of_differences(together, base, members_of_group(k))));
            }
        }
    }
    store_product(at, here, without_padding(row, at));
}
