#!/usr/bin/env bash
# Installs what is missing, builds everything, runs every test, then those of the host's code and of the shared library under
# sanitizers.
# Needs no display and no GPU. With --long as the first argument, every product of choices on every device: hours, before a
# release. Arguments go to ctest: scripts/test.sh -R matrix_market -j2
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

long_tests=(-LE '^long$')
if [[ ${1:-} == --long ]]; then
    export GLSOLVE_TEST_LONG=1
    long_tests=()
    shift
fi

# An argument may well select tests of one of the two runs only.
none=error
if [[ $# -gt 0 ]]; then none=ignore; fi

install_packages all

say "Building"
configure release -DGLSOLVE_TESTS=ON
cmake --build build/release

say "Testing"
status=0
run_tests() {
    ctest --test-dir "build/$1" --output-on-failure --no-tests="$none" --parallel "$(nproc)" "${long_tests[@]}" "${@:2}" </dev/null || status=$?
}
run_tests release "$@"

say "Building with sanitizers"
configure sanitize
cmake --build build/sanitize --target host_tests

say "Testing the host's code with sanitizers"
export UBSAN_OPTIONS=print_stacktrace=1
run_tests sanitize -L '^(host|package)$' "$@"

if [[ $status -ne 0 ]]; then fail "some tests failed: see above"; fi
say "All tests passed"
