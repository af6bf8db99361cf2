#!/usr/bin/env bash
# Compiles all programs of the CUDA backend for GPUs of AMD, by clang alone: no ROCm, no GPU, nothing is run. Prints how
# many programs there are, and which are refused.
#   scripts/hip_programs.sh [ARCHITECTURE]       default gfx1030 (RDNA 2); some minutes on two cores
# Needs a build with tests in build/release, and Debian's clang-16.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

architecture=${1:-gfx1030}
command -v clang++-16 >/dev/null || fail "clang++-16 is not installed (Debian's package clang-16)"
cmake --build build/release --target write_cuda_programs >/dev/null
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build/release/tests/write_cuda_programs "$folder"

compile() {
    if ! clang++-16 -x hip --offload-arch="$1" --cuda-device-only -nogpuinc -nogpulib -std=c++20 -O2 -w \
        -ffp-contract=off -include tests/compilers/hip_stand_in.hpp -I "$2/headers" -S -o /dev/null "$3" 2>"$3.log"; then
        echo "$(basename "$3"): $(grep -m 1 error "$3.log")"
    fi
}
export -f compile
find "$folder" -name '*.hip' -print0 | sort -z | xargs -0 -P "$(nproc)" -I{} bash -c 'compile "$@"' _ "$architecture" "$folder" {} |
    tee "$folder/refused"
echo "$architecture: $(wc -l <"$folder/refused") refused"
[[ ! -s $folder/refused ]]
