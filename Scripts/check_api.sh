#!/usr/bin/env bash
# Checks the running server against docs/api/openapi.json with schemathesis: valid and invalid requests, first for
# resources that exist, then for arbitrary ones. Fails on server errors, on undocumented statuses, headers, content types
# and bodies, on invalid requests that are accepted, and on operations that never succeed.
#   Scripts/check_api.sh [--quick | EXAMPLES]     EXAMPLES per operation, default 12; --quick: 4, without arbitrary resources
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup/python_tools.sh Scripts/setup/wheels-api.txt .deps/api "schemathesis (about 15 MB)"
PYTHONPATH=.deps/api PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=$PWD/.deps/api/.hypothesis exec python3 Scripts/api/check.py "$@"
