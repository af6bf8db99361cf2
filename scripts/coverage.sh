#!/usr/bin/env bash
# Which lines of the library and the program the tests run: a table, file by file. Arguments go to ctest:
# scripts/coverage.sh -L host
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages all
command -v gcovr >/dev/null || fail "this needs gcovr: apt-get install gcovr"

say "Building"
configure coverage
cmake --build build/coverage

say "Testing"
find build/coverage -name '*.gcda' -delete  # what earlier runs have counted
status=0
ctest --test-dir build/coverage --output-on-failure --no-tests=error "$@" </dev/null || status=$?

say "Lines run"
gcovr --root . --object-directory build/coverage --filter 'src/' --filter 'include/' build/coverage
if [[ $status -ne 0 ]]; then fail "some tests failed: see above"; fi
