#!/usr/bin/env bash
# Runs the checks and tests, the quick ones first. All use one build.
# usage: test.sh [--all]
#
# Without --all, the packages and what only the app's look depends on are left out, so that the rest takes less than an
# hour on two cores; the build takes a third of that.
set -euo pipefail
all=false
case "${1:-}" in
    "") ;;
    --all) all=true ;;
    *) echo "usage: Scripts/test.sh [--all]" >&2; exit 2 ;;
esac
# Work that blocks on the wrong thread ends the process (BlockingExecutor).
export SHELFLIST_CHECK_THREADS=1
cd "$(dirname "$0")/.."

step() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }

Scripts/setup/setup.sh test
step "Format, imports, scripts"
Scripts/lint.sh
step "The site"
Scripts/site/build.sh
# Warnings in the package's own targets are errors (Package.swift); those of dependencies are ignored.
step "Build, without warnings"
swift build -c release --only-use-versions-from-resolved-file --build-tests
step "The reference of the client library"
Scripts/site/swift_reference.sh
step "Tests"
# --skip-build: 'swift test' would build again for @testable imports, which no test uses.
swift test -c release --skip-build --disable-xctest
# Mounting needs root; a user namespace provides it where the system allows that.
if [ "$(id -u)" -ne 0 ]; then
    if unshare --user --map-root-user --mount true 2>/dev/null; then
        step "Tests with a full disk"
        unshare --user --map-root-user --mount \
            swift test -c release --skip-build --disable-xctest --filter FullDisk
    else
        step "NOT tested: full disks. Run as root, or where user namespaces are allowed (unshare)"
    fi
fi
step "The server against its API document"
Scripts/check_api.sh
step "The server against the two older apps"
Scripts/test_apps.sh
step "The web app"
if $all; then Scripts/web/test.sh --all; else Scripts/web/test.sh; fi
if [ -x Scripts/fuzz.sh ]; then
    step "Fuzzing"
    Scripts/fuzz.sh
fi
step "Faults"
SHELFLIST_BINARY=$PWD/.build/release/shelflist Scripts/faults/run.sh
step "Install, move, run"
Scripts/install/smoke_test.sh
if $all; then
    step "The packages"
    Scripts/package/test.sh
fi
step "All checks passed"
