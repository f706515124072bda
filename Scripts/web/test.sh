#!/usr/bin/env bash
# Tests the web app: its pure modules with node, the rest in real browsers. Arguments are passed to pytest; without
# any, all tests run.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
node --test Tests/Web/*.test.mjs
# The stand-in server is checked with the JSON Schema library of the API check.
Scripts/setup/python_tools.sh Scripts/setup/wheels-api.txt .deps/api "schemathesis (about 15 MB)"
export PYTHONPATH=$PWD/.deps/web:$PWD/.deps/api
browse() { python3 -m pytest -q -p no:cacheprovider "$@"; }
if [ $# -gt 0 ]; then
    browse "$@"
else
    # WebKit runs in its own process: after ten minutes of Chromium in the same process it twice failed to start.
    failed=0
    browse Tests/Web/test_webkit.py || failed=1
    # Two files at a time: most of their time is waiting, for the browser or for a reading.
    browse Tests/Web --ignore Tests/Web/test_webkit.py --numprocesses 2 --dist loadfile || failed=1
    exit $failed
fi
