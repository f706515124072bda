#!/usr/bin/env bash
# Measures the built program and writes the figures into docs/benchmarks.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)

usage() {
    cat <<'USAGE'
usage: Benchmarks/run.sh [all|second|reading|books|matching|shelves|own-list|peer|avx2|filters|start|isolation|memory|throughput|library|places|large|health|labels|catalog|online|assist|serve|serve-memory|queue|web|review|flows]...
       Benchmarks/run.sh own FOLDER [OPTIONS OF shelflist scan]
       Benchmarks/run.sh drafts FOLDER

  second      photos of 20 other sources, on which nothing is fitted: books without and with a catalog
  reading     lines and books without a catalog, time per photo and stage; with and without preprocessing
  books       the same with the labelled books as catalog
  matching    spine text beside PyPI's RapidFuzz and plain FTS5 bm25, on the same queries
  shelves     the photos with the four lists of the catalog of record
  own-list    the photos with the list of their books in the library; the time that 5,000 listed works take
  peer        PyPI's rapidocr with ONNX Runtime on the same photos, alternating with Shelflist
  avx2        the same with a processor's AVX-512 and bfloat16 switched off for both (Scripts/avx2)
  filters     cost of the preprocessing filters on a photo of 1,920 pixels
  start       a fresh process compared with a running one
  isolation   decoding photos in a process of its own, as the server does
  memory      peak resident memory: the real photos, and generated ones of 100 megapixels in each format
  throughput  all photos in one run, all cores
  library     opening, listing, searching and reviewing a library of 10,000 books, and cutting out spines
  places      200 shelves in bookcases with 10,000 books: listing, filtering, auditing, another photo; spines found by
              what is printed on them, among 20,000
  large       processor time of pages of a library of 50,000 copies on 2,444 shelves
  health      answers to /health and / while one member asks for the heaviest route, eight at a time
  labels      codes on drawn labels: read right, read wrong, missed
  catalog     importing dumps of one and three million editions; searching them
  online      the photos identified by a stand-in for Open Library: accuracy, requests, time
  assist      a second opinion on the unsure spines, from a stand-in with a stated error rate; what it would cost
  serve       the server: photos per minute, response times while reading, idle connections, cancelling, stop
  serve-memory  the server's memory after 20 and after 200 small photos
  queue       the work queue: workers that wait, 1 to 16 of them, and real ones; writes docs/scale.md
  web         the app in Chromium: first load, answers to taps, long tasks, long lists; the overlay with the real reader
  review      ten books reviewed in the browser, at the pace of a person
  flows       from shelves to right books, with and without Open Library: seconds and taps of a newcomer, and of a person
              who takes stock

Each replaces its part of docs/benchmarks.md, if it names no other. The default is all. Photos of your own (Benchmarks/README.md):

  own         the same figures for the labelled photos in a folder, printed only
  drafts      writes labels for those without one, for you to correct

  SHELFLIST_SHARED          folder of the labelled photos (default: ../shared)
  SHELFLIST_DUMPS           folder for the dumps that 'catalog' imports (3 GB); without it they are written each time
  SHELFLIST_BENCHMARK_LOCK  file that is locked (flock) during measurements, to exclude other work that uses
                            the same lock
USAGE
}

fail() {
    printf 'benchmark: %s\n  Fix: %s\n' "$1" "$2" >&2
    exit 1
}

case "${1:-}" in -h | --help | help)
    usage
    exit 0
    ;;
esac
command -v python3 >/dev/null || fail "python3 is not installed." "install it (Debian: apt-get install python3 python3-venv)."
[ -x "$root/.build/release/shelflist" ] || fail "There is no .build/release/shelflist." "run 'make build' first."
exec python3 "$here/benchmark.py" "$@"
