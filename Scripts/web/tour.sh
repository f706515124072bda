#!/usr/bin/env bash
# Takes the pictures of docs/tour.md with the built server: tour.sh [FOLDER] (default docs/tour).
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
PYTHONPATH=$PWD/.deps/web:$PWD/Tests/Web python3 Tests/Web/tour.py "$@"
