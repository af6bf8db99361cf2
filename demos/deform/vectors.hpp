/// Vectors, rotations and the matrices of a camera: no more of them than this demo needs.
#pragma once

#include <array>
#include <cmath>

namespace deform {

struct Vector {
    float x = 0, y = 0, z = 0;
};

inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(float s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
inline float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline float length(Vector a) { return std::sqrt(dot(a, a)); }
inline Vector normalised(Vector a) { return (1 / length(a)) * a; }
inline Vector cross(Vector a, Vector b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A rotation: (sin(angle / 2) axis, cos(angle / 2)).
struct Quaternion {
    float x = 0, y = 0, z = 0, w = 1;
};

inline Quaternion rotation_about(Vector axis, double angle) {
    const auto s = static_cast<float>(std::sin(angle / 2));
    return {s * axis.x, s * axis.y, s * axis.z, static_cast<float>(std::cos(angle / 2))};
}
/// First b, then a.
inline Quaternion operator*(Quaternion a, Quaternion b) {
    const Vector u{a.x, a.y, a.z}, v{b.x, b.y, b.z};
    const Vector w = a.w * v + b.w * u + cross(u, v);
    return {w.x, w.y, w.z, a.w * b.w - dot(u, v)};
}
inline Vector rotate(Quaternion q, Vector v) {
    const Vector u{q.x, q.y, q.z};
    return v + 2 * cross(u, cross(u, v) + q.w * v);
}

/// A rigid motion: p becomes  turn p + shift.
struct Motion {
    Quaternion turn;
    Vector shift;
};

inline Vector apply(const Motion& motion, Vector p) { return rotate(motion.turn, p) + motion.shift; }

/// Column after column, as OpenGL has it.
using Matrix = std::array<float, 16>;

inline Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix c{};
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            for (std::size_t k = 0; k < 4; ++k) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
        }
    }
    return c;
}

/// `slope` is the tangent of half the angle from the lower to the upper edge.
inline Matrix perspective(float slope, float aspect, float near, float far) {
    Matrix m{};
    m[0] = 1 / (slope * aspect);
    m[5] = 1 / slope;
    m[10] = (near + far) / (near - far);
    m[11] = -1;
    m[14] = 2 * near * far / (near - far);
    return m;
}

}  // namespace deform
