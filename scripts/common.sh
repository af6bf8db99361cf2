# What the scripts share; to be sourced. Sets `root`, the folder of the repository, and changes into it.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root" || exit

say() { printf '\n== %s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# listed_packages required|optional
listed_packages() {
    awk -v kind="$1" '
        /^[ \t]*(#|$)/ { next }
        { optional = ($0 ~ /#[ \t]*optional:/) }
        (kind == "optional") == optional { print $1 }' "$root/scripts/packages.txt"
}

# missing_packages NAME... - those that are not installed, one a line
missing_packages() {
    local installed name
    # dpkg-query fails when it does not know a name; what it does know is printed all the same.
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null) || true
    for name in "$@"; do
        grep -qxF "installed $name" <<<"$installed" || printf '%s\n' "$name"
    done
}

# has_package NAME - is there a package of that name in this release?
has_package() { apt-cache show --no-all-versions "$1" >/dev/null 2>&1; }

as_root() {
    if [[ $EUID -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

apt() {
    # Another apt may hold the lock for a while: unattended upgrades do after a start.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
        -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -o Acquire::http::Timeout=60 -o Acquire::https::Timeout=60 \
        "$@" </dev/null
}

# apt_install NAME... - tries thrice, for locks and networks that come back
apt_install() {
    local attempt
    for attempt in 1 2 3; do
        # A source of somebody else's may be broken without harm to us: only the installation counts.
        apt update || warn "apt-get update failed"
        if apt install --no-install-recommends "$@"; then return 0; fi
        if [[ $attempt -lt 3 ]]; then
            warn "apt-get install failed; trying again in $((attempt * 10)) s"
            sleep $((attempt * 10))
        fi
    done
    return 1
}

# install_packages required|all - installs what is missing. When nothing is, it needs neither network nor root. `all`: the
# optional ones as well.
# GLSOLVE_SKIP_PACKAGES=1 skips it all, for systems that got their packages by other means.
install_packages() {
    if [[ ${GLSOLVE_SKIP_PACKAGES:-0} != 0 ]]; then return; fi

    local required optional missing
    mapfile -t required < <(listed_packages required)
    mapfile -t optional < <(listed_packages optional)
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        fail "this system has no apt-get. Install what these Debian packages hold, then run this again with" \
            "GLSOLVE_SKIP_PACKAGES=1 set: ${required[*]} (optional: ${optional[*]})"
    fi

    mapfile -t missing < <(missing_packages "${required[@]}")
    if [[ ${#missing[@]} -gt 0 ]]; then
        say "Installing ${missing[*]}"
        if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
            fail "installing needs root, and there is no sudo. As root: apt-get install ${missing[*]}"
        fi
        apt_install "${missing[@]}" || fail "apt-get could not install: ${missing[*]}"
    fi
    if [[ $1 == all ]]; then install_optional_packages; fi
}

# install_optional_packages - the lack of one is only a warning. Asks nobody for a password.
install_optional_packages() {
    local package optional missing=() unknown=()
    mapfile -t optional < <(listed_packages optional)
    for package in $(missing_packages "${optional[@]}"); do
        # Tools of a compiler have its version in their names, and each release has other versions.
        if has_package "$package"; then missing+=("$package"); else unknown+=("$package"); fi
    done
    if [[ ${#unknown[@]} -gt 0 ]]; then
        say "Some checks are left out, since this release does not have ${unknown[*]}"
    fi
    if [[ ${#missing[@]} -eq 0 ]]; then return; fi
    if [[ $EUID -eq 0 ]] || sudo -n true 2>/dev/null; then
        say "Installing ${missing[*]}"
        if apt install --no-install-recommends "${missing[@]}"; then return; fi
    fi
    warn "some checks are left out for want of packages; to have them: apt-get install ${missing[*]}"
}

# configure release|sanitize|coverage [OPTION...] - the same settings and folder as the preset of that name, for CMake
# before 3.25, which cannot read our presets, as well
configure() {
    local preset=$1 options
    shift
    case $preset in
        release) options=(-DCMAKE_BUILD_TYPE=Release) ;;
        sanitize) options=(-DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug -DGLSOLVE_SANITIZE=ON) ;;
        coverage) options=(-DCMAKE_BUILD_TYPE=Debug -DGLSOLVE_COVERAGE=ON) ;;
        *) fail "configure $preset?" ;;
    esac
    cmake -S . -B "build/$preset" -G Ninja "${options[@]}" "$@"
}
