#!/usr/bin/env bash
# Builds the Debian package of a commit twice, from nothing and in two folders, and compares the results: 40 minutes on two
# cores. With a package of another build, builds once and compares with that.
#   Scripts/package/reproduce.sh [COMMIT [PACKAGE]]
set -euo pipefail
cd "$(dirname "$0")/../.."
commit=$(git rev-parse "${1:-HEAD}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # FOLDER
    git clone --quiet . "$work/$1"
    git -C "$work/$1" checkout --quiet "$commit"
    # What setup fetched by checksum, so that it is not fetched again.
    mkdir "$work/$1/.deps"
    for part in fonts models openvino wheels.stamp; do [ ! -e ".deps/$part" ] || cp -a ".deps/$part" "$work/$1/.deps/"; done
    echo "==> Building ${commit:0:12} in $work/$1" >&2
    make -C "$work/$1" --no-print-directory deb >"$work/$1.log" 2>&1 || {
        tail -n 5 "$work/$1.log" >&2
        exit 1
    }
    cp "$work/$1"/dist/shelflist_*.deb "$work/$1.deb"
    rm -rf "${work:?}/$1"
}

build first
if [ $# -ge 2 ]; then cp "$2" "$work/another one.deb"; else build "another one"; fi
if cmp --silent "$work/first.deb" "$work/another one.deb"; then
    echo "Both packages are the same: $(sha256sum <"$work/first.deb" | cut -d ' ' -f 1)"
    exit 0
fi
for package in first "another one"; do dpkg-deb -R "$work/$package.deb" "$work/$package"; done
echo "The packages differ in these files:"
diff -rq --no-dereference "$work/first" "$work/another one" | sed "s|$work/||g"
exit 1
