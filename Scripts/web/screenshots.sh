#!/usr/bin/env bash
# Takes a picture of every screen in both sizes: screenshots.sh [FOLDER [SCREEN...]] (default .build/screenshots).
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
Scripts/setup/python_tools.sh Scripts/setup/wheels-api.txt .deps/api "schemathesis (about 15 MB)"
PYTHONPATH=$PWD/.deps/web:$PWD/.deps/api:$PWD/Tests/Web python3 Tests/Web/screenshots.py "$@"
