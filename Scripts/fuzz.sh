#!/usr/bin/env bash
# Damages files and feeds them to each decoder (10,000) under AddressSanitizer, and to each parser (2,000). With --runs, --only
# or --case, all run under AddressSanitizer.
# usage: Scripts/fuzz.sh [--runs N] [--seed N] [--only PARSER] [--case PARSER:SEED:RUN]
set -euo pipefail
cd "$(dirname "$0")/.."
build=.build-fuzz
mkdir -p "$build"
# Where parsers write files; a disk would take most of the time.
files=${TMPDIR:-/tmp}
[ ! -w /dev/shm ] || files=/dev/shm

# Allocating gigabytes is a failure too, also of memory that is never used: Swift ends the program when an allocation fails.
# The places of allocations are recorded two calls deep: recording more takes most of the time.
options=detect_leaks=1:allocator_may_return_null=1:hard_rss_limit_mb=1500:max_allocation_size_mb=600:malloc_context_size=2
# The library that writes the valid HEIC files leaks a little. Leaks of decoders are failures.
suppressions=$build/known-leaks
echo "leak:libx265" >"$suppressions"

# run FOLDER PROGRAM OPTIONS...
run() {
    local folder=$1 program=$2 log=$build/last-case status=0
    shift 2
    rm -f "$log"
    ASAN_OPTIONS=$options${ASAN_OPTIONS:+:$ASAN_OPTIONS} \
        LSAN_OPTIONS=suppressions=$suppressions:print_suppressions=0 TMPDIR=$files timeout "$longest" \
        "$folder/$program" --log "$log" "$@" || status=$?
    [ "$status" -eq 0 ] && return
    echo "fuzz: $program failed with status $status. To repeat it: Scripts/fuzz.sh --case $(cat "$log" 2>/dev/null || echo '?')" >&2
    exit 1
}

# fuzz PROGRAM OPTIONS...: with AddressSanitizer.
fuzz() {
    swift build -c release --only-use-versions-from-resolved-file --sanitize=address --scratch-path "$build" --product "$1" >&2
    run "$build/release" "$@"
}

# A long run takes as long as it takes.
longest=900
case " $* " in
    *" --runs "*) longest=infinity ;;
esac
case " $* " in
    *" --case "* | *" --only "*)
        case " $* " in
            *" jpeg"[\ :]* | *" png"[\ :]* | *" webp"[\ :]* | *" heic"[\ :]* | *" exif"[\ :]* | *" sides"[\ :]*)
                fuzz fuzz-decoders "$@"
                ;;
            *) fuzz fuzz-parsers "$@" ;;
        esac
        ;;
    *" --runs "*)
        fuzz fuzz-decoders "$@"
        fuzz fuzz-parsers "$@"
        ;;
    *)
        fuzz fuzz-decoders "$@"
        # Parsers are Swift, whose own checks end the program; a long run looks below them, too.
        swift build -c release --only-use-versions-from-resolved-file --product fuzz-parsers >&2
        run .build/release fuzz-parsers --runs 2000 "$@"
        ;;
esac
