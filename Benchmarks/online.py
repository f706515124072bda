"""The measurement of identification by a provider, against a local server that answers like Open Library's search."""
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from measuring import BENCH, BenchmarkError, quiet, real_photos, scan, score
from report import percent, seconds, table, write

LISTS = ["shelf", "library", "popular", "crossing"]
NOISE = 200_000
# What Open Library allows a program that names a contact.
RATE = 3
LATENCY = 0.25


@contextlib.contextmanager
def open_library(folder):
    """Starts the stand-in for Open Library; yields its address and the path of its log."""
    log = pathlib.Path(folder) / "requests.ndjson"
    log.touch()
    process = subprocess.Popen(
        [sys.executable, BENCH / "open_library_stub.py", "--rate", str(RATE), "--latency", str(LATENCY), "--noise",
         str(NOISE), "--log", log, *(BENCH / f"catalog/{name}_books.csv" for name in LISTS)],
        stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        if not address.startswith("http"):
            raise BenchmarkError("The stand-in for Open Library did not start.", f"run {BENCH / 'open_library_stub.py'} by hand.")
        yield address, log
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def environment(**values):
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def measure_online():
    photos = real_photos()
    local, found, again, rows = [], [], [], []
    with tempfile.TemporaryDirectory() as folder, open_library(folder) as (address, log), quiet():
        def requests(): return [json.loads(line) for line in log.read_text().splitlines()]
        for photo in photos:
            # A folder of its own for each photo: nothing is known yet.
            data = pathlib.Path(os.environ.get("SHELFLIST_ONLINE_DATA", folder)) / photo.stem
            with environment(SHELFLIST_DATA=str(data), SHELFLIST_OPENLIBRARY_URL=address,
                             SHELFLIST_CONTACT="benchmark@example.org"):
                # Indexes the starter list, as the first run does.
                scan([photo])
                first = scan([photo])
                before = len(requests())
                last = scan([photo], "--online")
                asked = requests()[before:]
                before += len(asked)
                repeated = scan([photo], "--online")
                repeats = len(requests()) - before
            local += first.photos
            found += last.photos
            again += repeated.photos
            failed = sum(request["status"] != 200 for request in asked)
            rows.append([photo.stem, len(last.photos[0]["books"]), len(asked), repeats, failed, seconds(first.wall),
                         seconds(last.wall), last.wall - first.wall])
    waits = [row[-1] for row in rows]

    def accuracy(name, photos):
        figures = score(photos)
        return [name, *(percent(figures[key]) for key in ("recall", "precision", "accepted_recall", "accepted_precision")),
                f"{figures['ece']:.3f}"]
    write("online",
          table(["", "books found", "precision", "accepted", "of these right", "calibration error"],
                [accuracy("offline: the starter list alone", local), accuracy("`--online`", found),
                 accuracy("the same again, from what was kept", again)]),
          f"Requests a photo: {statistics.mean(row[2] for row in rows):.1f} in the mean, at most {max(row[2] for row in rows)}; "
          f"when the photo is scanned again {max(row[3] for row in rows)}. The last book is settled "
          f"{statistics.median(waits):.1f} s after the first result in the median, {max(waits):.1f} s at most.",
          table(["photo", "spines", "requests", "the second time", "refused", "first result", "last result", "between"],
                [[*row[:-1], seconds(row[-1])] for row in rows]))
