#!/usr/bin/env python3
"""What a system costs from its file to its answer: the table in README.md.

Three systems are generated. Each program then starts, reads A and b from Matrix Market files, solves to 1e-8, and
writes x. What counts is the time by the clock from the start of the process to its end. An answer counts only if
|b - A x| <= 2e-8 |b|, which this script computes. Each program has several ways; the fastest one of two runs each is in
the table, and is run again, in turn with those of the others.

    pip install scipy            # or apt-get install python3-scipy; from 1.12 on it reads files several times faster
    git clone https://github.com/ddemidov/amgcl
    g++ -std=c++17 -O3 -march=native -fopenmp -DAMGCL_NO_BOOST -I amgcl bench/file_to_answer/amgcl_solve.cpp -o amgcl_solve
    bench/file_to_answer/measure.py --glsolve build/release/src/cli/glsolve --amgcl ./amgcl_solve
    bench/file_to_answer/measure.py ... --gpu "--backend cuda"     # adds a column: glsolve on the GPU

All but the GPU column have two cores (--cores 0,1). What is not there (AMGCL) is left out, and said.
"""

import argparse
import functools
import os
import pathlib
import platform
import shlex
import statistics
import subprocess
import sys
import time

# Name, how glsolve generates it, and the ways of each program.
SYSTEMS = {
    "poisson": {
        "words": "Poisson, 1024 x 1024 unknowns",
        "generate": "poisson2d 1024",
        "quick": "poisson2d 128",
        "glsolve": ["", "--preconditioner amg"],
        "amgcl": ["amg-cg"],
        "spsolve": ["COLAMD", "MMD_AT_PLUS_A"],
    },
    "poisson3d": {
        "words": "Poisson, 100 x 100 x 100 unknowns",
        "generate": "poisson3d 100",
        "quick": "poisson3d 20",
        "glsolve": ["", "--preconditioner amg"],
        "amgcl": ["amg-cg"],
        "spsolve": ["COLAMD", "MMD_AT_PLUS_A"],
    },
    "flow": {
        "words": "flow, unsymmetric, 48 x 48 x 48 unknowns",
        "generate": "convection-diffusion3d 48 --peclet 1",
        "quick": "convection-diffusion3d 16 --peclet 1",
        "glsolve": ["", "--method bicgstab --preconditioner ilu0", "--preconditioner amg --amg-coarsening ruge-stueben"],
        "amgcl": ["amg-bicgstab", "ilu0-bicgstab"],
        "spsolve": ["COLAMD", "MMD_AT_PLUS_A"],
    },
}
TOLERATED = 2e-8  # all are asked for 1e-8, and estimate it in their own way


def spsolve(ordering, matrix, right_hand_side, answer):
    """This script is also the program that calls scipy."""
    import scipy.io
    import scipy.sparse.linalg

    begin = time.perf_counter()
    A = scipy.io.mmread(matrix).tocsc()
    b = scipy.io.mmread(right_hand_side)[:, 0]
    read = time.perf_counter()
    x = scipy.sparse.linalg.spsolve(A, b, permc_spec=ordering)
    solved = time.perf_counter()
    scipy.io.mmwrite(answer, x[:, None], precision=17)
    print(f"read {read - begin:.3f} s, solve {solved - read:.3f} s, write {time.perf_counter() - solved:.3f} s")


class Files:
    def __init__(self, folder, name):
        self.A, self.b, self.x = (folder / f"{name}{end}.mtx" for end in ("", "-b", "-x"))

    @functools.cached_property
    def system(self):
        import scipy.io

        return scipy.io.mmread(self.A).tocsr(), scipy.io.mmread(self.b)[:, 0]

    def residual(self):
        import numpy
        import scipy.io

        A, b = self.system
        x = scipy.io.mmread(self.x)[:, 0]
        return numpy.linalg.norm(b - A @ x) / numpy.linalg.norm(b)


def ways(a, system, files):
    """Pairs of a column and a command."""
    pinned = ["taskset", "-c", a.cores]
    found = []
    for place, cores in ((a.gpu, []), (a.cpu, pinned)):
        if place is None:
            continue
        column = "glsolve, two cores" if cores else "glsolve, GPU"
        for options in system["glsolve"]:
            words = shlex.split(f"{place} {options}")
            found.append((column, cores + [a.glsolve, "solve", files.A, "-b", files.b, "-o", files.x] + words))
    for ordering in system["spsolve"]:
        found.append(("spsolve", pinned + [sys.executable, __file__, "spsolve", ordering, files.A, files.b, files.x]))
    for method in system["amgcl"] if a.amgcl else []:
        found.append(("AMGCL", pinned + [a.amgcl, method, files.A, files.b, files.x]))
    return [(column, [str(word) for word in command]) for column, command in found]


