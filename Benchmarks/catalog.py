"""The measurements of the catalog: importing dumps of Open Library's format, searching what came of them."""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from measuring import BENCH, PROGRAM, Run, say
from report import table, write

LISTS = ["library_books", "popular_books", "crossing_books"]
SIZES = [1_000_000, 3_000_000]
QUERIES = 40


def dump(folder, editions):
    """The files of a dump with so many editions: real books first, then made-up ones."""
    say(f"Writing a dump of {editions:,} editions")
    subprocess.run([sys.executable, BENCH / "make_dump.py", folder, "--editions", str(editions),
                    *(BENCH / f"catalog/{name}.csv" for name in LISTS)], check=True, stdout=subprocess.DEVNULL)
    return sorted(pathlib.Path(folder).glob("ol_dump_*.txt"))


def misspelt(text):
    """The text with a letter in its middle replaced."""
    places = [place for place, letter in enumerate(text) if letter.isalpha()]
    middle = places[len(places) // 2]
    return text[:middle] + ("x" if text[middle] != "x" else "y") + text[middle + 1:]


def search_times(catalog):
    """A row for each way of asking: median and slowest of the time in the catalog, in milliseconds."""
    records = json.loads(Run([PROGRAM, "catalog", "search", "--catalog", catalog, "--format", "json", "--limit", "1000",
                              "the night of stars"]).output)["records"]
    records = [record for record in records if record["authors"]][::max(1, len(records) // QUERIES)][:QUERIES]
    ways = [("all", "title and author", lambda r: f"{r['title']} {r['authors'][0]}"),
            ("all", "title and author, misspelt", lambda r: misspelt(f"{r['title']} {r['authors'][0]}")),
            ("title", "title", lambda r: r["title"]), ("title", "title, misspelt", lambda r: misspelt(r["title"])),
            ("author", "author", lambda r: r["authors"][0])]
    for scope, name, text in ways:
        times = []
        for record in records:
            run = Run([PROGRAM, "catalog", "search", "--catalog", catalog, "--format", "json", "--scope", scope,
                       "--", text(record)])
            times.append(1000 * json.loads(run.output)["seconds"])
        yield [f"`--scope {scope}`, {name}", f"{statistics.median(times):.0f} ms", f"{max(times):.0f} ms"]


def measure_catalog():
    imports, searches = [], []
    for editions in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            files = dump(folder, editions)
            catalog = pathlib.Path(folder) / "catalog.sqlite"
            run = Run([PROGRAM, "catalog", "import", "--catalog", catalog, "--format", "json", *files])
            report = json.loads(run.output)
            imports.append([f"{report['newEditions']:,}", f"{sum(file.stat().st_size for file in files) / 1e6:,.0f} MB",
                            f"{report['seconds']:.1f} s", f"{report['newEditions'] / report['seconds']:,.0f}",
                            f"{catalog.stat().st_size / 1e6:,.0f} MB", f"{run.megabytes:.0f} MB"])
            if editions == SIZES[-1]:
                searches = list(search_times(catalog))
    write("catalog",
          table(["editions", "dump", "import", "editions a second", "catalog on disk", "peak resident memory"], imports),
          f"Search at {SIZES[-1]:,} editions, each in a fresh process, the time in the catalog ({QUERIES} queries):",
          table(["query", "median", "slowest"], searches))
