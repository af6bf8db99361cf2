#!/usr/bin/env python3
"""Where the time from a file to its answer goes: the table "file to answer" in docs/performance.md.

Poisson's problem in several sizes. Each program starts, reads A and b, solves to 1e-8 and writes x; the row is that of
the round that took least, by the clock from the start of the process to its end. The phases are those that
`glsolve solve --json` tells. `only_open` opens the device and ends. Programs run in turn.

    g++ -std=c++20 -O2 only_open.cpp -o only_open -ldl -lEGL          # and the others as measure.py says
    bench/file_to_answer/phases.py --glsolve build/release/src/cli/glsolve --only-open ./only_open \\
        --devices host cuda opengl --amgcl ./amgcl_solve --eigen ./eigen_solve --spsolve
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PHASES = ["start", "read", "open", "compile", "set up", "upload", "solve", "judge", "write"]
MEASURE = pathlib.Path(__file__).parent / "measure.py"  # which calls spsolve


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--glsolve", default="build/release/src/cli/glsolve")
    parser.add_argument("--only-open", help="only_open, compiled")
    parser.add_argument("--amgcl", help="amgcl_solve, compiled")
    parser.add_argument("--eigen", help="eigen_solve, compiled")
    parser.add_argument("--spsolve", action="store_true", help="needs python3-scipy")
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 256, 1024, 2048], help="unknowns a side")
    parser.add_argument("--devices", nargs="+", default=["host"], help="what --backend takes, perhaps with a --stage")
    parser.add_argument("--options", default="--method cg --preconditioner jacobi", help="of glsolve")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60, help="seconds for a program")
    parser.add_argument("--folder", default="/dev/shm", help="for the files: where the disk does not count")
    return parser.parse_args()


def timed(a, command):
    """Seconds and what it has printed; nothing where it fails or takes too long."""
    threads = {"OMP_NUM_THREADS": str(len(os.sched_getaffinity(0)))}
    begin = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=a.limit, env=os.environ | threads)
    except subprocess.TimeoutExpired:
        return None
    took = time.perf_counter() - begin
    return (took, done.stdout) if done.returncode == 0 else None


def programs(a, A, b, x):
    """Pairs of what a row begins with and a command."""
    for device in a.devices:
        yield f"glsolve, {device}", [a.glsolve, "solve", A, "-b", b, "-o", x, "--quiet", "--json", "-", "--backend",
                                     *device.split(), *a.options.split()]
        kind = device.split()[0]
        if a.only_open and kind != "host":
            yield f"only {kind} opened", [a.only_open, kind]
    if a.amgcl:
        yield "AMGCL", [a.amgcl, "amg-cg", A, b, x]
    if a.eigen:
        yield "Eigen", [a.eigen, "cg-jacobi", A, b, x]
    if a.spsolve:
        yield "spsolve", [sys.executable, str(MEASURE), "spsolve", "MMD_AT_PLUS_A", A, b, x]


def row(size, name, found):
    seconds, said = found
    phases = json.loads(said)["phases"] if name.startswith("glsolve") else {}
    cells = [f"{phases[phase]:.3f}" if phase in phases else "" for phase in PHASES]
    return f"|{size} x {size}|{name}|{seconds:.3f}|{'|'.join(cells)}|"


def main():
    a = arguments()
    print(f"|unknowns|program|whole, s|{'|'.join(PHASES)}|\n|---|---|---:|{'---:|' * len(PHASES)}")
    with tempfile.TemporaryDirectory(dir=a.folder) as folder:
        A, b, x = (str(pathlib.Path(folder) / name) for name in ("A.mtx", "b.mtx", "x.mtx"))
        for size in a.sizes:
            subprocess.run([a.glsolve, "generate", "poisson2d", str(size), "-o", A, "-b", b], check=True,
                           stdout=subprocess.DEVNULL)
            best = {}
            for _ in range(a.rounds):
                for name, command in programs(a, A, b, x):
                    found = timed(a, command)
                    if found and (name not in best or found[0] < best[name][0]):
                        best[name] = found
            for name, _ in programs(a, A, b, x):
                print(row(size, name, best[name]) if name in best else f"|{size} x {size}|{name}|none|", flush=True)


if __name__ == "__main__":
    main()
