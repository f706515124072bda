#!/usr/bin/env bash
# Damages 10,000 files for each decoder and feeds them to it, under AddressSanitizer.
# usage: Scripts/fuzz.sh [--runs N] [--seed N] [--case DECODER:SEED:RUN]
set -euo pipefail
cd "$(dirname "$0")/.."
build=.build-fuzz

swift build -c release --sanitize=address --scratch-path "$build" --product fuzz-decoders >&2
log=$build/last-case
rm -f "$log"

# Allocating gigabytes is a failure too.
options=detect_leaks=1:allocator_may_return_null=1:hard_rss_limit_mb=1500
# The library that writes the valid HEIC files leaks a little. Leaks of decoders are failures.
suppressions=$build/known-leaks
echo "leak:libx265" >"$suppressions"
status=0
ASAN_OPTIONS=$options${ASAN_OPTIONS:+:$ASAN_OPTIONS} \
    LSAN_OPTIONS=suppressions=$suppressions:print_suppressions=0 timeout 900 \
    "$build/release/fuzz-decoders" --log "$log" "$@" || status=$?
[ "$status" -eq 0 ] && exit 0
echo "fuzz: failed with status $status. To repeat it: Scripts/fuzz.sh --case $(cat "$log" 2>/dev/null || echo '?')" >&2
exit 1
