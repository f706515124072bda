#!/usr/bin/env bash
# Interrupts Shelflist in every way that a machine can, and checks that nothing is lost or doubled (docs/reliability.md).
# usage: Scripts/faults/run.sh [--quick | --all | --long] [--only NAME]...
#
#   --quick        what each change has to pass; this is the default
#   --all          everything, in a few minutes
#   --long         everything, in hours: before a release
#   --only NAME    only this script of Scripts/faults, such as kill_server; with the options of --all, unless another
#                  tier is given
#
# SHELFLIST_BINARY names the built program; drive-queue is beside it. Without it, both are built.
set -euo pipefail
cd "$(dirname "$0")/../.."
tier='' only=' '
while [ $# -gt 0 ]; do
    case $1 in
        --quick | --all | --long) tier=${1#--} ;;
        --only)
            [ -f "Scripts/faults/${2:-}.py" ] || { echo "faults: There is no Scripts/faults/${2:-}.py." >&2; exit 2; }
            only+="$2 "
            shift
            ;;
        *) sed -n '3,9s/^# \{0,1\}//p' Scripts/faults/run.sh >&2; exit 2 ;;
    esac
    shift
done
[ "$only" = ' ' ] || tier=${tier:-all}
tier=${tier:-quick}
if [ -z "${SHELFLIST_BINARY:-}" ]; then
    for product in shelflist drive-queue; do
        Scripts/build.sh $product
    done
fi
export PYTHONDONTWRITEBYTECODE=1
passed=0 failed=0 skipped=0

# fault NAME QUICK ALL LONG: the options of a script in each tier; "-" where the tier does without it.
fault() {
    local name=$1 options status=0 start=$SECONDS
    case $only in ' ' | *" $name "*) ;; *) return 0 ;; esac
    case $tier in quick) options=$2 ;; all) options=$3 ;; long) options=$4 ;; esac
    [ "$options" != - ] || return 0
    printf '%s: ' "$name"
    # shellcheck disable=SC2086
    python3 "Scripts/faults/$name.py" $options || status=$?
    echo "    $((SECONDS - start)) s"
    case $status in
        0) passed=$((passed + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *)
            failed=$((failed + 1))
            echo "FAILED: Scripts/faults/$name.py $options"
            ;;
    esac
}

fault backup_drill '' '' ''
# Seed 5 kills the server when the photo is read and its books are being added.
fault kill_server '--uploads 1 --kills 1 --seed 5' '--uploads 10 --kills 5 --fresh' '--uploads 1000 --kills 200 --fresh'
fault stocktake_phones - '' '--scans 1000'
fault kill_commands '--each 1' '--each 4' '--each 60'
fault disk_faults - '--each 4' '--each 0'
fault server_faults - '--kills 1 --disk 1' '--kills 30 --disk 30'
fault server_life - '--restarts 2' '--restarts 10'
fault clock_jumps - '' ''
fault endurance - '--photos 10 --reconnects 1000' '--photos 1000 --reconnects 1000'
fault work_queue - '--photos 200 --workers 4 --real 2' '--photos 1000 --workers 8 --real 10'
if [ "$tier" = long ] && [ "$only" = ' ' ]; then
    if Scripts/fuzz.sh --runs 1000000; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
fi
[ "$skipped" -eq 0 ] || echo "$skipped not tested"
[ "$((passed + skipped + failed))" -gt 0 ] || { echo "faults: The tier $tier has none of these." >&2; exit 2; }
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
