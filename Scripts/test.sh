#!/usr/bin/env bash
# Runs the checks and tests, the quick ones first. All use one build.
# usage: test.sh [--all]
#
# Without --all: what protects every change, and all tests of what was touched since the merge base with the main branch of
# 'origin' (SHELFLIST_BASE names another commit); without a merge base nothing counts as touched. With --all: every test.
# Prints the elapsed seconds and the processor seconds of each step. Fails if what runs for every change needs more
# processor time than budgeted: then take time out of the tests, or move some to --all.
set -euo pipefail
cd "$(dirname "$0")/.."

# Processor seconds, without installing and compiling.
budget=1600
all=false
case "${1:-}" in
"") ;;
--all) all=true ;;
*)
    echo "usage: Scripts/test.sh [--all]" >&2
    exit 2
    ;;
esac

# Work that blocks on the wrong thread ends the process (BlockingExecutor).
export SHELFLIST_CHECK_THREADS=1
# Compiled networks and the index of the starter list, for all data folders of the tests.
export SHELFLIST_CACHE=$PWD/.build/test-cache
logs=$PWD/.build/test-logs
rm -rf "$logs"
mkdir -p "$logs"

# MARK: What was touched

# shellcheck source=Scripts/touched.sh
. Scripts/touched.sh
base='' base_note=''
$all || find_base
[ -z "$base_note" ] || printf 'test: %s\n' "$base_note" >&2
# Exists if tests run that not every change needs.
longer=$logs/longer
! $all || : >"$longer"

# Whether the tests of these paths run that not every change needs.
chosen() { # PATH...
    $all || touched "$@" || return 1
    : >"$longer"
}

# MARK: Steps

# Elapsed and processor seconds of each step.
table=$logs/table
# Processor seconds of the steps that count towards the budget, one line each.
counted=$logs/counted
: >"$table"
: >"$counted"
TIMEFORMAT='%R %U %S'

# Lines without what exceeds 400 characters: arguments of tests, which can be whole files.
shortened() {
    LC_ALL=C.UTF-8 sed -u -E 's/^(.{400}).+$/\1…/'
}

measured() { # COUNTS NAME COMMAND...
    local counts=$1 name=$2 log status=0
    shift 2
    log=$(log_of "$name")
    printf '\033[1m==>\033[0m %s\n' "$name" >&2
    { time "$@" 2>&1 | tee "$log" | shortened >&3; } 3>&1 2>"$log.time" || status=$?
    local elapsed user system cpu
    read -r elapsed user system < <(tail -n 1 "$log.time")
    cpu=$(awk "BEGIN { printf \"%.0f\", $user + $system }")
    ! $counts || echo "$cpu" >>"$counted"
    {
        printf '%-52s %6.0f s %6d s\n' "$name" "$elapsed" "$cpu"
        summary "$log"
    } >>"$table"
    [ "$status" -eq 0 ] && return
    local lane
    for lane in "${besides[@]}"; do wait "${lane%% *}" || true; done
    report
    failures "$log"
    printf '\033[1m==>\033[0m Failed: %s (the whole output: %s)\n' "$name" "$log" >&2
    exit 1
}

log_of() { # NAME
    echo "$logs/$(tr -c '[:alnum:]\n' '-' <<<"$1").log"
}

# The closing lines of the test runners in a log.
summary() { # LOG
    sed 's/\x1b\[[0-9;]*m//g' "$1" |
        grep -E 'Test run with [0-9]+ tests|^(=+ )?[0-9]+ (passed|failed|skipped)|^Ran [0-9]+ tests?|^(ℹ|#) (tests|pass|fail) [0-9]' |
        sed 's/^[^[:alnum:]]*/    /; s/[ =]*$//' || true
}

# What failed in a log, in the runners' words.
failures() { # LOG
    sed 's/\x1b\[[0-9;]*m//g' "$1" |
        grep -E -A 3 'recorded an issue|^(FAILED|ERROR|FAIL|not ok)\b|^ *✖' | head -n 60 || true
}

report() {
    printf '\n%-52s %8s %8s\n' step elapsed processor
    cat "$table"
}

prepare() { measured false "$@"; }
step() { measured true "$@"; }

# Steps that wait a lot run beside the others until `joined`, which prints what they printed.
besides=()
beside() { # FUNCTION
    # Without the others, which are not its children.
    (besides=() && "$1") >"$logs/$1.log" 2>&1 &
    besides+=("$! $logs/$1.log")
}

joined() {
    local lane failed=false
    for lane in "${besides[@]}"; do
        wait "${lane%% *}" || failed=true # the step that failed has reported
        cat "${lane#* }"
    done
    besides=()
    ! $failed || exit 1
}

# Warnings in the package's own targets are errors (Package.swift); those of dependencies are ignored.
build() { # PRODUCT...
    local product
    for product in "$@"; do
        Scripts/build.sh "$product" || return
    done
}

# A few tests at a time: all at once, they would wait for each other with open files and threads.
swift_tests() {
    swift test -c release --skip-build --disable-xctest --experimental-maximum-parallelization-width 4 "$@"
}

