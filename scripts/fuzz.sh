#!/usr/bin/env bash
# Fuzzes the readers of Matrix Market and of NumPy's files and the program's options under sanitizers, then prints what
# lines of the first reader were reached: fewer than 90 % are a failure, as is any crash, broken property or sanitizer
# report.
#   scripts/fuzz.sh [RUNS_OF_EACH_READER [RUNS_OF_THE_OPTIONS]]
# Inputs that reach something new are kept in build/fuzz/found and used again. GLSOLVE_FUZZ_MERGE=1 adds the least of them
# that reach as much to tests/fuzz/corpus. GLSOLVE_FUZZ_BUILD=FOLDER builds there.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

reader_runs=${1:-1000000}
options_runs=${2:-200000}
build=$(realpath -m "${GLSOLVE_FUZZ_BUILD:-build/fuzz}")
least_coverage=90
reader=(src/io/{line_reader,matrix_market_read,matrix_market_text,plain_entries,text_source}.cpp src/base/number_text.cpp
    src/matrix/csr_from_arrays.cpp src/io/line_reader.hpp)

install_packages required
if ! command -v clang++-16 >/dev/null || ! command -v llvm-cov-16 >/dev/null \
    || [[ ! -e $(clang++-16 -print-file-name="libclang_rt.fuzzer-$(uname -m).a") ]]; then
    apt_install clang-16 libclang-rt-16-dev llvm-16 || fail "fuzzing needs clang-16, libclang-rt-16-dev and llvm-16"
fi

say "Building"
cmake -S . -B "$build" -G Ninja -DCMAKE_CXX_COMPILER=clang++-16 -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DGLSOLVE_FUZZ=ON -DGLSOLVE_DEMOS=OFF -DGLSOLVE_PAPERS=OFF
cmake --build "$build" --target fuzz_matrix_market fuzz_numpy_files fuzz_options

# The search for uses of the stack after return takes a fifth of the time.
export ASAN_OPTIONS=detect_stack_use_after_return=0
export UBSAN_OPTIONS=print_stacktrace=1

# fuzz TARGET RUNS
fuzz() {
    local program=$build/tests/fuzz/fuzz_$1 corpus=tests/fuzz/corpus/$1 found=$build/found/$1
    say "Fuzzing $1: $2 runs"
    mkdir -p "$found"
    LLVM_PROFILE_FILE=$build/$1.profraw "$program" -runs="$2" -dict="tests/fuzz/$1.dict" -artifact_prefix="$build/" \
        -print_final_stats=1 -verbosity=0 -print_funcs=0 "$found" "$corpus" \
        || fail "fuzzing $1 found something: see above; the input is in $build"
    if [[ ${GLSOLVE_FUZZ_MERGE:-0} != 0 ]]; then
        LLVM_PROFILE_FILE=/dev/null "$program" -merge=1 "$corpus" "$found"
    fi
}
fuzz matrix_market "$reader_runs"
fuzz numpy_files "$reader_runs"
fuzz options "$options_runs"

say "Lines of the reader that were reached"
llvm-profdata-16 merge -sparse "$build/matrix_market.profraw" -o "$build/matrix_market.profdata"
coverage() {
    llvm-cov-16 "$@" "$build/tests/fuzz/fuzz_matrix_market" -instr-profile="$build/matrix_market.profdata" "${reader[@]}"
}
coverage report -show-region-summary=false -show-branch-summary=false
percent=$(coverage export -summary-only -format=text | grep -o '"totals":.*' | grep -o '"lines":{[^}]*}' \
    | grep -o '"percent":[0-9.]*' | cut -d: -f2)
awk -v percent="$percent" -v least="$least_coverage" 'BEGIN { exit !(percent >= least) }' \
    || fail "$percent % of the reader's lines were reached; $least_coverage % are needed"
say "Nothing found"
