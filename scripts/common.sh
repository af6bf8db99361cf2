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

# install_packages required|all - installs what is missing. When nothing is, it needs neither network nor root.
# With `all`, the optional ones come along when there is something to install anyway; the lack of one is only a warning.
# GLSOLVE_SKIP_PACKAGES=1 skips it all, for systems that got their packages by other means.
install_packages() {
    if [[ ${GLSOLVE_SKIP_PACKAGES:-0} != 0 ]]; then return; fi

    local required optional missing package
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
        if [[ $1 == all ]]; then
            for package in $(missing_packages "${optional[@]}"); do
                # One by one: a release that lacks one of them may have the others.
                apt install --no-install-recommends "$package" || true
            done
        fi
    fi

    if [[ $1 == all ]]; then
        mapfile -t missing < <(missing_packages "${optional[@]}")
        if [[ ${#missing[@]} -gt 0 ]]; then
            warn "some checks are left out for want of packages; to have them: apt-get install ${missing[*]}"
        fi
    fi
}

# configure release|sanitize|coverage [OPTION...] - the same settings and folder as the preset of that name, for CMake
# before 3.25, which cannot read our presets, as well
configure() {
    local preset=$1 options
    shift
    case $preset in
        release) options=(-DCMAKE_BUILD_TYPE=Release) ;;
        sanitize) options=(-DCMAKE_BUILD_TYPE=Debug -DGLSOLVE_SANITIZE=ON) ;;
        coverage) options=(-DCMAKE_BUILD_TYPE=Debug -DGLSOLVE_COVERAGE=ON) ;;
        *) fail "configure $preset?" ;;
    esac
    cmake -S . -B "build/$preset" -G Ninja "${options[@]}" "$@"
}
