#!/usr/bin/env bash
# Measures the web app and prints a table for docs/benchmarks.md: the app alone, or with the real server (make build)
# 'live', the overlay of the viewfinder, or 'review', reviewing ten books.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
case "${1:-app}" in
app) measurement=Scripts/web/measure.py ;;
live) measurement=Scripts/web/measure_live.py ;;
review) measurement=Scripts/web/measure_review.py ;;
*)
    echo "measure.sh: unknown measurement '$1'. Call it without one, or with 'live' or 'review'." >&2
    exit 2
    ;;
esac
PYTHONPATH=$PWD/.deps/web python3 "$measurement"
