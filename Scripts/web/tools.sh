#!/usr/bin/env bash
# Installs the tools of the web app's checks and tests into .deps/web, once.
set -euo pipefail
exec "$(dirname "$0")/../setup/python_tools.sh" Scripts/setup/wheels-web.txt .deps/web \
    "the checks and the browser's driver for the web app (about 100 MB)"
