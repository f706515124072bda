#!/usr/bin/env bash
# Takes the pictures of docs/tour.md with the built server: tour.sh [FOLDER] (default docs/tour).
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
Scripts/setup/python_tools.sh Scripts/setup/wheels-api.txt .deps/api "schemathesis (about 15 MB)"
PYTHONPATH=$PWD/.deps/web:$PWD/.deps/api:$PWD/Tests/Web python3 Tests/Web/tour.py "$@"
