#!/usr/bin/env bash
# Measures the web app and prints a table for docs/benchmarks.md: the app alone, or with 'live' the overlay of the
# viewfinder with the real server (make build).
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
case "${1:-app}" in
app) measurement=Scripts/web/measure.py ;;
live) measurement=Scripts/web/measure_live.py ;;
*)
    echo "measure.sh: unknown measurement '$1'. Call it without one, or with 'live'." >&2
    exit 2
    ;;
esac
PYTHONPATH=$PWD/.deps/web python3 "$measurement"
