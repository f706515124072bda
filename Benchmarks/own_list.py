"""Reading with the list of one's own books: what is missed, stored again or called by another title, and the time."""
import contextlib
import csv
import dataclasses
import json
import os
import pathlib
import statistics
import tempfile

import scoring
from measuring import BENCH, EXAMPLE, PROGRAM, Run, real_photos, say, scan_warm
from report import table, write

WORKS = 5_000
ROUNDS = 3
# Every so many listed books are left out, to see whether their spines are mistaken for other books of the list.
LEFT_OUT = 12
# Every so many photos are read where fewer are enough.
SOME = 3
# Titles of the example's list that are not on its shelf.
ABSENT = 4


@dataclasses.dataclass
class Shelf:
    """A photo, and its labelled books with a title."""
    photo: pathlib.Path
    label: dict

    @property
    def name(self):
        return self.photo.stem

    @property
    def books(self):
        return [book for book in self.label["books"] if book.get("title")]

    @property
    def legible(self):
        return {book["title"] for book in self.books if book["legible"]}


@dataclasses.dataclass
class Sums:
    """What became of the listed books when their shelves were photographed."""
    listed: int = 0
    # Legible ones that the inventory of the shelf calls missing.
    missing: int = 0
    # Books that the scans added, listed or not.
    stored_again: int = 0
    # Books that an inventory calls present although they are listed on other shelves only.
    wrong_shelf: int = 0

    def __add__(self, other):
        return Sums(*(a + b for a, b in zip(dataclasses.astuple(self), dataclasses.astuple(other))))


def labelled_shelf(photo, label):
    return Shelf(photo, json.loads(label.read_text(encoding="utf-8")))


