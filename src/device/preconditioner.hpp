/// M^-1, as methods see it.
#pragma once

#include <glsolve/error.hpp>
#include <string>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

class Preconditioner {
  public:
    virtual ~Preconditioner() = default;

    /// z <- M^-1 r
    virtual void apply(Vector& z, const Vector& r) = 0;
    /// The diagonal of M^-1 where that is all there is to it: methods then apply it inside their own passes.
    virtual const Vector* diagonal() const { return nullptr; }

    /// What an application takes, roughly, in products with A: how long it is worth waiting for goes by that.
    virtual int products() const { return 1; }

    /// Does it read numbers back? Not in work on textures then.
    virtual bool reads() const { return false; }

    /// What it has to say to somebody for whom it did not work.
    virtual std::string advice() const { return {}; }

    /// Can it be applied to four right-hand sides at once?
    virtual bool takes_fields() const { return false; }
    /// Z <- M^-1 R, where it can.
    virtual void apply(MultiVector& /*z*/, const MultiVector& /*r*/) { throw Error("preconditioner: not on fields"); }
};

}  // namespace glsolve::inline v0_1
