#!/usr/bin/env bash
# Runs the built Swift tests where time is short: on one core, and without AVX-512 and bfloat16; three times each.
# Build first: swift build -c release --build-tests
set -uo pipefail
cd "$(dirname "$0")/.."

runs=${1:-3}
failed=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# run NAME COMMAND...: prints the summary line and, after a failure, the issues.
run() {
    local name=$1
    shift
    for number in $(seq "$runs"); do
        local log="$logs/$name-$number" start=$SECONDS status=0
        "$@" swift test -c release --skip-build --disable-xctest >"$log" 2>&1 || status=$?
        printf '%s, run %s of %s, %s s: %s\n' "$name" "$number" "$runs" $((SECONDS - start)) \
            "$(grep -E 'Test run with' "$log" | tail -1)"
        if [ "$status" -ne 0 ]; then
            failed=1
            grep -E 'recorded an issue|error:' "$log" | head -40
        fi
    done
}

run one-core taskset -c 0
run avx2 env ONEDNN_MAX_CPU_ISA=AVX2
exit "$failed"
