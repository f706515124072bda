#!/usr/bin/env bash
# Takes a picture of every screen in both sizes: screenshots.sh [FOLDER [SCREEN...]] (default .build/screenshots).
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
PYTHONPATH=$PWD/.deps/web:$PWD/Tests/Web python3 Tests/Web/screenshots.py "$@"
