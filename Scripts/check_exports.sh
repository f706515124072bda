#!/usr/bin/env bash
# Reads exports and labels of a library with the readers of other projects: RIS, BibTeX, CSL-JSON, MARCXML, CSV and HTML. SHELFLIST_BINARY names the
# built program.
#   Scripts/check_exports.sh [--books COUNT] [--seed NUMBER]
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup/python_tools.sh Scripts/setup/wheels-exports.txt .deps/exports "readers of exports (1 MB)"
PYTHONPATH=.deps/exports PYTHONDONTWRITEBYTECODE=1 exec python3 Scripts/exports/check.py "$@"
