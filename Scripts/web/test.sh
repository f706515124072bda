#!/usr/bin/env bash
# Tests the web app: its pure modules with node, the rest in real browsers. Arguments name what pytest runs; without
# any it runs all.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
node --test Tests/Web/*.test.mjs
export PYTHONPATH=$PWD/.deps/web
browse() { python3 -m pytest -q -p no:cacheprovider "$@"; }
if [ $# -gt 0 ]; then
    browse "$@"
else
    # The second engine in a process of its own: after ten minutes of Chromium in the same one it was twice not to be
    # had (no session in four tries), alone it always was.
    failed=0
    browse Tests/Web/test_webkit.py || failed=1
    browse Tests/Web --ignore Tests/Web/test_webkit.py || failed=1
    exit $failed
fi
