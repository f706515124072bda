#!/usr/bin/env bash
# Runs scripted clients of the two older apps, each written from docs/api/compatibility.md, against the server with recorded
# photos (Tools/test-server); with --real first, against the program and its reader.
# Other arguments are passed to unittest: Scripts/test_apps.sh -k batch
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --real ]; then
    shift
    export SHELFLIST_REAL=1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
PYTHONPATH=Tests/Apps python3 -W error::ResourceWarning -m unittest discover --start-directory Tests/Apps --verbose "$@" 2>&1 |
    tee "$log"
# Before Python 3.12, no test at all is a success.
if grep -q '^Ran 0 tests' "$log"; then
    echo "test_apps: no test matches." >&2
    exit 1
fi
