#!/usr/bin/env python3
"""What `glsolve solve FILE` takes without options, beside fixed choices and other libraries, system by system.

    bench/auto/bench_auto.py --glsolve build/release/src/cli/glsolve --results auto.jsonl --minutes 10 A.mtx B.mtx.gz ...

Each measurement is a line of the file of results, and is not made again: the command can be stopped, called again, and
cut into pieces of some minutes. Seconds are those of set-up and solve, of the faster of two runs. With all results
there, it prints a table in Markdown: auto, the best fixed choice, and how far these are from each other.

Choices (--choices):
    auto       without options, as if such a matrix had never been solved (--forget)
    known      without options, after earlier solves of the same matrix, which are remembered
    cg amg     a method and a preconditioner
    spsolve    SuperLU by scipy                            (needs python3-scipy, as do the next two)
    eigen      BiCGStab with ILUT                          (--eigen ./eigen_solve, of bench/file_to_answer)
    amgcl      BiCGStab, for symmetric matrices CG, with AMG, or ILU(0) where that fails  (--amgcl ./amgcl_solve)
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

SYMMETRIC = ["cg jacobi", "cg amg", "cg multigrid", "cg ic0", "cg fsai", "minres jacobi"]
ANY = ["gmres jacobi", "gmres ilu0", "gmres ilut", "gmres amg", "bicgstab jacobi", "bicgstab ilu0", "bicgstab ilut",
       "idr jacobi", "direct"]
FIXED = SYMMETRIC + ANY
OURS = ["auto", "known"]
PEERS = ["spsolve", "eigen", "amgcl"]
MEASURE = pathlib.Path(__file__).parent.parent / "file_to_answer" / "measure.py"  # which calls spsolve


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--glsolve", default="build/release/src/cli/glsolve")
    parser.add_argument("--eigen", help="eigen_solve, compiled")
    parser.add_argument("--amgcl", help="amgcl_solve, compiled")
    parser.add_argument("--results", default="auto.jsonl", help="file of results; it is read, and lines are added")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begins no measurement after so many")
    parser.add_argument("--limit", type=float, default=30, help="seconds that a solve may take")
    parser.add_argument("--arguments", default="--backend host", help="arguments of glsolve: the device")
    parser.add_argument("--choices", default=",".join(OURS + FIXED + PEERS), help="which ones, with commas in between")
    parser.add_argument("systems", nargs="*", help="files, or kinds with sizes as `glsolve generate` takes them")
    return parser.parse_args()


def switches(choice):
    if choice in OURS:
        return ["--forget"] if choice == "auto" else []
    words = choice.split()
    return ["--method", words[0]] + (["--preconditioner", words[1]] if len(words) > 1 else [])


def system_file(system, glsolve, folder):
    """The system itself where it is a file; else it is generated, once."""
    if pathlib.Path(system).exists():
        return system
    file = folder / (system.replace(" ", "-") + ".mtx")
    if not file.exists():
        subprocess.run([glsolve, "generate", *system.split(), "-o", str(file)], check=True, stdout=subprocess.DEVNULL)
    return str(file)


def once(a, file, choice):
    command = [a.glsolve, "solve", file, *a.arguments.split(), *switches(choice), "--seconds", str(a.limit), "--quiet",
               "--json", "-"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * a.limit + 60)
        report = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"outcome": "time_limit", "seconds": 3 * a.limit}
    except json.JSONDecodeError:
        return {"outcome": "refused", "seconds": 0, "words": done.stderr.strip()[-300:]}
    took = report["seconds"]
    return {"outcome": report["status"], "seconds": took["setup"] + took["solve"],
            "residual": report["relative_residual"], "iterations": report["iterations"], "method": report["method"],
            "preconditioner": report["preconditioner"]}


def measured(a, file, choice):
    if choice in PEERS:
        return peer(a, file, choice)
    if choice == "known":  # until it has found what is best
        for _ in range(3):
            once(a, file, choice)
    first = once(a, file, choice)
    if first["outcome"] != "converged" or first["seconds"] > 5:
        return first
    second = once(a, file, choice)
    return min(first, second, key=lambda found: found["seconds"])


def peer(a, file, choice):
    """Of another library, with a random right-hand side of its own. An answer counts if |b - A x| <= 2e-8 |b|."""
    import numpy
    import scipy.io
    import scipy.sparse

    A = scipy.sparse.csr_matrix(scipy.io.mmread(file)).astype(float)
    b = A @ numpy.random.default_rng(1).standard_normal(A.shape[1])
    symmetric = abs(A - A.T).max() == 0
    of_amgcl = ["amg-cg", "ilu0-bicgstab"] if symmetric else ["amg-bicgstab", "ilu0-bicgstab"]
    with tempfile.TemporaryDirectory() as folder:
        files = [str(pathlib.Path(folder) / name) for name in ("A.mtx", "b.mtx", "x.mtx")]
        scipy.io.mmwrite(files[0], A, symmetry="general", precision=17)
        scipy.io.mmwrite(files[1], b[:, None], precision=17)
        ways = {"spsolve": [[sys.executable, str(MEASURE), "spsolve", order] for order in ("COLAMD", "MMD_AT_PLUS_A")],
                "eigen": [[a.eigen, "ilut-bicgstab"]] if a.eigen else [],
                "amgcl": [[a.amgcl, method] for method in of_amgcl] if a.amgcl else []}[choice]
        found = [run_peer(a, way + files, A, b, files[2]) for way in ways]
    solved = [one for one in found if one["outcome"] == "converged"]
    return min(solved or found, key=lambda one: one["seconds"], default={"outcome": "absent", "seconds": 0})


def run_peer(a, command, A, b, answer):
    import numpy
    import scipy.io

    environment = os.environ | {"OMP_NUM_THREADS": str(len(os.sched_getaffinity(0)))}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=a.limit)
    except subprocess.TimeoutExpired:
        return {"outcome": "time_limit", "seconds": a.limit}
    if done.returncode != 0 or not pathlib.Path(answer).exists():
        return {"outcome": "failed", "seconds": 0, "words": done.stderr.strip()[-300:]}
    x = scipy.io.mmread(answer)[:, 0]
    pathlib.Path(answer).unlink()
    residual = float(numpy.linalg.norm(b - A @ x) / numpy.linalg.norm(b))
    seconds = sum(map(float, re.findall(r"(?:set-up|solve) ([0-9.e+-]+) s", done.stdout)))
    return {"outcome": "converged" if residual <= 2e-8 else "wrong", "seconds": seconds, "residual": residual}


def name_of(system):
    return pathlib.Path(system).name.removesuffix(".gz").removesuffix(".mtx").replace(" ", "-")


def said(row):
    if row is None:
        return ""
    return f"{row['seconds']:.3g}" if row["outcome"] == "converged" else row["outcome"].replace("_", " ")


def table(systems, results):
    names = [name_of(system) for system in systems]
    ours = [c for c in OURS if any((name, c) in results for name in names)]
    peers = [c for c in PEERS if any((name, c) in results for name in names)]
    print("| system | " + " | ".join(ours) + " | takes | best fixed | |" + "".join(f" {c} |" for c in peers))
    print("|---|" + "---:|" * len(ours) + "---|---|---:|" + "---:|" * len(peers))
    ratios = {choice: [] for choice in ours}
    for name in names:
        rows = {choice: results[name, choice] for choice in FIXED if (name, choice) in results}
        fixed = {choice: row for choice, row in rows.items() if row["outcome"] == "converged"}
        best = min(fixed, key=lambda choice: fixed[choice]["seconds"]) if fixed else None
        for choice in ours:
            row = results.get((name, choice))
            if best and row and row["outcome"] == "converged":
                ratios[choice].append(row["seconds"] / fixed[best]["seconds"])
        takes = results.get((name, ours[-1])) if ours else None
        with_what = f"{takes.get('method', '')} {takes.get('preconditioner', '')}".replace("none", "") if takes else ""
        cells = [name, *(said(results.get((name, c))) for c in ours), with_what.strip(), best or "none",
                 said(fixed[best]) if best else "", *(said(results.get((name, c))) for c in peers)]
        print("|" + "|".join(cells) + "|")
    for choice, of in ratios.items():
        if of:
            mean = math.exp(sum(map(math.log, of)) / len(of))
            print(f"\n{choice}: {len(of)} systems, geometric mean of {choice} / best {mean:.2f}, above 2 on "
                  f"{sum(ratio > 2 for ratio in of)}, largest {max(of):.1f}")


def main():
    a = arguments()
    begin = time.monotonic()
    results_file = pathlib.Path(a.results)
    results = {}
    if results_file.exists():
        for line in results_file.read_text().splitlines():
            row = json.loads(line)
            results[row["system"], row["choice"]] = row
    choices = a.choices.split(",")
    folder = results_file.resolve().parent
    with results_file.open("a") as out:
        for system in a.systems:
            for choice in choices:
                if (name_of(system), choice) in results:
                    continue
                if time.monotonic() - begin > 60 * a.minutes:
                    print(f"{results_file}: not through yet; call again", file=sys.stderr)
                    return 2
                file = system_file(system, a.glsolve, folder)
                row = {"system": name_of(system), "choice": choice, **measured(a, file, choice)}
                out.write(json.dumps(row) + "\n")
                out.flush()
                results[row["system"], choice] = row
    table(a.systems, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
