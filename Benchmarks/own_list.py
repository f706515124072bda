"""Reading with the list of one's own books: what is missed, stored again or called by another title, and the time."""
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

from measuring import BENCH, EXAMPLE, PROGRAM, quiet, real_photos, scan_warm
from report import table, write

WORKS = 5_000
ROUNDS = 5


def closed_list(*options):
    """The sums of the bench's `closed_list.py`."""
    with quiet():
        return json.loads(subprocess.run(
            [sys.executable, BENCH / "closed_list.py", PROGRAM, *options], check=True, capture_output=True,
            text=True).stdout.splitlines()[-1])


def match_seconds(photos, works):
    """The seconds of matching each photo, with a library of so many listed works."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("SHELFLIST_DATA")
        os.environ["SHELFLIST_DATA"] = folder
        try:
            if works:
                with open(BENCH / "catalog/popular_books.csv", encoding="utf-8") as source:
                    rows = list(csv.DictReader(source))[:works]
                with open(f"{folder}/list.csv", "w", newline="", encoding="utf-8") as file:
                    csv.writer(file).writerows([("title", "author"), *((row["title"], row["author"]) for row in rows)])
                subprocess.run([PROGRAM, "library", "import", "--no-lookup", f"{folder}/list.csv"], check=True,
                               capture_output=True)
            rounds = [scan_warm(photos, "--offline") for _ in range(ROUNDS)]
        finally:
            if before is None:
                del os.environ["SHELFLIST_DATA"]
            else:
                os.environ["SHELFLIST_DATA"] = before
    return [min(photo["timings"]["match"] for photo in photos) for photos in zip(*rounds)]


def measure_own_list():
    rows = []
    for name, options in (("the library", ()), ("the library and the same list as a catalog", ("--catalog",))):
        for shelves in (4, 15):
            sums = closed_list("--shelves", str(shelves), *options)
            rows.append([name, shelves, sums["listed"], sums["missing"], sums["stored_again"], sums["wrong_shelf"]])
    photos = [EXAMPLE, *real_photos()]
    without, with_list = match_seconds(photos, 0), match_seconds(photos, WORKS)
    more = [(b - a) * 1000 for a, b in zip(without, with_list)]
    write("own-list",
          table(["read with", "photos", "listed books", "falsely missing", "stored again", "of another shelf"], rows),
          f"A library of {WORKS:,} listed works takes {statistics.median(more):.0f} ms more for each of {len(photos)} photos "
          f"in the median, {max(more):.0f} ms at most (the fastest of {ROUNDS} rounds, one photo at a time).")
