#!/usr/bin/env python3
"""What Poisson's problem costs on processor cores: the table "two cores, no GPU" in docs/performance.md.

Each program reads A and b from Matrix Market files, solves to 1e-8 and writes x. Here the seconds of set-up and solve
count, by the program's own clock; files do not. The programs run in turn, and the least of some rounds is in the table. An
answer counts only if |b - A x| <= 2e-8 |b|, which this script computes.

    apt-get install python3-scipy libeigen3-dev
    git clone https://github.com/ddemidov/amgcl
    cd bench/file_to_answer
    g++ -std=c++17 -O3 -march=native -fopenmp -DAMGCL_NO_BOOST -I ../../amgcl amgcl_solve.cpp -o amgcl_solve
    g++ -std=c++17 -O3 -march=native -fopenmp -I /usr/include/eigen3 eigen_solve.cpp -o eigen_solve
    ./without_gpu.py --glsolve ../../build/release/src/cli/glsolve --amgcl ./amgcl_solve --eigen ./eigen_solve
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

import numpy
import scipy
import scipy.sparse
import scipy.sparse.linalg

TOLERATED = 2e-8  # all are asked for 1e-8, and estimate it in their own way
JACOBI, AMG = "--method cg --preconditioner jacobi", "--method cg --preconditioner amg"
COLUMNS = {
    "CG + Jacobi: llvmpipe": ("glsolve", f"--backend opengl {JACOBI}"),
    "CG + Jacobi: host, single": ("glsolve", f"--backend host {JACOBI}"),
    "CG + Jacobi: host, double": ("glsolve", f"--backend host --precision double {JACOBI}"),
    "Eigen": ("eigen", "cg-jacobi"),
    "CG + multigrid: llvmpipe": ("glsolve", f"--backend opengl {AMG}"),
    "CG + multigrid: host, single": ("glsolve", f"--backend host {AMG}"),
    "CG + multigrid: host, double": ("glsolve", f"--backend host --precision double {AMG}"),
    "AMGCL": ("amgcl", "amg-cg"),
    "AMGCL, mixed": ("amgcl", "mixed-amg-cg"),
    "no options": ("glsolve", ""),
    "scipy `spsolve`": ("scipy", "spsolve"),
}


def poisson(side):
    """-Laplace on side x side unknowns, as `glsolve generate poisson2d` writes it."""
    line = scipy.sparse.diags([-1, 2, -1], [-1, 0, 1], (side, side))
    one = scipy.sparse.identity(side)
    return (scipy.sparse.kron(line, one) + scipy.sparse.kron(one, line)).tocsr()


def vector_of(file):
    with open(file) as lines:
        while lines.readline().startswith("%"):
            pass  # the line that ends this loop has the sizes
        return numpy.loadtxt(lines)


def seconds_of(a, program, words, files, system):
    """Set-up and solve; and what the program says."""
    A, b = system
    answer = files["x"]
    answer.unlink(missing_ok=True)
    if program == "scipy":
        begin = time.perf_counter()
        x = scipy.sparse.linalg.spsolve(A.tocsc(), b)
        return time.perf_counter() - begin, numpy.linalg.norm(b - A @ x) / numpy.linalg.norm(b), ""
    if program == "glsolve":
        command = [a.glsolve, "solve", files["A"], "-b", files["b"], "-o", answer, "--json", files["report"], *shlex.split(words)]
    else:
        command = [vars(a)[program], words, files["A"], files["b"], answer]
    command = ["taskset", "-c", a.cores, *map(str, command)]
    environment = os.environ | {"OMP_NUM_THREADS": str(len(a.cores.split(",")))}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=a.limit)
    if not answer.exists():
        raise RuntimeError(run.stderr.strip()[-200:])
    residual = numpy.linalg.norm(b - A @ vector_of(answer)) / numpy.linalg.norm(b)
    if program == "glsolve":
        report = json.loads(files["report"].read_text())
        said = f"{report['device']['backend']}, {report['method']}, {report['preconditioner']}, {report['iterations']} iterations"
        return report["seconds"]["setup"] + report["seconds"]["solve"], residual, said
    found = [float(number) for number in re.findall(r"(?:set-up|solve) ([0-9.]+) s", run.stdout)]
    return sum(found), residual, run.stdout.strip()


def measure(a, side):
    files = {what: a.folder / f"poisson-{side}-{what}" for what in ("A", "b", "x", "report")}
    if not files["A"].exists():
        command = [a.glsolve, "generate", "poisson2d", str(side), "-o", files["A"], "-b", files["b"]]
        subprocess.run(command, check=True)
    system = poisson(side), vector_of(files["b"])
    least, left_out = {}, set()
    for _ in range(a.rounds):
        for column, (program, words) in COLUMNS.items():
            if column in left_out or (program != "scipy" and not vars(a)[program]):
                continue
            try:
                seconds, residual, said = seconds_of(a, program, words, files, system)
            except (subprocess.TimeoutExpired, RuntimeError, MemoryError) as failed:
                print(f"{side}: {column}: {failed}", flush=True)
                left_out.add(column)
                continue
            print(f"{side}: {column}: {seconds:.4f} s, residual {residual:.1e}; {said}", flush=True)
            if residual <= TOLERATED:
                least[column] = min(seconds, least.get(column, seconds))
            if seconds > a.long:
                left_out.add(column)  # once is enough
    return least


def cell(seconds):
    if seconds is None:
        return "-"
    return f"{seconds:.4f}" if seconds < 0.1 else f"{seconds:.2f}" if seconds < 10 else f"{seconds:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--glsolve", required=True)
    parser.add_argument("--amgcl", help="amgcl_solve, compiled from the file beside this one")
    parser.add_argument("--eigen", help="eigen_solve, compiled from the file beside this one")
    parser.add_argument("--cores", default="0,1")
    parser.add_argument("--sides", default="32,100,316,1000,2000", help="unknowns a side of the square")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--long", type=float, default=20, help="what takes more seconds runs once")
    parser.add_argument("--limit", type=float, default=200, help="seconds of a process, with its files, at most; scipy runs without a limit")
    parser.add_argument("--folder", type=pathlib.Path, default="/tmp/without_gpu", help="of the systems, which are kept")
    a = parser.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    os.sched_setaffinity(0, {int(core) for core in a.cores.split(",")})  # scipy runs in this process
    rows = {int(side): measure(a, int(side)) for side in a.sides.split(",")}
    print(f"\nCores {a.cores}, scipy {scipy.__version__}; seconds of set-up and solve\n")
    print("| unknowns | " + " | ".join(COLUMNS) + " |\n|---:|" + "---:|" * len(COLUMNS))
    for side, least in rows.items():
        print(f"| {side * side:,} | " + " | ".join(cell(least.get(column)) for column in COLUMNS) + " |")


if __name__ == "__main__":
    sys.exit(main())
