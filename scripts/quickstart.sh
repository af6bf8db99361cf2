#!/usr/bin/env bash
# From a fresh system to a first solution: installs what is missing, builds, solves a Poisson problem with OpenGL.
# Needs no display and no GPU. Run again, it needs no network and no root.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages required

say "Building"
configure release
cmake --build build/release --target glsolve_program

glsolve=build/release/src/cli/glsolve
matrix=build/quickstart/poisson2d-256.mtx
plot=build/quickstart/convergence.png
mkdir -p build/quickstart

say "Generating a system of 65536 unknowns"
"$glsolve" generate poisson2d 256 -o "$matrix"

say "Solving it with OpenGL"
"$glsolve" solve "$matrix" --backend opengl --method cg --preconditioner jacobi --plot "$plot"

say "The same on the processor's cores, without OpenGL"
"$glsolve" solve "$matrix" --backend host

cat <<END

The convergence is drawn in $root/$plot

Next, in $root:
  $glsolve info
      what OpenGL offers here
  $glsolve solve FILE.mtx
      a system of your own, in Matrix Market format
  $glsolve --help
      everything else
  scripts/test.sh
      all tests
  README.md, docs/
      how to use it and how it works
END
