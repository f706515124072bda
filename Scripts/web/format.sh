#!/usr/bin/env bash
# Formats the JavaScript of the web app and writes the service worker's list of files.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
mapfile -t sources < <(python3 Scripts/project_files.py 'Web/*.js' 'Tests/Web/*.mjs')
DENO_DIR=$PWD/.deps/deno DENO_NO_UPDATE_CHECK=1 .deps/web/bin/deno fmt --quiet --config Scripts/web/deno.json "${sources[@]}"
python3 Scripts/web/stamp.py
