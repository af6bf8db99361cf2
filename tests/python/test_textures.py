"""Textures of moderngl, in its own context."""

import sys

try:
    import moderngl
    import numpy as np

    import glsolve

    context = moderngl.create_context(standalone=True, backend="egl")
except Exception as error:  # no package, or no EGL
    print("SKIPPED:", error)
    sys.exit(4)

n = 48
A = glsolve.generate("poisson2d", n)
numbers = np.random.default_rng(3).normal(size=(n, n)).astype("f4")
b = context.texture((n, n), 1, numbers.tobytes(), dtype="f4")
x = context.texture((n, n), 1, np.zeros((n, n), "f4").tobytes(), dtype="f4")


def residual():
    found = np.frombuffer(x.read(), "f4").astype(float)
    return np.linalg.norm(numbers.ravel() - A @ found) / np.linalg.norm(numbers)


device = glsolve.Device(current=True)
solver = glsolve.Solver(A, device, method="cg", preconditioner="amg", precision="single", tolerance=1e-4)
solver.warm_up(b, x)
for frame in range(40):
    solver.enqueue(b, x, iterations=2)
    context.finish()
    report = solver.poll()
    assert report is not None
    if report.converged:
        break
assert report.outcome == "met_on_device", report
assert residual() < 2e-4, residual()
assert 0 < frame < 39

x.write(np.zeros((n, n), "f4").tobytes())
report = solver.solve_textures(glsolve.Texture(b), x)
assert report.converged and residual() < 2e-4, report

solver.precondition_textures(b, x)
found = np.frombuffer(x.read(), "f4")
np.testing.assert_allclose(found, solver.precondition(numbers.ravel()), rtol=1e-3, atol=1e-5)

try:
    solver.enqueue(b, glsolve.Texture(x, width=n + 1))
    raise SystemExit("a rectangle outside of its texture was taken")
except ValueError as error:
    assert "not inside" in str(error), error

frame = context.simple_framebuffer((8, 8))
frame.use()
frame.clear(1, 0, 0, 1)
assert frame.read()[:3] == b"\xff\x00\x00"  # moderngl still draws
solver.close()
device.close()
print("ok:", context.info["GL_RENDERER"])
