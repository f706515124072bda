#!/usr/bin/env bash
# Measures the web app and prints a table for docs/benchmarks.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
PYTHONPATH=$PWD/.deps/web python3 Scripts/web/measure.py