@contextlib.contextmanager
def library(rows, *, catalog=False):
    """An empty data folder with these (title, author, shelf) in the library, and as a catalog, too."""
    before = os.environ.get("SHELFLIST_DATA")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SHELFLIST_DATA"] = folder
        try:
            path = f"{folder}/list.csv"
            with open(path, "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([("title", "author", "location"), *rows])
            if rows:
                Run([PROGRAM, "library", "import", "--no-lookup", "--duplicates", "add-copy", path])
            if catalog:
                Run([PROGRAM, "catalog", "import", path])
            yield
        finally:
            if before is None:
                del os.environ["SHELFLIST_DATA"]
            else:
                os.environ["SHELFLIST_DATA"] = before


def listed(shelves):
    """The rows of a list: each shelf's books in the place that has the name of its photo."""
    return [(book["title"], book.get("author") or "", shelf.name) for shelf in shelves for book in shelf.books]


def photographed(shelf):
    """Scans the photo of a shelf into the library; returns what was reported, and the inventory of the shelf."""
    [photo] = Run([PROGRAM, "scan", "--import", "--shelf", shelf.name, "--offline", "--format", "json",
                   shelf.photo]).photos
    return photo, json.loads(Run([PROGRAM, "library", "inventory", shelf.name, "--format", "json"]).output)


def size():
    return json.loads(Run([PROGRAM, "library", "list", "--format", "json"]).output)["total"]


def taken_stock(rows, shelves):
    """Photographs shelf after shelf; returns the `Sums` of each."""
    sums, before = [], size()
    for shelf in shelves:
        _, inventory = photographed(shelf)
        after, here = size(), {title for title, _, place in rows if place == shelf.name}
        sums.append(Sums(
            len([row for row in rows if row[2] == shelf.name]),
            sum(book["title"] in shelf.legible for book in inventory["missing"]), after - before,
            sum(book["title"] in {title for title, _, _ in rows} - here for book in inventory["present"])))
        before = after
    return sums


def taken_for_others(shelves):
    """Returns how many legible books a list lacks, and the (book, reported title) of those reported as books of the list."""
    books = [(shelf, book) for shelf in shelves for book in shelf.books]
    absent = books[LEFT_OUT - 1::LEFT_OUT]
    rows = listed(shelves)
    del rows[LEFT_OUT - 1::LEFT_OUT]
    count, others = 0, []
    with library(rows):
        for shelf in shelves:
            own = [book for where, book in absent if where is shelf and book["legible"] and book.get("box")]
            count += len(own)
            photo, _ = photographed(shelf)
            others += reported_as_others(shelf.label, photo, own, {title for title, _, _ in rows})
    return count, others


def reported_as_others(label, photo, books, titles):
    """The (book, reported title) of these labelled books in whose place a scan surely reports another of the titles."""
    wrong = [report for report in scoring.score_photo(label, photo).wrong
             if report["reviewStatus"] == "verified" and report["title"] in titles and scoring.box_of(report)]
    return [(book["title"], report["title"]) for book in books for report in wrong
            if scoring.overlap(book["box"], scoring.box_of(report)) >= scoring.SAME_BOX
            or scoring.is_within(scoring.box_of(report), book["box"])]


def present_of_another(shelves):
    """Returns the number of books in lists of other shelves, and the titles that inventories then call present."""
    count, present = 0, []
    for shelf, other in zip(shelves, shelves[1:] + shelves[:1]):
        own = {book["title"] for book in shelf.books}
        rows = [(book["title"], book.get("author") or "", shelf.name) for book in other.books if book["title"] not in own]
        count += len(rows)
        with library(rows):
            _, inventory = photographed(shelf)
        present += [book["title"] for book in inventory["present"] if book["title"] in {title for title, _, _ in rows}]
    return count, present


def match_seconds(photos, works):
    """The least seconds of matching each photo, with a library of so many listed works."""
    with open(BENCH / "catalog/popular_books.csv", encoding="utf-8") as source:
        rows = [(row["title"], row["author"], "") for row in csv.DictReader(source)][:works]
    with library(rows):
        rounds = [scan_warm(photos, "--offline") for _ in range(ROUNDS)]
    return [min(photo["timings"]["match"] for photo in photos) for photos in zip(*rounds)]


def measure_own_list():
    shelves = [labelled_shelf(photo, BENCH / f"labels/{photo.stem}.json") for photo in real_photos()]
    some = shelves[::SOME]
    # The few come first, so that their sums are known before the others are read into the same library.
    order = some + [shelf for shelf in shelves if shelf not in some]
    example = labelled_shelf(EXAMPLE, EXAMPLE.with_suffix(".json"))
    absent = [(title, author, example.name) for title, author, _ in listed(shelves)[:ABSENT]]
    rows = []
    for photos, books, of, parts in (("`Examples/shelf.jpg`", listed([example]) + absent, [example], [1]),
                                     ("real shelves", listed(shelves), order, [len(some), len(order)])):
        for name, catalog in (("the library", False), ("the library and the same list as a catalog", True)):
            # The catalog is compared on the few.
            read = of[:parts[0]] if catalog else of
            say(f"own-list: {len(read)} of {photos}, {name}")
            with library(books, catalog=catalog):
                sums = taken_stock(books, read)
            for count in parts:
                if count <= len(sums):
                    total = sum(sums[:count], Sums())
                    rows.append([photos, count, name, *dataclasses.astuple(total)])
    say("own-list: every twelfth book left out")
    count, others = taken_for_others(shelves)
    say("own-list: lists of other shelves")
    foreign, present = present_of_another(some)
    say(f"own-list: the time of {WORKS:,} works")
    photos = [shelf.photo for shelf in some]
    more = [(b - a) * 1000 for a, b in zip(match_seconds(photos, 0), match_seconds(photos, WORKS))]
    write("own-list",
          table(["photos", "of them", "read with", "listed books", "falsely missing", "stored again", "of another shelf"], rows),
          table(["must hold", "measured", "wanted"], [
              [f"every {LEFT_OUT}th book left out is not reported as another: of {count} legible ones, are", len(others), 0],
              [f"another shelf's list makes no book present that is not there: of {foreign} listed, are", len(present), 0],
              [f"{WORKS:,} listed works: more for each of {len(photos)} photos, median (most)",
               f"{statistics.median(more):.0f} ms ({max(more):.0f} ms)", "under 50 ms"]]),
          *([f"Reported as others: {'; '.join(f'*{title}* as *{name}*' for title, name in others)}."] if others else []),
          *([f"Present, though not there: {'; '.join(f'*{title}*' for title in present)}."] if present else []),
          f"The example's list has {ABSENT} books more that are not there. Times are the fastest of {ROUNDS} rounds, one photo at "
          "a time.")
