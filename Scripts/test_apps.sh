#!/usr/bin/env bash
# Runs scripted clients of the two older apps against the real server; each is written from docs/api/compatibility.md.
# Arguments are passed to unittest: Scripts/test_apps.sh -k batch
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHONPATH=Tests/Apps python3 -W error::ResourceWarning -m unittest discover --start-directory Tests/Apps --verbose "$@"
