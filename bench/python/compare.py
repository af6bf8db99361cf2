#!/usr/bin/env python3
"""Seconds from a scipy matrix to the answer: glsolve beside scipy, and pyamg and CuPy where they are installed.

Each way is run in turn with the others; the least of the rounds is printed, in brackets the first. Every answer is tested:
|b - A x| <= tolerance |b|, or it says by how much it misses.

    PYTHONPATH=build/release/python bench/python/compare.py --sizes 256,512 --devices host
"""

import argparse
import time

import numpy as np
import scipy.sparse.linalg as sl

import glsolve


def ways(devices):
    """name: a function of A and b that returns x."""
    made = {}
    for name in devices:
        device = glsolve.Device(backend=name)

        def solve(A, b, tolerance, device=device):
            return glsolve.solve(A, b, device=device, tolerance=tolerance)[0]

        made[f"glsolve, {name}"] = solve
    made["scipy spsolve"] = lambda A, b, _: sl.spsolve(A.tocsc(), b)

    def scipy_cg(A, b, tolerance):
        try:
            return sl.cg(A, b, rtol=tolerance, atol=0, maxiter=100000)[0]
        except TypeError:  # before SciPy 1.12
            return sl.cg(A, b, tol=tolerance, atol=0, maxiter=100000)[0]

    made["scipy cg"] = scipy_cg
    try:
        import pyamg

        made["pyamg, cg"] = lambda A, b, tolerance: pyamg.smoothed_aggregation_solver(A).solve(
            b, tol=tolerance, accel="cg", maxiter=1000)
    except ImportError:
        print("pyamg is not installed")
    try:
        import cupy
        import cupyx.scipy.sparse as csp
        import cupyx.scipy.sparse.linalg as csl

        made["CuPy cg"] = lambda A, b, tolerance: cupy.asnumpy(
            csl.cg(csp.csr_matrix(A), cupy.asarray(b), tol=tolerance, maxiter=100000)[0])
    except Exception as error:
        print("CuPy is not there:", type(error).__name__)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="128,256,512", help="N of poisson2d, N x N unknowns")
    parser.add_argument("--devices", default="host", help="backends of glsolve, with commas between")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=30, help="seconds; a way that took longer is left out of larger systems")
    arguments = parser.parse_args()
    all_ways, slow = ways(arguments.devices.split(",")), set()
    print("| system |", " | ".join(all_ways), "|")
    print("|---|" + "---:|" * len(all_ways))
    for size in map(int, arguments.sizes.split(",")):
        A = glsolve.generate("poisson2d", size)
        b = np.random.default_rng(1).normal(size=A.shape[0])
        seconds, misses = {name: [] for name in all_ways}, {}
        for _ in range(arguments.rounds):
            for name, solve in all_ways.items():
                if name in slow:
                    continue
                begin = time.perf_counter()
                x = solve(A, b, arguments.tolerance)
                seconds[name].append(time.perf_counter() - begin)
                missed = np.linalg.norm(b - A @ x) / np.linalg.norm(b) / arguments.tolerance
                if missed > 1.001:
                    misses[name] = missed
        cells = []
        for name, each in seconds.items():
            cells.append(f"{min(each):.3f} ({each[0]:.3f})" if each else f"more than {arguments.limit:g}")
            if name in misses:
                cells[-1] += f", misses by {misses[name]:.1f}"
            if each and min(each) > arguments.limit:
                slow.add(name)
        print(f"| {size} x {size} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
