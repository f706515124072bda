#!/usr/bin/env bash
# Installs tools of the checks from PyPI into a folder of .deps, once, by exact version and SHA-256.
#   Scripts/setup/python_tools.sh LIST PLACE WHAT     LIST and PLACE relative to the root, WHAT for the message
set -euo pipefail
cd "$(dirname "$0")/../.."
wheels=$1 place=$2 what=$3
want=$(sha256sum <"$wheels")
[ -f "$place/stamp" ] && [ "$(cat "$place/stamp")" = "$want" ] && exit 0
echo "==> Fetching $what" >&2
rm -rf "$place"
mkdir -p "$place"
python3 -m pip install --quiet --disable-pip-version-check --no-cache-dir --no-deps --require-hashes --only-binary=:all: \
    --no-warn-script-location --target "$place" --requirement "$wheels" >&2 || {
    echo "setup: pip could not fetch the wheels named in $wheels." >&2
    echo "  Fix: check the network (this step needs it once) and that pip can reach PyPI, then run this again." >&2
    exit 1
}
echo "$want" >"$place/stamp"
