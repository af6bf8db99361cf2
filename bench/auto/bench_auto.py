#!/usr/bin/env python3
"""What `glsolve solve FILE` takes without options, beside fixed choices and other libraries, system by system.

    bench/auto/bench_auto.py --glsolve build/release/src/cli/glsolve --results auto.jsonl --minutes 10 A.mtx B.mtx.gz ...

Each measurement is a line of the file of results: the command can be stopped, called again, and cut into pieces of some
minutes. Seconds are those of set-up and solve, of the faster of two runs in one process (`glsolve compare`). A fixed
choice is stopped when its solve has taken half a second and 1.5 times as long as the best of the groups before; direct
is not, which begins only where its factors are predicted to end in time. With all results there, it prints a table in
Markdown: auto, the best fixed choice, and how far these are from each other.

Choices (--choices):
    auto       without options, as if such a matrix had never been solved
    known      without options, after earlier solves of the same matrix, which are remembered (`glsolve solve`)
    fixed      15 choices of method and preconditioner
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

# Methods with preconditioners, which one process solves with.
AUTO = ("auto", "auto")
DIRECT = ("direct", "jacobi")
GROUPS = [DIRECT, ("cg,minres,gmres,bicgstab,idr", "jacobi"), ("cg", "amg,multigrid,ic0,fsai"),
          ("gmres,bicgstab", "ilu0,ilut"), ("gmres", "amg")]


def choice_of(method, preconditioner):
    return method if method in ("auto", "direct") else f"{method} {preconditioner}"


def choices_of(group):
    methods, preconditioners = group
    return [choice_of(method, each) for each in preconditioners.split(",") for method in methods.split(",")]


FIXED = [choice for group in GROUPS for choice in choices_of(group)]
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
    parser.add_argument("--backend", default="host", help="the device, as glsolve's --backends names it")
    parser.add_argument("--choices", default="auto,fixed,known," + ",".join(PEERS),
                        help="which ones, with commas in between")
    parser.add_argument("systems", nargs="*", help="files, or kinds with sizes as `glsolve generate` takes them")
    return parser.parse_args()


def system_file(system, glsolve, folder):
    """The system itself where it is a file; else it is generated, once."""
    if pathlib.Path(system).exists():
        return system
    file = folder / (system.replace(" ", "-") + ".mtx")
    if not file.exists():
        subprocess.run([glsolve, "generate", *system.split(), "-o", str(file)], check=True, stdout=subprocess.DEVNULL)
    return str(file)


def report_of(a, command, file, switches, limit, at_most):
    """What glsolve says in JSON, or a row that tells why it says nothing."""
    whole = [a.glsolve, command, file, *switches, "--seconds", str(limit), "--quiet", "--json", "-"]
    try:
        done = subprocess.run(whole, capture_output=True, text=True, timeout=at_most)
        return json.loads(done.stdout), None
    except subprocess.TimeoutExpired:
        return None, {"outcome": "time_limit", "seconds": at_most}
    except json.JSONDecodeError:
        return None, {"outcome": "refused", "seconds": 0, "words": done.stderr.strip()[-300:]}


def row_of(report):
    took = report["seconds"]
    return {"outcome": report["status"], "seconds": took["setup"] + took["solve"],
            "residual": report["relative_residual"], "iterations": report["iterations"], "method": report["method"],
            "preconditioner": report["preconditioner"]}


def compared(a, file, group, limit):
    """A row for each choice."""
    methods, preconditioners = group
    choices = choices_of(group)
    report, failure = report_of(a, "compare", file,
                                ["--backends", a.backend, "--methods", methods, "--preconditioners", preconditioners,
                                 "--repeat", "2"], limit, 60 + 3 * limit * len(choices))
    if failure and len(choices) == 1:
        return {choices[0]: failure}
    if failure:  # one of them is to blame
        alone = [(method, each) for each in preconditioners.split(",") for method in methods.split(",")]
        return {choice: row for one in alone for choice, row in compared(a, file, one, limit).items()}
    rows = {choice: {"outcome": "refused", "seconds": 0} for choice in choices}
    for run in report["runs"]:
        asked = run["asked"]
        has_solved = "seconds" in run.get("report", {})
        choice = choice_of(asked["method"], asked["preconditioner"])
        rows[choice] = (row_of(run["report"]) if has_solved
                        else {"outcome": run["status"], "seconds": 0, "words": run["reason"][-300:]})
    return rows


def solved_alone(a, file, switches, times):
    """Of the last two of so many processes."""
    rows = []
    for _ in range(times):
        report, failure = report_of(a, "solve", file, ["--backend", a.backend, *switches], a.limit, 3 * a.limit + 60)
        rows.append(failure or row_of(report))
        if rows[-1]["outcome"] != "converged":
            return rows[-1]
    return min(rows[-2:], key=lambda row: row["seconds"])


def remembered(a, file, best):
    """A process has nothing in memory from a solve before, so the best fixed choice runs in its own processes, too."""
    rows = {"known": solved_alone(a, file, [], 6)}  # until it has found what is best
    if best is None:
        rows["best alone"] = {"outcome": "absent", "seconds": 0, "words": "no fixed choice has solved it before"}
    else:
        switches = ["--method", best.split()[0]] + (["--preconditioner", best.split()[1]] if " " in best else [])
        rows["best alone"] = solved_alone(a, file, switches, 2)
    return rows


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
        best = best_of(name, results, FIXED)
        for choice, beside in (("auto", best), ("known", "best alone")):
            row, other = results.get((name, choice)), results.get((name, beside))
            if row and other and row["outcome"] == other["outcome"] == "converged":
                ratios[choice].append(row["seconds"] / other["seconds"])
        takes = results.get((name, ours[-1])) if ours else None
        with_what = f"{takes.get('method', '')} {takes.get('preconditioner', '')}".replace("none", "") if takes else ""
        cells = [name, *(said(results.get((name, c))) for c in ours), with_what.strip(), best or "none",
                 said(results.get((name, best))), *(said(results.get((name, c))) for c in peers)]
        print("|" + "|".join(cells) + "|")
    for choice, of in ratios.items():
        if of:
            mean = math.exp(sum(map(math.log, of)) / len(of))
            print(f"\n{choice}: {len(of)} systems, geometric mean of {choice} / best {mean:.2f}, above 2 on "
                  f"{sum(ratio > 2 for ratio in of)}, largest {max(of):.1f}")


def best_of(name, results, choices):
    solved = [c for c in choices if (name, c) in results and results[name, c]["outcome"] == "converged"]
    return min(solved, key=lambda c: results[name, c]["seconds"], default=None)


def measured(a, file, choice, missing, before, best_fixed):
    """Rows of one word of --choices. `missing`: choices; `before`: seconds of the best choice before these."""
    if choice == "auto":
        return compared(a, file, AUTO, a.limit)
    if choice == "known":
        return remembered(a, file, best_fixed)
    if choice in PEERS:
        return {choice: peer(a, file, choice)}
    rows = {}
    for group in GROUPS:
        if not missing.isdisjoint(choices_of(group)):
            limit = a.limit if group == DIRECT else min(a.limit, 0.5 + 1.5 * before)
            rows |= compared(a, file, group, limit)
            before = min([before] + [row["seconds"] for row in rows.values() if row["outcome"] == "converged"])
    return rows


def main():
    a = arguments()
    begin = time.monotonic()
    results_file = pathlib.Path(a.results)
    results = {}
    if results_file.exists():
        for line in results_file.read_text().splitlines():
            row = json.loads(line)
            results[row["system"], row["choice"]] = row
    folder = results_file.resolve().parent
    with results_file.open("a") as out:
        for system in a.systems:
            name = name_of(system)
            for word in a.choices.split(","):
                wanted = {"fixed": FIXED, "known": ["known", "best alone"]}.get(word, [word])
                missing = {c for c in wanted if (name, c) not in results}
                if not missing:
                    continue
                if time.monotonic() - begin > 60 * a.minutes:
                    print(f"{results_file}: not through yet; call again", file=sys.stderr)
                    return 2
                quickest = best_of(name, results, ["auto"] + FIXED)
                before = results[name, quickest]["seconds"] if quickest else math.inf
                rows = measured(a, system_file(system, a.glsolve, folder), word, missing, before,
                                best_of(name, results, FIXED))
                for choice, row in rows.items():
                    results[name, choice] = {"system": name, "choice": choice, **row}
                    out.write(json.dumps(results[name, choice]) + "\n")
                out.flush()
    table(a.systems, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
