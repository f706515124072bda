#!/usr/bin/env bash
# Measures the web app and prints a table for docs/benchmarks.md: the app with the server of the tests, or with the real one (make build)
# 'live', the overlay of the viewfinder, 'review', reviewing ten books, or 'flows', from shelves to right books.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
case "${1:-app}" in
app) measurement=Scripts/web/measure.py ;;
live) measurement=Scripts/web/measure_live.py ;;
review) measurement=Scripts/web/measure_review.py ;;
flows) measurement=Scripts/web/measure_flows.py ;;
*)
    echo "measure.sh: unknown measurement '$1'. Call it without one, or with 'live', 'review' or 'flows'." >&2
    exit 2
    ;;
esac
PYTHONPATH=$PWD/.deps/web python3 "$measurement"
