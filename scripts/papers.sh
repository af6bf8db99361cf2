#!/usr/bin/env bash
# Measures the tables and figures of the five papers on this machine and writes a report beside their printed numbers.
set -euo pipefail

usage() {
    cat <<'TEXT'
Measures the tables and figures of the five papers on this machine and writes a report beside their printed numbers.
    scripts/papers.sh --quick                         some minutes on two cores, smaller sizes
    scripts/papers.sh --paper hec --matrices FOLDER   one paper, with its matrices

Builds bench_papers and hands it all options (bench_papers --help has more words about each):
    --paper KEY,..       2009, gmres, amg, chebyshev, hec or all
    --backend NAME,..    opengl-fragment, opengl-compute, cuda, host; what is not there is left out
    --output FOLDER      of report.html, report.md, results.json and pictures
    --quick              smaller sizes
    --rounds N           of what is timed
    --threads N          of peers that use all cores
    --matrices FOLDER    the papers' matrices in Matrix Market format, by their names
    --add                keeps what results.json in that folder has, of an earlier run on this machine
    --results FILE..     no run: a report of these results.json of earlier ones
    --help               this text; nothing is built
What is not there (CUDA, a GPU) is left out, and the report says so.
TEXT
}

for argument in "$@"; do
    if [[ $argument == --help || $argument == -h ]]; then
        usage
        exit 0
    fi
done

# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages required

say "Building"
configure release
cmake --build build/release --target bench_papers

say "Measuring"
build/release/bench/papers/bench_papers "$@"
