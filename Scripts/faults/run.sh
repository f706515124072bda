#!/usr/bin/env bash
# Interrupts Shelflist in every way that a machine can, and checks that nothing is lost or doubled (docs/reliability.md).
# usage: Scripts/faults/run.sh [--long]
#
# The short form takes a few minutes and runs in CI; the long form takes hours. SHELFLIST_BINARY names another program.
set -euo pipefail
cd "$(dirname "$0")/../.."
long=false
case "${1:-}" in
    "") ;;
    --long) long=true ;;
    *) echo "usage: Scripts/faults/run.sh [--long]" >&2; exit 2 ;;
esac
if [ -z "${SHELFLIST_BINARY:-}" ]; then
    swift build -c release --only-use-versions-from-resolved-file --product shelflist >&2
fi
export PYTHONDONTWRITEBYTECODE=1
failed=0
fault() {
    local name=$1
    shift
    printf '%s: ' "$name"
    local start=$SECONDS
    "$@" || { failed=1; echo "FAILED: $*"; }
    echo "    $((SECONDS - start)) s"
}
here=Scripts/faults
fault "Backup drill" python3 $here/backup_drill.py
fault "Clock" python3 $here/clock_jumps.py
if $long; then
    fault "Kills of commands" python3 $here/kill_commands.py --kills 400
    fault "Kills of the server" python3 $here/kill_server.py --uploads 1000
    fault "Failing writes" python3 $here/disk_faults.py --each 0
    fault "Endurance" python3 $here/endurance.py --photos 1000 --reconnects 1000
    fault "Work queue" python3 $here/work_queue.py --photos 1000 --workers 8 --real 10
    fault "Damaged files" Scripts/fuzz.sh --runs 1000000
else
    fault "Kills of commands" python3 $here/kill_commands.py --kills 12
    fault "Kills of the server" python3 $here/kill_server.py --uploads 10
    fault "Failing writes" python3 $here/disk_faults.py --each 4
    fault "Endurance" python3 $here/endurance.py --photos 10 --reconnects 50
    fault "Work queue" python3 $here/work_queue.py --photos 200 --workers 4 --real 2
fi
exit $failed
