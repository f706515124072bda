#!/usr/bin/env bash
# Holds the running server to its own description: schemathesis sends what docs/api/openapi.json allows and what it
# does not, and fails on server errors, on undocumented statuses, content types and bodies.
#   Scripts/check_api.sh [EXAMPLES]     examples an operation, default 12
set -euo pipefail
cd "$(dirname "$0")/.."
examples=${1:-12}
program=.build/release/shelflist
work=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

Scripts/setup/python_tools.sh Scripts/setup/wheels-api.txt .deps/api "schemathesis (about 15 MB)"
tool() { PYTHONPATH=.deps/api python3 -m schemathesis.cli "$@"; }

"$program" serve --port 0 --data "$work/data" --requests-per-minute 100000 2>"$work/log" &
server=$!
for _ in $(seq 100); do
    address=$(sed -n 's/^Shelflist is at \(http[^ ]*\).*/\1/p' "$work/log")
    [ -z "$address" ] || break
    sleep 0.2
done
[ -n "$address" ] || { cat "$work/log" >&2; exit 1; }

# /setup would end the time in which this machine is served without signing in; the event stream is tested by itself.
tool run docs/api/openapi.json --url "$address/api/v1" --max-examples "$examples" --seed 1 --workers 1 \
    --phases examples,coverage,fuzzing --mode all \
    --exclude-checks missing_required_header,positive_data_acceptance,ignored_auth \
    --exclude-path-regex '^/(setup|health|ready|metrics)$' --exclude-operation-id signIn \
    --request-timeout 20 --generation-database none --no-color
