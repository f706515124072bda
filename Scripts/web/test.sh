#!/usr/bin/env bash
# Tests the web app: its pure modules with node, the rest in real browsers.
# usage: test.sh [--all | --real | ARGUMENTS OF PYTEST]
#
# The tests run against the server with recorded photos (Tools/test-server), those with the mark "reads" against the program
# and its reader. --real runs all against the program, except those that hold photos or order faults; --all does both.
# A name of a test or other arguments go to pytest; --real may be the first of them.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
export PYTHONPATH=$PWD/.deps/web
# Only these plug-ins, whatever the machine has.
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
plugins=(-p pytest_playwright.pytest_playwright -p xdist.plugin)
browse() { python3 -m pytest -q -p no:cacheprovider "${plugins[@]}" "$@"; }
# Two tests at a time: most of their time is waiting for the browser.
two=(--numprocesses 2 --dist worksteal)
# WebKit runs in its own process: after ten minutes of Chromium in the same process it twice failed to start.
chromium=(Tests/Web --ignore Tests/Web/test_webkit.py)
webkit=(Tests/Web/test_webkit.py)

failed=0
scripted() {
    browse "${chromium[@]}" "${two[@]}" "$@" || failed=1
}
real() {
    browse --real "${webkit[@]}" || failed=1
    # One at a time: the reader uses all cores.
    browse --real "${chromium[@]}" "$@" || failed=1
}
case "${1:-}" in
"")
    node --test Tests/Web/*.test.mjs
    scripted -m "not reads"
    real -m reads
    ;;
--all)
    node --test Tests/Web/*.test.mjs
    scripted
    real
    ;;
--real)
    if [ $# -gt 1 ]; then browse "$@"; else real; fi
    ;;
*) browse "$@" ;;
esac
exit $failed
