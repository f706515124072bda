#!/usr/bin/env bash
# Runs the built Swift tests on a slow machine: on one core, and without AVX-512 and bfloat16; three times each.
# Build first: swift build -c release --build-tests
#
# usage: test_load.sh [RUNS]
set -uo pipefail
# Work that blocks on the wrong thread ends the process (BlockingExecutor).
export SHELFLIST_CHECK_THREADS=1
cd "$(dirname "$0")/.."

runs=${1:-3}
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# run NAME COMMAND...: prints the summary line and, after a failure, the issues.
run() {
    local name=$1
    shift
    for number in $(seq "$runs"); do
        local log="$folder/$name-$number" start=$SECONDS status=0
        "$@" swift test -c release --skip-build --disable-xctest >"$log" 2>&1 || status=$?
        printf '%s, run %s of %s, %s s: %s\n' "$name" "$number" "$runs" $((SECONDS - start)) \
            "$(grep -E 'Test run with' "$log" | tail -1)"
        if [ "$status" -ne 0 ]; then
            failed=1
            grep -E 'recorded an issue|error:' "$log" | head -40
        fi
    done
}

avx2=(ONEDNN_MAX_CPU_ISA=AVX2)
if grep -q avx512f /proc/cpuinfo; then
    Scripts/avx2/prepare.py "$folder/avx2" || exit 1
    avx2=(LD_PRELOAD="$folder/avx2/libcpuid.so" LD_LIBRARY_PATH="$folder/avx2")
fi

run one-core taskset -c 0
run avx2 env "${avx2[@]}"
exit "$failed"