def timed(a, command, files):
    """Seconds, or nothing where there is no answer; and what to say of it."""
    files.x.unlink(missing_ok=True)
    threads = str(len(a.cores.split(",")))
    environment = os.environ | ({"OMP_NUM_THREADS": threads} if command[0] == "taskset" else {})
    begin = time.perf_counter()
    try:
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=a.limit)
    except subprocess.TimeoutExpired:
        return None, f"more than {a.limit} s"
    seconds = time.perf_counter() - begin
    said = [line.strip() for line in run.stdout.splitlines() if line.startswith(("read", "time", "method", "device"))]
    if run.returncode != 0 or not files.x.exists():
        return None, f"exit code {run.returncode}: {run.stderr.strip()[-200:]}"
    residual = files.residual()
    if not residual <= TOLERATED:
        return None, f"residual {residual:.1e}"
    return seconds, f"residual {residual:.1e}; {'; '.join(said)}"


def said_of(a, column, command, files):
    seconds, words = timed(a, command, files)
    print(f"{column}: {'no answer' if seconds is None else f'{seconds:.2f} s'}: {words}\n    {shlex.join(command)}", flush=True)
    return seconds


def measure(a, name):
    system, files = SYSTEMS[name], Files(a.folder, f"{name}-quick" if a.quick else name)
    if not files.A.exists():
        generate = system["quick" if a.quick else "generate"]
        subprocess.run([a.glsolve, "generate", *shlex.split(generate), "-o", files.A, "-b", files.b], check=True)
    best = {}  # of each column: its times, and the command
    for column, command in ways(a, system, files):
        times = [said_of(a, column, command, files)]
        if times[0] is not None and times[0] < 60:
            times.append(said_of(a, column, command, files))  # the first one may have compiled shaders
        known = best.setdefault(column, ([], command))[0]
        if None not in times and (not known or min(times) < min(known)):
            best[column] = times, command
    for _ in range(2, a.rounds):
        for column, (times, command) in best.items():
            if times:
                times.append(said_of(a, column, command, files))
    return files, best


def main():
    if sys.argv[1:2] == ["spsolve"]:
        return spsolve(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--glsolve", required=True)
    parser.add_argument("--amgcl", help="amgcl_solve, compiled from the file beside this one")
    parser.add_argument("--gpu", help='options of glsolve on a GPU, such as "--backend cuda"')
    parser.add_argument("--cpu", default="", help='options of glsolve on two cores, such as "--backend host"')
    parser.add_argument("--cores", default="0,1")
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--quick", action="store_true", help="much smaller systems, to try the script")
    parser.add_argument("--limit", type=float, default=300, help="seconds of a run, at most")
    parser.add_argument("--folder", type=pathlib.Path, default="/tmp/file_to_answer", help="of the systems, which are kept")
    a = parser.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    if not a.amgcl:
        print("AMGCL is left out: no --amgcl")
    import scipy

    rows = []
    for name in a.systems.split(","):
        files, best = measure(a, name)
        A = files.system[0]
        size = f"{A.shape[0]:,} rows, {A.nnz:,} nonzeros, {files.A.stat().st_size / 1e6:.0f} MB"
        rows.append((f"{SYSTEMS[name]['words']}: {size}", best))
    columns = list(dict.fromkeys(column for _, best in rows for column in best))
    print(f"\n{platform.processor() or platform.machine()}, {os.cpu_count()} cores, scipy {scipy.__version__}; seconds, "
          f"median of the runs after the first one, which is in brackets\n")
    print("| system | " + " | ".join(columns) + " |\n|---|" + "---:|" * len(columns))
    for words, best in rows:
        print(f"| {words} | " + " | ".join(cell(best[column][0]) if column in best else "-" for column in columns) + " |")
    print()
    for words, best in rows:
        for column, (_, command) in best.items():
            print(f"{words.split(':')[0]}, {column}: {shlex.join(command)}")


def cell(times):
    if not times or None in times:
        return "-"
    return f"{statistics.median(times[1:] or times):.2f} ({times[0]:.2f})"


if __name__ == "__main__":
    sys.exit(main())
