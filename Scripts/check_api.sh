#!/usr/bin/env bash
# Checks the running server against docs/api/openapi.json with schemathesis: valid and invalid requests, first for
# resources that exist, then for arbitrary ones. Fails on server errors, on undocumented statuses, headers, content types
# and bodies, and on invalid requests that are accepted.
#   Scripts/check_api.sh [EXAMPLES]     examples per operation, default 12
set -euo pipefail
cd "$(dirname "$0")/.."
examples=${1:-12}
program=.build/release/shelflist
work=$(mktemp -d)
server=
dumps=
finish() {
    for process in $server $dumps; do { kill "$process" && wait "$process"; } 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

Scripts/setup/python_tools.sh Scripts/setup/wheels-api.txt .deps/api "schemathesis (about 15 MB)"

found() { # EXPRESSION LOG: prints what sed finds in a log, once it is there
    for _ in $(seq 200); do
        local text
        text=$(sed -n "$1" "$2")
        if [ -n "$text" ]; then
            printf '%s\n' "$text"
            return
        fi
        sleep 0.1
    done
    cat "$2" >&2
    return 1
}

# Dumps of one book each, so that nothing is downloaded from the internet.
mkdir "$work/dumps"
for kind in editions works authors; do
    printf '/type/%s\t/%s/OL1X\t1\t2026-01-01T00:00:00\t{"title": "Emma"}\n' "${kind%s}" "$kind" |
        gzip >"$work/dumps/ol_dump_${kind}_latest.txt.gz"
done
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$work/dumps" >"$work/dumps.log" 2>&1 &
dumps=$!
port=$(found 's/.* port \([0-9]*\) .*/\1/p' "$work/dumps.log")

SHELFLIST_DUMPS_URL=http://127.0.0.1:$port/ "$program" serve --port 0 --data "$work/data" \
    --requests-per-minute 100000 2>"$work/log" &
server=$!
address=$(found 's/^Shelflist is at \(http[^ ]*\).*/\1/p' "$work/log")
cookie=$(Scripts/seed_api.py "$address" Examples/shelf.jpg "$work/known.toml")
: >"$work/any.toml"

# positive_data_acceptance is off: it fails on every refusal of a valid request, and JSON Schema cannot express some
# conditions (check digits of an ISBN, a shelf that exists, a photo that can be read).
# signOut runs separately, because it ends the session that all others need; so do the paths outside of /api/v1.
operations='^/(health|ready|metrics)$'
check() { # CONFIGURATION OPTION...
    local configuration=$1
    shift
    PYTHONPATH=.deps/api python3 -m schemathesis.cli --config-file "$configuration" run docs/api/openapi.json \
        --header "Cookie: $cookie" --max-examples "$examples" --seed 1 --workers 1 \
        --phases examples,coverage,fuzzing --mode all --exclude-checks positive_data_acceptance \
        --request-timeout 20 --generation-database none --no-color "$@"
}
api=("--url" "$address/api/v1")
check "$work/known.toml" "${api[@]}" --exclude-operation-id signOut --exclude-path-regex "$operations"
check "$work/any.toml" "${api[@]}" --exclude-operation-id signOut --exclude-path-regex "$operations"
check "$work/any.toml" "${api[@]}" --include-operation-id signOut
check "$work/any.toml" --url "$address" --include-path-regex "$operations"
kill -0 "$server" # fails if the server has crashed
