#!/usr/bin/env bash
# Measures the built program and writes the figures into docs/benchmarks.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)

usage() {
    cat <<'USAGE'
usage: Benchmarks/run.sh [all|reading|books|matching|shelves|peer|filters|start|memory|throughput|library|catalog|serve|serve-memory|web|review]...

  reading     lines and books without a catalog, time per photo and per stage; with and without preprocessing
  books       the same with the labelled books as catalog
  matching    spine text beside PyPI's RapidFuzz and plain FTS5 bm25, on the same queries
  shelves     the photos with the four lists of the catalog of record
  peer        PyPI's rapidocr with ONNX Runtime on the same photos, in turns with Shelflist
  filters     what the preprocessing filters cost on a photo of 1,920 pixels
  start       a fresh process against a running one
  memory      peak resident memory: the real photos, and drawn ones of 100 megapixels in each format
  throughput  all photos in one run, all cores
  library     opening, listing, searching and reviewing a library of 10,000 books, and cutting out spines
  catalog     importing dumps of one and three million editions; searching them
  serve       the server: photos a minute, answers while photos are read, idle connections, cancelling, stop
  serve-memory  the server's memory after 20 and after 200 small photos
  web         the app in Chromium: first load, long tasks, long lists; the overlay with the real reader
  review      ten books cleared off the queue in the browser, at a human being's pace

Each replaces its own part of docs/benchmarks.md. Without a name: all.

  SHELFLIST_SHARED          where the labelled photos lie (default: ../shared)
  SHELFLIST_DUMPS           a folder that keeps the dumps that 'catalog' imports (3 GB); each is else written anew
  SHELFLIST_BENCHMARK_LOCK  a file that is locked (flock) while something is timed, for machines on which other
                            work holds the same lock
USAGE
}

fail() {
    printf 'benchmark: %s\n  Remedy: %s\n' "$1" "$2" >&2
    exit 1
}

case "${1:-}" in -h | --help | help)
    usage
    exit 0
    ;;
esac
command -v python3 >/dev/null || fail "python3 is not on this machine." "install it (Debian: apt-get install python3 python3-venv)."
[ -x "$root/.build/release/shelflist" ] || fail "There is no .build/release/shelflist." "run 'make build' first."
exec python3 "$here/benchmark.py" "$@"