# Mounting needs root; a user namespace provides it where the system allows that.
full_disk() {
    [ "$(id -u)" -ne 0 ] || return 0 # has run with the other tests
    if unshare --user --map-root-user --mount true 2>/dev/null; then
        unshare --user --map-root-user --mount \
            swift test -c release --skip-build --disable-xctest --filter FullDisk
    else
        echo "NOT tested: full disks. Run as root, or where user namespaces are allowed (unshare)"
    fi
}

example() {
    SHELFLIST_DATA=$(mktemp -d) .build/release/shelflist scan --offline Examples/shelf.jpg
}

# MARK: What runs

# The tests of what was installed fail where it is missing, instead of being skipped.
export CI=1

prepare "Install what the tests need" Scripts/setup/setup.sh "$($all && echo all || echo test)"
step "Format, imports, documents, scripts" Scripts/lint.sh
prepare "Build the program" build shelflist test-server
export SHELFLIST_BINARY=$PWD/.build/release/shelflist
step "Read the example, which fills the cache" example

browsers() {
    if $all; then
        step "The web app" Scripts/web/test.sh --all
    elif chosen Web Tests/Web Sources/Server Sources/ShelflistAPI Tools/test-server; then
        step "The web app, with its details" Scripts/web/test.sh --touched
    else
        step "The web app" Scripts/web/test.sh
    fi
}

servers() {
    if $all; then
        step "The server against its API document" Scripts/check_api.sh 50
    elif chosen Sources/Server Sources/ShelflistAPI docs/api/openapi.json Scripts/api; then
        step "The server against its API document" Scripts/check_api.sh
    else
        step "The server against its API document" Scripts/check_api.sh --quick
    fi

    step "The two older apps" Scripts/test_apps.sh
    if chosen Sources/Server/Compatible Tests/Apps; then
        step "The two older apps, with the reader" Scripts/test_apps.sh --real
    fi

    $all || step "Faults" Scripts/faults/run.sh
}
beside browsers
beside servers

prepare "Build the tests" build shelflistPackageTests fuzz-parsers read-photo
step "The site" Scripts/site/build.sh
step "The reference of the client library" Scripts/site/swift_reference.sh

reading=(Sources/COpenVINO Sources/CImageCodecs Sources/Imaging Sources/Inference Sources/SpineReading
    Sources/Identification Sources/Reading Data/models Scripts/setup/wheels.txt Tests/Recorded
    Tests/{Imaging,Inference,SpineReading,Identification,Reading}Tests)
if $all; then
    SHELFLIST_TEST_ALL=1 step "Swift tests" swift_tests
elif chosen "${reading[@]}"; then
    SHELFLIST_TEST_READING=1 step "Swift tests, with all that read photos" swift_tests
else
    step "Swift tests" swift_tests
fi
step "Swift tests with a full disk" full_disk

if chosen Sources/Library/{Exchange,Values} Sources/{Bibliography,Bounds,DelimitedText} Sources/Server/Library Scripts/exports; then
    step "Exports, by the readers of others" Scripts/check_exports.sh
fi

step "Fuzzing of the parsers" Scripts/fuzz.sh
if $all; then
    step "Fuzzing" Scripts/fuzz.sh --all
elif chosen Sources/Imaging 'Sources/C*' Tools/Fuzzing Tools/fuzz-decoders; then
    step "Fuzzing of the decoders" Scripts/fuzz.sh --decoders
fi

if $all; then
    step "Build the other tools" build drive-queue draw-shelf matching-features measure-decoding measure-library
    step "Faults" Scripts/faults/run.sh --all
else
    if chosen Sources/Library Sources/Scans Scripts/faults; then
        step "Faults of commands and disks" Scripts/faults/run.sh --only kill_commands --only disk_faults
    fi
    if chosen Sources/{Server,Storage,Library,Scans,Downloads,Imaging,CSandbox,shelflist} Scripts/faults; then
        step "Faults of a server" Scripts/faults/run.sh --only server_faults --only server_life
    fi
    if chosen Sources/WorkQueue Tools/drive-queue Scripts/faults; then
        step "Build the tool of the work queue" build drive-queue
        step "Faults of the work queue" Scripts/faults/run.sh --only work_queue
    fi
    if chosen Tools; then
        step "Build the other tools" build draw-shelf matching-features measure-decoding measure-library drive-queue
    fi
fi

step "Install, move, run" Scripts/install/smoke_test.sh
joined

if $all || chosen Scripts/package Dockerfile contrib; then
    step "The packages" Scripts/package/test.sh
fi

report
[ -z "$base_note" ] || printf 'test: %s\n' "$base_note" >&2
total=$(awk '{ total += $1 } END { print total + 0 }' "$counted")
printf '%-52s %8s %6d s\n' "processor time of the tests" "" "$total"
if [ ! -e "$longer" ] && [ "$total" -gt "$budget" ]; then
    echo "test: The tests of each change used $total s of processor time; the budget is $budget s (CONTRIBUTING.md)." >&2
    exit 1
fi
printf '\033[1m==>\033[0m All checks passed\n' >&2
