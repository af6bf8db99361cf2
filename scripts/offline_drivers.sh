#!/usr/bin/env bash
# Compiles all kernels with the drivers of Intel, AMD and NVIDIA that Mesa has, without their hardware: Mesa's drm-shim
# stands in for the kernel's side of a GPU. The drivers open, compile, and execute nothing. Prints the table of
# docs/drivers.md; what became of each program is in FOLDER/results/*.tsv, what `glsolve info` says in *.info.
#   scripts/offline_drivers.sh [GPU...]        all GPUs of the table below, or those named
# The first run fetches Debian's source packages and builds Mesa: about 20 minutes on two cores. Later runs need no
# network. GLSOLVE_OFFLINE_FOLDER=FOLDER (default build/offline) keeps all of it. Needs Debian 12 or 13.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

folder=$(realpath -m "${GLSOLVE_OFFLINE_FOLDER:-build/offline}")
prefix=$folder/installed
suite=trixie # its Mesa, 25.0, is the first of Debian's with a shim for amdgpu
packages=(bison flex libelf-dev libexpat1-dev python3-mako python3-yaml python3-packaging glslang-tools
    spirv-tools libglvnd-dev libzstd-dev dpkg-dev)

# name | generation | shim | how the shim is told which GPU
gpus='
hsw       | Intel Haswell (2013)            | intel   | INTEL_STUB_GPU_PLATFORM=hsw
skl       | Intel Skylake (2015)            | intel   | INTEL_STUB_GPU_PLATFORM=skl
icl       | Intel Ice Lake (2019)           | intel   | INTEL_STUB_GPU_PLATFORM=icl
tgl       | Intel Tiger Lake, Xe (2020)     | intel   | INTEL_STUB_GPU_PLATFORM=tgl
dg2       | Intel Arc, DG2 (2022)           | intel   | INTEL_STUB_GPU_PLATFORM=dg2
cedar     | AMD TeraScale 2, Cedar (2010)   | radeon  | RADEON_GPU_ID=CEDAR MESA_LOADER_DRIVER_OVERRIDE=r600
cayman    | AMD TeraScale 3, Cayman (2010)  | radeon  | RADEON_GPU_ID=CAYMAN MESA_LOADER_DRIVER_OVERRIDE=r600
pitcairn  | AMD GCN 1, Pitcairn (2012)      | amdgpu  | AMDGPU_GPU_ID=pitcairn
bonaire   | AMD GCN 2, Bonaire (2013)       | amdgpu  | AMDGPU_GPU_ID=bonaire
polaris10 | AMD GCN 4, Polaris 10 (2016)    | amdgpu  | AMDGPU_GPU_ID=polaris10
vega10    | AMD GCN 5, Vega 10 (2017)       | amdgpu  | AMDGPU_GPU_ID=vega10
navi10    | AMD RDNA 1, Navi 10 (2019)      | amdgpu  | AMDGPU_GPU_ID=navi10
navi21    | AMD RDNA 2, Navi 21 (2020)      | amdgpu  | AMDGPU_GPU_ID=navi21
navi31    | AMD RDNA 3, Navi 31 (2022)      | amdgpu  | AMDGPU_GPU_ID=navi31
nve4      | NVIDIA Kepler, GK104 (2012)     | nouveau | NOUVEAU_CHIPSET=0xe4
nv124     | NVIDIA Maxwell, GM204 (2014)    | nouveau | NOUVEAU_CHIPSET=0x124
nv134     | NVIDIA Pascal, GP104 (2016)     | nouveau | NOUVEAU_CHIPSET=0x134
nv164     | NVIDIA Turing, TU104 (2018)     | nouveau | NOUVEAU_CHIPSET=0x164'

# from_suite ARGUMENT... - apt-get with the sources of $suite alone, whatever this system has; changes nothing here
from_suite() {
    local lists=$folder/apt mirror
    mkdir -p "$lists"/{state/lists/partial,cache/archives/partial}
    # shellcheck disable=SC2016 # apt-get's own words
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)
    [[ -n $mirror ]] || fail "this system has no source of Debian's packages"
    local signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
    printf '%s\n' "deb $signed $mirror $suite main" "deb-src $signed $mirror $suite main" >"$lists/sources.list"
    cat >"$lists/apt.conf" <<EOF
Dir::State "$lists/state";
Dir::Cache "$lists/cache";
Dir::Etc::SourceList "$lists/sources.list";
Dir::Etc::SourceParts "-";
APT::Sandbox::User "$(id -un)";
EOF
    APT_CONFIG=$lists/apt.conf apt-get -q "$@"
}

# LLVM with what Mesa makes of OpenCL C for Intel: the newest that this release has all parts of
find_llvm() {
    local version
    for version in 19 18 17 16 15; do
        if has_package "libllvmspirvlib-$version-dev" && has_package "libclc-$version-dev"; then
            printf '%s' "$version"
            return
        fi
    done
    fail "this release has no libllvmspirvlib-*-dev with its libclc-*-dev"
}

# meson's own Python is used: Debian 12's meson is too old for this Mesa
meson() { PATH=/usr/bin:/bin:/usr/sbin:/sbin PYTHONPATH=$folder/source/meson/usr/lib/python3/dist-packages "$@"; }

