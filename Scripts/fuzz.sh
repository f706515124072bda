#!/usr/bin/env bash
# Damages files and feeds them to each parser and decoder.
# usage: Scripts/fuzz.sh                  2,000 files for each parser, in the ordinary build: for each change
#        Scripts/fuzz.sh --decoders       10,000 files for each decoder, under AddressSanitizer: where decoders changed
#        Scripts/fuzz.sh --all            100,000 files for each parser and each decoder
#        Scripts/fuzz.sh --runs N [--seed N] [--only PARSER]    everything under AddressSanitizer
#        Scripts/fuzz.sh --case PARSER:SEED:RUN                 repeats one file, under AddressSanitizer
# SHELFLIST_BINARY names the built program: beside it is fuzz-parsers, which is then not built.
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

# For the sanitizer, with lines in its reports: PRODUCT FOLDER.
sanitized() {
    swift build -c release --only-use-versions-from-resolved-file --sanitize=address --product "$1" --scratch-path "$2" >&2
}

decoders() {
    # Without the packages, which decoders do not need: none is checked out and compiled a second time.
    SHELFLIST_DECODERS_ONLY=1 sanitized fuzz-decoders "$build/decoders"
    run "$build/decoders/release" fuzz-decoders "$@"
}

# Parsers are Swift, whose own checks end the program.
parsers() {
    [ -n "${SHELFLIST_BINARY:-}" ] || Scripts/build.sh fuzz-parsers
    run "$(dirname "${SHELFLIST_BINARY:-.build/release/shelflist}")" fuzz-parsers "$@"
}

# A long run looks below them, too.
sanitized_parsers() {
    sanitized fuzz-parsers "$build/parsers"
    run "$build/parsers/release" fuzz-parsers "$@"
}

# Seconds of one program, for hangs.
longest=3600
case " $* " in *" --runs "*) longest=infinity ;; esac
case " $* " in
    "  ") parsers --runs 2000 ;;
    " --decoders ") decoders --runs 10000 ;;
    " --all ")
        decoders --runs 100000
        parsers --runs 100000
        ;;
    *" "jpeg[\ :]* | *" "png[\ :]* | *" "webp[\ :]* | *" "heic[\ :]* | *" "exif[\ :]* | *" "sides[\ :]*) decoders "$@" ;;
    *" --case "* | *" --only "*) sanitized_parsers "$@" ;;
    *" --runs "*)
        decoders "$@"
        sanitized_parsers "$@"
        ;;
    *)
        sed -n '3,7s/^# //p' Scripts/fuzz.sh >&2
        exit 2
        ;;
esac
