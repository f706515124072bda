#!/usr/bin/env bash
# Shows that the built Swift tests do not depend on time: runs them ten times, three of them on one core, and three with the
# tests' process stopped for 20 s again and again, at random moments. Prints how often each run and each test failed.
# Build first: Scripts/build.sh shelflistPackageTests
#
# usage: test_load.sh [--avx2] [OPTION OF SWIFT TEST]...
#
#   --avx2    three runs without AVX-512 and bfloat16 instead
set -uo pipefail
# Work that blocks on the wrong thread ends the process (BlockingExecutor).
export SHELFLIST_CHECK_THREADS=1
cd "$(dirname "$0")/.."
avx2=false
[ "${1:-}" != --avx2 ] || { avx2=true; shift; }
tests=(swift test -c release --skip-build --disable-xctest --experimental-maximum-parallelization-width 4 "$@")
runs=0 failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# report STATUS LOG NAME SECONDS: prints the summary line of a run and, after a failure, the issues.
report() {
    runs=$((runs + 1))
    printf '%2s. %s, %s s: %s\n' "$runs" "$3" "$4" "$(grep -E 'Test run with' "$2" | tail -1)"
    [ "$1" -eq 0 ] && return
    failed=$((failed + 1))
    grep -E 'recorded an issue|error:' "$2" | head -40
    if grep -qE 'Test run with' "$2"; then
        sed -nE '/Test run with/d; s/.*Test (.*) failed after .*/\1/p' "$2" | sort -u >>"$folder/failures"
    else
        echo "(the run ended before its summary)" >>"$folder/failures"
        tail -n 5 "$2"
    fi
}

# run NAME TIMES COMMAND...
run() {
    local name=$1 times=$2 start status
    shift 2
    for _ in $(seq "$times"); do
        start=$SECONDS status=0
        "$@" >"$folder/log" 2>&1 || status=$?
        report "$status" "$folder/log" "$name" $((SECONDS - start))
    done
}

# Runs a command, and stops the tests' process, not the processes that it starts, until the command ends.
interrupted() {
    "$@" &
    local command=$! process
    while sleep $((RANDOM % 20 + 1)) && kill -0 "$command" 2>/dev/null; do
        process=$(descendants "$command" | grep -m 1 'shelflistPackageTests' | cut -d ' ' -f 1)
        [ -n "$process" ] || continue
        kill -STOP "$process" 2>/dev/null && stops=$((stops + 1))
        sleep 20
        kill -CONT "$process" 2>/dev/null
    done
    wait "$command"
}

# descendants PROCESS: process and command of each.
descendants() {
    local child
    for child in $(pgrep -P "$1"); do
        ps -o pid=,args= -p "$child" | sed 's/^ *//'
        descendants "$child"
    done
}

if $avx2; then
    limits=(ONEDNN_MAX_CPU_ISA=AVX2)
    if grep -q avx512f /proc/cpuinfo; then
        Scripts/avx2/prepare.py "$folder/avx2" || exit 1
        limits=(LD_PRELOAD="$folder/avx2/libcpuid.so" LD_LIBRARY_PATH="$folder/avx2")
    fi
    run "AVX2" 3 env "${limits[@]}" "${tests[@]}"
else
    stops=0
    run "as usual" 4 "${tests[@]}"
    run "on one core" 3 taskset -c 0 "${tests[@]}"
    run "stopped at random" 3 interrupted "${tests[@]}"
    echo "The tests' process was stopped $stops times."
fi
if [ -s "$folder/failures" ]; then
    echo "How often each test failed:"
    sort "$folder/failures" | uniq -c | sort -rn
fi
echo "$((runs - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