# build SOURCE OPTION...
build() {
    local source=$1
    shift
    rm -rf "$folder/build/$source"
    meson /usr/bin/python3 "$folder/source/meson/usr/bin/meson" setup "$folder/build/$source" "$folder/source/$source" \
        --prefix="$prefix" --libdir=lib -Dbuildtype=release "$@" >"$folder/$source.log" 2>&1 \
        || fail "meson does not take $source: see $folder/$source.log"
    meson ninja -C "$folder/build/$source" install >>"$folder/$source.log" 2>&1 \
        || fail "$source does not build: see $folder/$source.log"
}

build_mesa() {
    local llvm missing
    apt update || warn "apt-get update failed"
    llvm=$(find_llvm)
    mapfile -t missing < <(missing_packages "${packages[@]}" "llvm-$llvm-dev" "libclang-$llvm-dev" \
        "libclang-cpp$llvm-dev" "libclc-$llvm-dev" "libllvmspirvlib-$llvm-dev")
    if [[ ${#missing[@]} -gt 0 ]]; then apt_install "${missing[@]}" || fail "apt-get could not install: ${missing[*]}"; fi

    say "Fetching Mesa, libdrm and meson of Debian $suite"
    rm -rf "$folder/source"
    mkdir -p "$folder/source"
    # One chain: `set -e` counts for nothing in front of `||`.
    (
        cd "$folder/source" && from_suite update && from_suite source --download-only mesa libdrm \
            && from_suite download meson && dpkg-deb -x meson_*.deb meson \
            && dpkg-source --no-check -x mesa_*.dsc mesa && dpkg-source --no-check -x libdrm_*.dsc libdrm
    ) >"$folder/fetch.log" 2>&1 || fail "the sources could not be fetched: see $folder/fetch.log"

    say "Building Mesa"
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
    build libdrm -Dintel=disabled -Dradeon=enabled -Damdgpu=enabled -Dnouveau=enabled -Dvmwgfx=disabled \
        -Dtests=false -Dman-pages=disabled -Dvalgrind=disabled -Dcairo-tests=disabled
    build mesa -Dgallium-drivers=iris,crocus,radeonsi,r600,nouveau -Dvulkan-drivers= -Dplatforms= -Dglx=disabled \
        -Degl=enabled -Dgbm=enabled -Dopengl=true -Dgles1=disabled -Dgles2=enabled -Dglvnd=enabled \
        -Dtools=drm-shim,intel -Dllvm=enabled -Dmesa-clc=enabled -Dgallium-vdpau=disabled -Dgallium-va=disabled \
        -Dgallium-rusticl=false -Dvideo-codecs= -Dvalgrind=disabled -Dlibunwind=disabled -Dlmsensors=disabled
    touch "$folder/mesa-is-built"
}

# compile NAME GENERATION SHIM VARIABLE=VALUE... - a line of the table
compile() {
    local name=$1 generation=$2 library row
    library=$(find "$prefix/lib" "$folder/build/mesa" -name "lib$3_noop_drm_shim.so" | head -n 1)
    [[ -n $library ]] || fail "Mesa was built without the shim of $3"
    shift 3
    set -- env "$@" LD_PRELOAD="$library" LD_LIBRARY_PATH="$prefix/lib" \
        __EGL_VENDOR_LIBRARY_FILENAMES="$prefix/share/glvnd/egl_vendor.d/50_mesa.json" \
        MESA_SHADER_CACHE_DISABLE=true GALLIUM_THREAD=0 # else no statistics of shaders
    "$@" build/release/src/cli/glsolve info >"$folder/results/$name.info" 2>&1 || true
    row=$("$@" build/release/tests/compile_kernels "$folder/results/$name.tsv" 2>"$folder/results/$name.errors") || true
    [[ -n $row ]] || row="| failed: $(head -n 1 "$folder/results/$name.errors") |"
    printf '| %s %s\n' "$generation" "$row"
    if grep -q 'translation failed' "$folder/results/$name.errors"; then
        warn "$generation: the driver has made no code of some programs: see $folder/results/$name.errors"
    fi
}

install_packages required
[[ -e $folder/mesa-is-built ]] || build_mesa

say "Building the program that compiles all kernels"
configure release -DGLSOLVE_TESTS=ON >"$folder/cmake.log"
cmake --build build/release --target compile_kernels glsolve_program

mkdir -p "$folder/results"
say "Compiling; about a minute for each GPU"
printf '| GPU | renderer | OpenGL | programs | failures | spill | above 0.5 s | slowest |\n|---|---|---|---:|---:|---:|---:|---|\n'
known=0
while IFS='|' read -r name generation shim variables; do
    name=${name// /} shim=${shim// /}
    if [[ -z $name ]] || { [[ $# -gt 0 ]] && [[ " $* " != *" $name "* ]]; }; then continue; fi
    known=$((known + 1))
    generation=${generation#"${generation%%[! ]*}"} generation=${generation%"${generation##*[! ]}"}
    # shellcheck disable=SC2086 # several words
    compile "$name" "$generation" "$shim" $variables
done <<<"$gpus"
[[ $known -gt 0 ]] || fail "no such GPU: $*; the table in $0 has their names"
