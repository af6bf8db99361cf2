#!/usr/bin/env python3
"""What `--method auto` takes beside fixed choices of method and preconditioner, system by system.

    bench/auto/bench_auto.py --glsolve build/release/src/cli/glsolve --results auto.jsonl --minutes 10 A.mtx B.mtx.gz ...

Each measurement is a line of the file of results, and is not made again: the command can be stopped, called again, and
cut into pieces of some minutes. Seconds are those of set-up and solve, of the faster of two runs. With all results
there, it prints a table in Markdown: auto, the best fixed choice, and how far these are from each other.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import time

SYMMETRIC = ["cg jacobi", "cg amg", "cg multigrid", "cg ic0", "cg fsai", "minres jacobi"]
ANY = ["gmres jacobi", "gmres ilu0", "gmres ilut", "gmres amg", "bicgstab jacobi", "bicgstab ilu0", "bicgstab ilut",
       "idr jacobi", "direct"]
FIXED = SYMMETRIC + ANY


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--glsolve", default="build/release/src/cli/glsolve")
    parser.add_argument("--results", default="auto.jsonl", help="file of results; it is read, and lines are added")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begins no measurement after so many")
    parser.add_argument("--limit", type=float, default=30, help="seconds that a solve may take")
    parser.add_argument("--arguments", default="--backend host", help="arguments of glsolve: the device")
    parser.add_argument("--choices", default="auto," + ",".join(FIXED), help="which ones, with commas in between")
    parser.add_argument("systems", nargs="*", help="files, or kinds with sizes as `glsolve generate` takes them")
    return parser.parse_args()


def switches(choice):
    if choice == "auto":
        return []
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
    first = once(a, file, choice)
    if first["outcome"] != "converged" or first["seconds"] > 5:
        return first
    second = once(a, file, choice)
    return min(first, second, key=lambda found: found["seconds"])


def name_of(system):
    return pathlib.Path(system).name.removesuffix(".gz").removesuffix(".mtx")


def table(systems, results):
    print("| system | auto | took | best fixed | took | auto / best |")
    print("|---|---|---:|---|---:|---:|")
    ratios = []
    for system in systems:
        name = name_of(system)
        rows = {choice: results[name, choice] for choice in ["auto", *FIXED] if (name, choice) in results}
        solved = {c: r for c, r in rows.items() if r["outcome"] == "converged"}
        fixed = {c: r for c, r in solved.items() if c != "auto"}
        best = min(fixed, key=lambda c: fixed[c]["seconds"]) if fixed else None
        auto = rows.get("auto")
        took = "" if auto is None else f"{auto['seconds']:.3g}" if "auto" in solved else auto["outcome"]
        with_what = f"{auto.get('method', '')} {auto.get('preconditioner', '')}" if auto else ""
        ratio = auto["seconds"] / fixed[best]["seconds"] if best and "auto" in solved else None
        if ratio is not None:
            ratios.append(ratio)
        print(f"|{name}|{with_what}|{took}|{best or 'none'}|{fixed[best]['seconds'] if best else 0:.3g}|"
              f"{'' if ratio is None else f'{ratio:.2f}'}|")
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        above = sum(ratio > 2 for ratio in ratios)
        print(f"\n{len(ratios)} systems: geometric mean of auto / best {mean:.2f}, above 2 on {above}, "
              f"largest {max(ratios):.1f}")


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
