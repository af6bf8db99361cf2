#!/usr/bin/env bash
# Runs clang-tidy 16 over all sources; .clang-tidy says what it looks for. Takes minutes. Arguments, if any, are the only
# sources to look at, as regular expressions: scripts/tidy.sh src/io tests/.*reader
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages required
command -v run-clang-tidy-16 >/dev/null || fail "this needs clang-tidy-16: apt-get install clang-tidy-16"

# clang-tidy wants to know how each file is compiled, and reads what the build generates. In a folder of its own, so that
# build/release stays as it is; without OpenMP, of which clang may lack the header.
say "Configuring"
cmake -S . -B build/tidy -G Ninja -DCMAKE_BUILD_TYPE=Release -DGLSOLVE_TESTS=ON -DGLSOLVE_BENCH=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON -DCMAKE_UNITY_BUILD=OFF

cmake --build build/tidy --target glsolve_passes
if [[ $# -eq 0 ]]; then set -- src tests demos bench shaders; fi
say "Looking at $*"
log=build/tidy/tidy.log
status=0
run-clang-tidy-16 -quiet -p build/tidy "${@/#/$root/}" >"$log" 2>&1 || status=$?

# What is in a header is found again with each file that includes it.
findings=$(grep -E '^/.*: (warning|error): .*\]$' "$log" | sed "s,^$root/,," | sort -u -t: -k1,1 -k2n,2 -k3n,3 -k4) || true
if [[ -n $findings ]]; then
    printf '%s\n' "$findings"
    fail "$(wc -l <<<"$findings") findings; each with its context in $log"
fi
if [[ $status -ne 0 ]]; then fail "clang-tidy failed: see $log"; fi
say "Nothing found"
