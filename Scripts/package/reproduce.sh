#!/usr/bin/env bash
# Builds the Debian package of a commit twice, from nothing and in a folder of the same path, and compares the results:
# 40 minutes on two cores. docs/installation.md says why the path has to be the same.
#   Scripts/package/reproduce.sh [COMMIT]
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
commit=$(git rev-parse "${1:-HEAD}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # NAME
    git clone --quiet "$root" "$work/checkout"
    cd "$work/checkout"
    git checkout --quiet "$commit"
    # What setup fetched by checksum, so that it is not fetched again.
    mkdir .deps
    for part in fonts models openvino wheels.stamp; do [ ! -e "$root/.deps/$part" ] || cp -a "$root/.deps/$part" .deps/; done
    echo "==> Building ${commit:0:12}, the $1 time" >&2
    make --no-print-directory deb >"$work/$1.log" 2>&1 || {
        tail -n 5 "$work/$1.log" >&2
        exit 1
    }
    mv dist/shelflist_*.deb "$work/$1.deb"
    cd "$root"
    rm -rf "$work/checkout"
}

build first
build second
if cmp --silent "$work/first.deb" "$work/second.deb"; then
    echo "Both packages are the same: SHA-256 $(sha256sum <"$work/first.deb" | cut -d ' ' -f 1)"
    exit 0
fi
for package in first second; do dpkg-deb -R "$work/$package.deb" "$work/$package"; done
echo "The packages differ in these files:"
diff -rq --no-dereference "$work/first" "$work/second" | sed "s|$work/||g"
exit 1
