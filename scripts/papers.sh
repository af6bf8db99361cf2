#!/usr/bin/env bash
# Measures the tables and figures of the five papers on this machine and writes a report beside their printed numbers.
#     scripts/papers.sh --quick                         some minutes on two cores, smaller sizes
#     scripts/papers.sh --paper hec --matrices FOLDER   one paper, with its matrices
# Arguments go to bench_papers; --help lists them. What is not there (CUDA, a GPU) is left out, and the report says so.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages required

say "Building"
configure release
cmake --build build/release --target bench_papers

say "Measuring"
build/release/bench/papers/bench_papers "$@"
