#!/usr/bin/env bash
# Checks the web app without running it: types, lint, format, and the list of its files in the service worker.
set -uo pipefail
cd "$(dirname "$0")/../.."
Scripts/web/tools.sh || exit 1
deno=.deps/web/bin/deno
export DENO_NO_UPDATE_CHECK=1 DENO_DIR=$PWD/.deps/deno
failed=0
mapfile -t sources < <(python3 Scripts/project_files.py 'Web/*.js' 'Tests/Web/*.mjs')
mapfile -t app < <(printf '%s\n' "${sources[@]}" | grep ^Web/)
"$deno" check --quiet --config Scripts/web/deno.json "${app[@]}" || failed=1
"$deno" lint --quiet --config Scripts/web/deno.json "${sources[@]}" || failed=1
"$deno" fmt --quiet --check --config Scripts/web/deno.json "${sources[@]}" || {
    echo "lint: fix the format with: Scripts/web/format.sh" >&2
    failed=1
}
python3 Scripts/web/stamp.py --check || failed=1
exit $failed
