#!/usr/bin/env bash
# Tests the web app: its pure modules with node, the rest in real browsers.
# usage: test.sh [--all | ARGUMENTS OF PYTEST]
#
# Without arguments, the tests against the real server, in WebKit and of faults run, which takes half of the time of --all.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
node --test Tests/Web/*.test.mjs
# The stand-in server is checked with the JSON Schema library of the API check.
Scripts/setup/python_tools.sh Scripts/setup/wheels-api.txt .deps/api "schemathesis (about 15 MB)"
export PYTHONPATH=$PWD/.deps/web:$PWD/.deps/api
browse() { python3 -m pytest -q -p no:cacheprovider "$@"; }
files=(Tests/Web/test_real*.py Tests/Web/test_standin.py Tests/Web/test_faults.py)
[ "${1:-}" != --all ] || files=(Tests/Web --ignore Tests/Web/test_webkit.py)
if [ $# -gt 0 ] && [ "$1" != --all ]; then
    browse "$@"
else
    # WebKit runs in its own process: after ten minutes of Chromium in the same process it twice failed to start.
    failed=0
    browse Tests/Web/test_webkit.py || failed=1
    # Two files at a time: most of their time is waiting, for the browser or for a reading.
    browse "${files[@]}" --numprocesses 2 --dist loadfile || failed=1
    exit $failed
fi
