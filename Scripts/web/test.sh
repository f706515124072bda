#!/usr/bin/env bash
# Tests the web app: its pure modules with node, the rest in real browsers.
# usage: test.sh [--touched | --all | --real | walk [--seed N] [--taps N] | ARGUMENTS OF PYTEST]
#
# Without arguments: what protects every change, the paths through the app and the faults on them. --touched adds details,
# the look and each screen's own tests, and lets the service worker run in all of them.
# The tests run against the server with recorded photos (Tools/test-server), those with the mark "reads" against the program
# and its reader. --real runs all against the program, except those that hold photos or order faults; --all does all.
# 'walk' runs the random walk of test_walk.py (2,000 taps), which --all does as well.
# A name of a test or other arguments go to pytest; --real may be the first of them.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
export PYTHONPATH=$PWD/.deps/web
# Only these plug-ins, whatever the machine has.
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
plugins=(-p pytest_playwright.pytest_playwright -p xdist.plugin)
browse() { python3 -m pytest -q -p no:cacheprovider --rootdir Tests/Web "${plugins[@]}" "$@"; }
# Two tests at a time. Three took longer on two cores.
two=(--numprocesses 2 --dist worksteal)
# WebKit runs in its own process: after ten minutes of Chromium in the same process it twice failed to start.
chromium=(Tests/Web --ignore Tests/Web/test_webkit.py)
webkit=(Tests/Web/test_webkit.py)

failed=0
recorded() { # FILES AND OTHER ARGUMENTS...
    node --test Tests/Web/*.test.mjs || failed=1
    browse "${two[@]}" "$@" || failed=1
}
real() {
    browse --real "${webkit[@]}" || failed=1
    # One at a time: the reader uses all cores.
    browse --real --worker "${chromium[@]}" || failed=1
}
case "${1:-}" in
"")
    recorded -m "not touched" Tests/Web/test_real*.py Tests/Web/test_faults.py
    browse --real "${webkit[@]}" || failed=1
    ;;
--touched)
    recorded --worker "${chromium[@]}"
    browse --real "${webkit[@]}" || failed=1
    ;;
--all)
    recorded --worker --walk "${chromium[@]}"
    real
    ;;
walk) browse "${two[@]}" --walk -rP Tests/Web/test_walk.py "${@:2}" ;;
--real)
    if [ $# -gt 1 ]; then browse "$@"; else real; fi
    ;;
*) browse "$@" ;;
esac
exit $failed
