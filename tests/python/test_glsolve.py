"""The Python package: what it solves, what it refuses, and what it leaves alone."""

import doctest
import gc
import pathlib
import re
import threading
import unittest

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import glsolve

random = np.random.default_rng(5)


def residual(A, x, b):
    return np.linalg.norm(b - A @ x) / np.linalg.norm(b)


class Solves(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.device = glsolve.Device(backend="host", threads=2)
        cls.A = glsolve.generate("poisson2d", 24)
        cls.b = random.normal(size=cls.A.shape[0])

    def test_formats_and_types(self):
        for make in (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix, sp.dia_matrix, sp.csr_array, lambda A: A.toarray()):
            for kind in (np.float64, np.float32, np.int64):
                A = make(self.A).astype(kind)
                with self.subTest(make=make, kind=kind):
                    x, report = glsolve.solve(A, self.b, device=self.device, tolerance=1e-10)
                    self.assertTrue(report.converged, report)
                    self.assertLess(residual(self.A, x, self.b), 1.1e-10)

    def test_indices_of_64_bits_and_unsorted_entries(self):
        A = self.A.copy()
        A.indptr, A.indices = A.indptr.astype(np.int64), A.indices.astype(np.int64)
        x, report = glsolve.solve(A, self.b, device=self.device)
        self.assertTrue(report.converged)
        backwards = self.A.copy()
        for i in range(A.shape[0]):
            row = slice(backwards.indptr[i], backwards.indptr[i + 1])
            backwards.indices[row], backwards.data[row] = backwards.indices[row][::-1].copy(), backwards.data[row][::-1].copy()
        backwards = sp.csr_matrix((backwards.data, backwards.indices, backwards.indptr), shape=A.shape)
        kept = backwards.indices.copy()
        y, report = glsolve.solve(backwards, self.b, device=self.device)
        self.assertTrue(report.converged)
        np.testing.assert_allclose(x, y, rtol=1e-6, atol=1e-9)
        np.testing.assert_array_equal(backwards.indices, kept)

    def test_values_are_read_in_place(self):
        with glsolve.Solver(self.A, self.device) as solver:
            self.assertIs(solver._matrix, self.A)

    def test_matrix_may_go(self):
        solver = glsolve.Solver(glsolve.generate("poisson2d", 24), self.device)
        gc.collect()
        x, report = solver.solve(self.b)
        self.assertTrue(report.converged)
        self.assertLess(residual(self.A, x, self.b), 1e-7)

    def test_several_right_hand_sides(self):
        B = random.normal(size=(self.A.shape[0], 5))
        with glsolve.Solver(self.A, self.device, method="cg", preconditioner="amg") as solver:
            X, reports = solver.solve(B)
            self.assertEqual((X.shape, len(reports)), (B.shape, 5))
            for k in range(5):
                self.assertTrue(reports[k].converged)
                self.assertLess(residual(self.A, X[:, k], B[:, k]), 1.1e-8)
            again, reports = solver.solve(B, X)
            self.assertEqual([report.iterations for report in reports], [0] * 5)
            x, reports = solver.solve(np.empty((self.A.shape[0], 0)))
            self.assertEqual((x.shape, reports), ((self.A.shape[0], 0), []))

    def test_update_values(self):
        with glsolve.Solver(self.A.copy(), self.device) as solver:
            solver.update_values(3 * self.A)
            x, report = solver.solve(self.b)
            self.assertLess(residual(3 * self.A, x, self.b), 1e-7)
            solver.update_values(self.A.data * 2)
            x, report = solver.solve(self.b)
            self.assertLess(residual(2 * self.A, x, self.b), 1e-7)
            with self.assertRaisesRegex(ValueError, "other places"):
                solver.update_values(sp.identity(self.A.shape[0]))
            with self.assertRaisesRegex(ValueError, "one for each is needed"):
                solver.update_values(self.A.data[:-1])
        with glsolve.Solver(self.A.tocsc(), self.device) as solver:
            with self.assertRaisesRegex(ValueError, "ascending columns"):
                solver.update_values(self.A.tocsc().data)
            solver.update_values(5 * self.A.tocsc())
            self.assertLess(residual(5 * self.A, solver.solve(self.b)[0], self.b), 1e-7)

    def test_preconditioner_of_scipy(self):
        with glsolve.Solver(self.A, self.device, method="cg", preconditioner="amg") as solver:
            count = [0]

            def counted(_):
                count[0] += 1

            x, info = sl.cg(self.A, self.b, M=solver.as_preconditioner(), callback=counted, atol=1e-10)
            self.assertEqual(info, 0)
            self.assertLess(count[0], 12)
            self.assertLess(np.linalg.norm(self.A.dot(solver.as_inverse() @ self.b) - self.b), 1e-7 * np.linalg.norm(self.b))
            both = solver.precondition(np.column_stack([self.b, 2 * self.b]))
            np.testing.assert_array_equal(2 * both[:, 0], both[:, 1])

    def test_near_null_space(self):
        A = glsolve.generate("elasticity", 6, 6, 6)
        b = random.normal(size=A.shape[0])
        modes = np.kron(np.ones((A.shape[0] // 3, 1)), np.eye(3))
        x, report = glsolve.solve(
            A, b, device=self.device, method="cg", preconditioner="amg", near_null_space=modes, amg_unknowns_a_point=3)
        self.assertTrue(report.converged, report)
        self.assertLess(report.iterations, 60)
        with self.assertRaisesRegex(ValueError, "rows"):
            glsolve.Solver(A, self.device, preconditioner="amg", near_null_space=modes[1:])

    def test_reports(self):
        with glsolve.Solver(self.A, self.device, method="cg", preconditioner="jacobi") as solver:
            x, report = solver.solve(self.b)
            self.assertEqual(report.outcome, "converged")
            self.assertIn("converged after", repr(report))
            self.assertEqual(report.history.shape[1], 3)
            self.assertLess(report.history[-1, 1], 1e-8)
            self.assertEqual((solver.info.method, solver.info.preconditioner), ("cg", "jacobi"))
            self.assertIn("cg with jacobi", repr(solver))
            spectrum = solver.spectrum()
            self.assertTrue(0 < spectrum.smallest < spectrum.largest < 2.1)

    def test_plot(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not there")
        matplotlib.use("Agg")
        x, report = glsolve.solve(self.A, self.b, device=self.device, method="cg", preconditioner="jacobi")
        axes = report.plot()
        self.assertEqual(len(axes.lines[0].get_xdata()), len(report.history))

    def test_failure_is_a_result(self):
        x, report = glsolve.solve(
            self.A, self.b, device=self.device, method="cg", preconditioner="none", max_iterations=3)
        self.assertFalse(report.converged)
        self.assertEqual((report.outcome, report.iterations), ("max_iterations", 3))
        singular = sp.diags([1.0, 0.0, 2.0], format="csr")
        x, report = glsolve.solve(singular, [1.0, 1.0, 1.0], device=self.device)
        self.assertEqual(report.outcome, "inconsistent")


class Grids(unittest.TestCase):
    def test_cells_and_matrix(self):
        device = glsolve.Device(backend="host")
        for shape in ((14, 21), (5, 9, 11)):
            b = random.normal(size=shape)
            kinds, coefficients = np.zeros(shape, int), random.uniform(1, 5, size=shape)
            kinds[(3,) * len(shape)], kinds[(0,) * len(shape)] = glsolve.SOLID, glsolve.OPEN
            b[kinds != glsolve.UNKNOWN] = 0
            with self.subTest(shape=shape), glsolve.GridSolver(
                shape, device, spacing=(0.1, 0.2, 0.1), walls={"y": ("dirichlet", "closed")}
            ) as solver:
                solver.set_cells(kinds, coefficients)
                x, report = solver.solve(b)
                self.assertTrue(report.converged, report)
                A = solver.matrix()
                self.assertLess(residual(A, x.ravel(), b.ravel()), 1.1e-8)
                y, info = sl.cg(A, b.ravel(), M=solver.as_preconditioner(), atol=1e-9)
                self.assertEqual(info, 0)
                self.assertIn("cg with multigrid", repr(solver))
                x, report = solver.solve(b.ravel(), x.ravel())
                self.assertEqual((report.iterations, x.shape), (0, (b.size,)))

    def test_refusals(self):
        device = glsolve.Device(backend="host")
        for words, call in (
            ("shape is", lambda: glsolve.GridSolver((4,), device)),
            ("closed or dirichlet", lambda: glsolve.GridSolver((4, 4), device, walls={"x": ("open", "closed")})),
            ("the grid has", lambda: glsolve.GridSolver((4, 4), device).solve(np.ones(15))),
            ("other than", lambda: glsolve.GridSolver((4, 4), device).set_cells(np.full((4, 4), 257))),
            ("complex", lambda: glsolve.GridSolver((4, 4), device).solve(1j * np.ones((4, 4)))),
            ("spacing", lambda: glsolve.GridSolver((4, 4), device, spacing=(1, 1, 1, 1))),
            ("double quote", lambda: glsolve.GridSolver((4, 4), device, choice_cache='"')),
            ("kinds.* is 7", lambda: glsolve.GridSolver((4, 4), device).set_cells(np.full((4, 4), 7))),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                call()


class Callbacks(unittest.TestCase):
    def solver(self, callback):
        A = glsolve.generate("poisson2d", 60)
        return glsolve.Solver(
            A, glsolve.Device(backend="host"), callback=callback, method="cg", preconditioner="none"), np.ones(3600)

    def test_progress_and_end(self):
        seen = []

        def callback(progress):
            seen.append(progress)
            return len(seen) < 2

        solver, b = self.solver(callback)
        x, report = solver.solve(b)
        self.assertEqual((report.outcome, len(seen)), ("cancelled", 2))
        self.assertGreater(seen[1].iteration, seen[0].iteration)

    def test_exceptions_come_through(self):
        for kind in (KeyboardInterrupt, ZeroDivisionError):

            def callback(_, kind=kind):
                raise kind

            solver, b = self.solver(callback)
            with self.assertRaises(kind):
                solver.solve(b)
            solver._callback = None
            self.assertTrue(solver.solve(b)[1].converged)


class Refusals(unittest.TestCase):
    def test_words(self):
        device = glsolve.Device(backend="host")
        A = glsolve.generate("poisson2d", 4)
        for error, words, call in (
            (ValueError, "tolerence", lambda: glsolve.Solver(A, device, tolerence=1)),
            (ValueError, "bicgstab", lambda: glsolve.Solver(A, device, method="bicgstad")),
            (ValueError, "complex", lambda: glsolve.Solver(A * 1j, device)),
            (ValueError, "complex", lambda: glsolve.solve(A, 1j * np.ones(16), device=device)),
            (ValueError, "16 rows", lambda: glsolve.solve(A, np.ones(15), device=device)),
            (ValueError, "x0 has the shape", lambda: glsolve.solve(A, np.ones(16), np.ones(3), device=device)),
            (ValueError, "finite|NaN|nan", lambda: glsolve.Solver(A * np.nan, device)),
            (ValueError, "vulkan", lambda: glsolve.Device(backend="vulkan")),
            (ValueError, "poisson2d", lambda: glsolve.generate("poison2d", 3)),
            (ValueError, "no-such-file", lambda: glsolve.read("no-such-file.mtx")),
            (ValueError, "has no preconditioner",
             lambda: glsolve.Solver(A, device, method="direct").precondition(np.ones(16))),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()

    def test_closed(self):
        device = glsolve.Device(backend="host")
        solver = glsolve.Solver(glsolve.generate("poisson2d", 4), device)
        device.close()
        self.assertTrue(solver.solve(np.ones(16))[1].converged)  # it keeps what it needs
        solver.close()
        solver.close()
        self.assertEqual(repr(solver), "<Solver, closed>")
        with self.assertRaisesRegex(ValueError, "NULL"):
            solver.solve(np.ones(16))


class Documents(unittest.TestCase):
    def test_examples(self):
        """Those of docs/python.md, one after the other, but for what needs a window."""
        page = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
        names = {}
        ran = 0
        for block in blocks:
            if "moderngl" in block or "matplotlib" in block:
                continue
            with self.subTest(block=block):
                exec(compile(block, str(page), "exec"), names)
                ran += 1
        self.assertGreater(ran, 3)


class Library(unittest.TestCase):
    def test_devices_of_threads(self):
        found = []

        def work():
            A = glsolve.generate("poisson2d", 20)
            found.append(glsolve.solve(A, np.ones(400), device=glsolve.Device(backend="host"))[1].converged)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [True] * 3)

    def test_listings(self):
        self.assertIn("host", [device.backend for device in glsolve.devices()])
        names = [option.name for option in glsolve.options()]
        self.assertIn("max_iterations", names)
        self.assertIn("gmres", next(o for o in glsolve.options() if o.name == "method").values)

    def test_files(self):
        import tempfile

        A = glsolve.generate("convection-diffusion", 9)
        with tempfile.TemporaryDirectory() as folder:
            for name in "A.mtx", "A.npz":
                glsolve.write(f"{folder}/{name}", A)
                self.assertEqual(abs(glsolve.read(f"{folder}/{name}") - A).max(), 0)
            self.assertEqual(abs(sp.load_npz(f"{folder}/A.npz") - A).max(), 0)

    def test_version(self):
        project = pathlib.Path(__file__).parents[2] / "python" / "pyproject.toml"
        self.assertIn(f'version = "{glsolve.__version__}"', project.read_text())
        self.assertTrue(re.fullmatch(r"\d+\.\d+\.\d+", glsolve.__version__))


def load_tests(loader, tests, pattern):
    import glsolve._grid
    import glsolve._matrices
    import glsolve._reports
    import glsolve._solver

    for module in (glsolve, glsolve._grid, glsolve._matrices, glsolve._reports, glsolve._solver):
        tests.addTests(doctest.DocTestSuite(module))
    return tests


if __name__ == "__main__":
    unittest.main()
