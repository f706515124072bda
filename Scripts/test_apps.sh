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
PYTHONPATH=Tests/Apps python3 -W error::ResourceWarning -m unittest discover --start-directory Tests/Apps --verbose "$@"
