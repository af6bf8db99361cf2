/// The verbs solvers are written with. Each fills one PassCall (a sum: one for each stage of its tree) and encodes it;
/// none waits. Arguments that are written come first.
#pragma once

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

/// What happens to the four components of the texel that a sum ends in.
enum class Finish : std::uint8_t {
    add_components,  ///< a Vector's inner product: their sum, in all four
    keep_components  ///< four sums that have nothing to do with each other
};

ScalarArg scalar_arg(const Scalar& s, float factor = 1);
ScalarArg scalar_arg(float factor);
ScalarArg scalar_arg(const Scalar& n, const Scalar& d, float factor = 1);

void fill(Vector& y, float value);                                          // y <- value
void fill(MultiVector& y, float value);                                     // y <- value
void fill(Scalar& y, float value);                                          // y <- value, four times
void copy(Vector& y, const Vector& x);                                      // y <- x
void copy(Scalar& y, const Scalar& x);                                      // y <- x
void copy(Backend& backend, StorageId y, StorageId x);                      // y <- x, of any floats
void axpy(Vector& y, ScalarArg a, const Vector& x, StorageId status = {});  // y <- y + a x
void axpy(Vector& y, ScalarArg a, StorageId x);                             // the same, of any floats that lie alike
void axpy(TwoFloatVector& y, ScalarArg a, const Vector& x);                 // y <- y + a x, in two floats
void xpay(Vector& y, const Vector& x, ScalarArg a, StorageId status = {});  // y <- x + a y
/// The same for four right-hand sides; `stops` holds one stop for each of them.
void xpay(MultiVector& y, const MultiVector& x, ScalarArg a, StorageId stops);
void xpay(MultiVector& y, const MultiVector& x, const Vector& m, ScalarArg a, StorageId stops);  // y <- m * x + a y
void scale(Vector& y, ScalarArg a, const Vector& x);                                             // y <- a x
void hadamard(Vector& z, const Vector& x, const Vector& y, const ScalarArg& a = {});  // z <- a x * y, by element
void add_where(Vector& y, const Vector& x, const ScalarArg& a, const Vector& m);      // y <- m != 0 ? x + a : 0
void put(MultiVector& y, const Vector& x, int component);                             // a component of y <- x
void take(Vector& y, const MultiVector& x, int component);                            // y <- a component of x
void sum(Scalar& s, PartialSums& partial, Finish finish);                             // s <- all partial sums
void record(Storage& history, int position, const Scalar& value);                     // history[position] <- value

}  // namespace glsolve::inline v0_1
