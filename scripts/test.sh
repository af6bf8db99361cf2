#!/usr/bin/env bash
# Installs what is missing, builds everything, runs every test, then those of the host's code under sanitizers.
# Needs no display and no GPU. Arguments go to ctest: scripts/test.sh -R matrix_market -j2
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# An argument may well select tests of one of the two runs only.
none=error
if [[ $# -gt 0 ]]; then none=ignore; fi

install_packages all

say "Building"
configure release -DGLSOLVE_TESTS=ON
cmake --build build/release

say "Testing"
status=0
ctest --test-dir build/release --output-on-failure --no-tests="$none" "$@" </dev/null || status=$?

say "Building with sanitizers"
configure sanitize
cmake --build build/sanitize --target core_tests device_tests replay_matrix_market replay_options

say "Testing the host's code with sanitizers"
export UBSAN_OPTIONS=print_stacktrace=1
ctest --test-dir build/sanitize --output-on-failure --no-tests="$none" -L '^host$' "$@" </dev/null || status=$?

if [[ $status -ne 0 ]]; then fail "some tests failed: see above"; fi
say "All tests passed"
