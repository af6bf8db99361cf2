// Arithmetic in two floats: a number is the unevaluated sum hi + lo, |lo| at most half an ulp of hi; some 48 bits.
// Sums without error: D. E. Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B; products without error:
// T. J. Dekker, Numer. Math. 18 (1971).
//
// The rounding errors below are differences that algebra calls zero, and compilers know algebra. EXACT forbids it: by
// `precise` where the language has it; elsewhere exact() multiplies by a one that only the host knows, and error() adds
// such a zero. Both are needed: from sums of products by one compilers take it out, and cancel what is left.
#ifdef HAS_PRECISE
#define EXACT precise
#define exact(v) (v)
#define error(v) (v)
#else
uniform float u_one;
uniform float u_zero;
#define EXACT
#define exact(v) ((v) * u_one)
#define error(v) ((v) + u_zero)
#endif

struct Two {
    vec4 hi, lo;
};

Two two(vec4 hi) { return Two(hi, vec4(0.0)); }

// a + b = hi + lo exactly.
Two two_sum(vec4 a, vec4 b) {
    EXACT vec4 s = exact(a + b);
    EXACT vec4 b_part = error(s - a);
    EXACT vec4 a_part = error(s - b_part);
    EXACT vec4 b_error = error(b - b_part);
    EXACT vec4 a_error = error(a - a_part);
    EXACT vec4 e = error(a_error + b_error);
    return Two(s, e);
}

// The same where |a| >= |b|, or a = 0.
Two ordered_sum(vec4 a, vec4 b) {
    EXACT vec4 s = exact(a + b);
    EXACT vec4 b_part = error(s - a);
    EXACT vec4 e = error(b - b_part);
    return Two(s, e);
}

// The twelve leading bits of a, and the twelve that are left: cut off, which is cheaper than Dekker's rounding to half of the
// digits, knows no overflow, and is nothing that algebra could undo. In 24 bits the products of such halves are exact, and so
// is each difference below.
Two halves(vec4 a) {
    vec4 hi = uintBitsToFloat(floatBitsToUint(a) & uvec4(0xfffff000u));
    return Two(hi, a - hi);
}

// a b = hi + lo exactly, as long as nothing over- or underflows. Without fma(): not every driver fuses it.
Two two_product(vec4 a, vec4 b) {
    Two x = halves(a);
    Two y = halves(b);
    EXACT vec4 p = exact(a * b);
    EXACT vec4 e = exact(x.hi * y.hi);
    e = error(e - p);
    EXACT vec4 f = exact(x.hi * y.lo);
    e = error(e + f);
    f = exact(x.lo * y.hi);
    e = error(e + f);
    f = exact(x.lo * y.lo);
    e = error(e + f);
    return Two(p, e);
}

Two plus(Two a, Two b) {
    Two s = two_sum(a.hi, b.hi);
    EXACT vec4 lo = exact(a.lo + b.lo);
    lo = exact(s.lo + lo);
    return ordered_sum(s.hi, lo);
}

Two minus(Two a, Two b) { return plus(a, Two(-b.hi, -b.lo)); }

Two times(Two a, Two b) {
    Two p = two_product(a.hi, b.hi);
    EXACT vec4 f = exact(a.hi * b.lo);
    EXACT vec4 g = exact(a.lo * b.hi);
    f = exact(f + g);
    f = exact(p.lo + f);
    return ordered_sum(p.hi, f);
}

// What kernels compute with: a double where processors have them, which is 53 bits instead of 48 and an operation instead of
// twenty, else two floats.
#ifdef HAS_DOUBLES
#define Double dvec4
// Of a double that was rounded to single precision Mesa 25, without EXACT, makes the double that it was.
Double widened(vec4 v) {
    EXACT dvec4 wide = dvec4(exact(v));
    return wide;
}
Double with_low(vec4 hi, vec4 lo) { return widened(hi) + dvec4(lo); }
Double without_low(vec4 hi) { return widened(hi); }
vec4 high(Double v) { return vec4(v); }
vec4 high(Two v) { return v.hi; }
vec4 low(Double v) { return vec4(v - widened(high(v))); }
Double plus(Double a, Double b) { return a + b; }
Double minus(Double a, Double b) { return a - b; }
Double times(Double a, Double b) { return a * b; }
Double exact_product(vec4 a, vec4 b) { return widened(a) * widened(b); }
#else
#define Double Two
#define with_low(hi, lo) Two(hi, lo)
#define without_low(hi) two(hi)
vec4 high(Double v) { return v.hi; }
vec4 low(Double v) { return v.lo; }
Double exact_product(vec4 a, vec4 b) { return two_product(a, b); }
#endif
