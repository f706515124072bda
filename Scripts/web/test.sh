#!/usr/bin/env bash
# Tests the web app: its pure modules with node, the rest in a real browser. Arguments name what pytest runs; without
# any it runs all.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh
node --test Tests/Web/*.test.mjs
PYTHONPATH=$PWD/.deps/web python3 -m pytest -q -p no:cacheprovider "${@:-Tests/Web}"
