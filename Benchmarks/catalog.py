"""Measures the catalog: import of dumps in Open Library's format, search, and accuracy as it grows."""
import csv
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from measuring import BENCH, PROGRAM, BenchmarkError, Run, say
from report import percent, table, write

LISTS = ["library_books", "popular_books", "crossing_books"]
SIZES = [1_000_000, 3_000_000]
QUERIES = 40


def dump(folder, editions):
    """Returns the files of a dump with `editions` editions: real books first, then made-up ones. Always the same bytes, so
    SHELFLIST_DUMPS may name a folder that keeps them between runs."""
    folder = pathlib.Path(os.environ.get("SHELFLIST_DUMPS", folder)) / f"dump-{editions}"
    if not (folder / "whole").exists():
        say(f"Writing a dump of {editions:,} editions")
        subprocess.run([sys.executable, BENCH / "make_dump.py", folder, "--editions", str(editions),
                        *(BENCH / f"catalog/{name}.csv" for name in LISTS)], check=True, stdout=subprocess.DEVNULL)
        (folder / "whole").touch()
    return sorted(folder.glob("ol_dump_*.txt"))


def forget(path):
    """Removes a file from the operating system's cache."""
    os.sync()
    file = os.open(path, os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def misspelt(text):
    """The text with a letter in its middle replaced."""
    places = [place for place, letter in enumerate(text) if letter.isalpha()]
    middle = places[len(places) // 2]
    return text[:middle] + ("x" if text[middle] != "x" else "y") + text[middle + 1:]


def search_times(catalog):
    """Yields a row per kind of query: median and slowest time in the catalog, in milliseconds."""
    records = json.loads(Run([PROGRAM, "catalog", "search", "--catalog", catalog, "--format", "json", "--limit", "1000",
                              "the night of stars"]).output)["records"]
    records = [record for record in records if record["authors"] and record.get("isbn")][::max(1, len(records) // QUERIES)][:QUERIES]
    ways = [("all", "title and author", lambda r: f"{r['title']} {r['authors'][0]}"),
            ("all", "title and author, misspelt", lambda r: misspelt(f"{r['title']} {r['authors'][0]}")),
            ("title", "title", lambda r: r["title"]), ("title", "title, misspelt", lambda r: misspelt(r["title"])),
            ("author", "author", lambda r: r["authors"][0]), ("isbn", "ISBN", lambda r: r["isbn"])]
    for scope, name, text in ways:
        times, found = [], 0
        for record in records:
            run = Run([PROGRAM, "catalog", "search", "--catalog", catalog, "--format", "json", "--scope", scope,
                       "--", text(record)])
            answer = json.loads(run.output)
            times.append(1000 * answer["seconds"])
            same = ["authors"] if scope == "author" else ["title", "authors"]
            found += any(all(other[key] == record[key] for key in same) for other in answer["records"][:10])
        yield [f"`--scope {scope}`, {name}", percent(found / len(records)), f"{statistics.median(times):.1f} ms",
               f"{max(times):.1f} ms"]


def spine_texts(folder, step=1, name="spine_text.csv"):
    """Returns all spine texts, or every n-th: (file with the truth, queries)."""
    with open(BENCH / "spine_text.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[::step]
    truth = pathlib.Path(folder) / name
    with open(truth, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return truth, [json.dumps({"id": row["id"], "text": row["text"]}) for row in rows]


def answers(catalog, queries):
    """Returns the answers and their times in seconds. Sends each query after the previous answer."""
    found, times = [], []
    with subprocess.Popen([PROGRAM, "catalog", "match", "--catalog", catalog], text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        for query in queries:
            start = time.perf_counter()
            process.stdin.write(query + "\n")
            process.stdin.flush()
            found.append(process.stdout.readline())
            times.append(time.perf_counter() - start)
        process.stdin.close()
    return found, times


def matching(catalog, truth, queries):
    """Returns a row: what spine texts find in this catalog."""
    found, times = answers(catalog, queries)
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        file.writelines(found)
        file.flush()
        output = subprocess.run([sys.executable, BENCH / "evaluate_matching.py", truth, file.name], check=True,
                                capture_output=True, text=True).stdout
    figures = json.loads(output.strip().splitlines()[-1])
    return [*(percent(figures[key]) for key in ("top1", "top50", "accepted_share", "accepted_precision")),
            f"{1000 * statistics.median(times):.1f} ms"]


def measure_catalog():
    if not hasattr(os, "posix_fadvise"):
        raise BenchmarkError("This system cannot drop a file from its cache.", "run this on Linux.")
    imports, searches, growth = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        catalog = pathlib.Path(folder) / "catalog.sqlite"
        Run([PROGRAM, "catalog", "import", "--catalog", catalog, BENCH / f"catalog/{LISTS[0]}.csv"])
        growth.append(["the library's list alone", *matching(catalog, *spine_texts(folder))])
    for editions in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            files = dump(folder, editions)
            catalog = pathlib.Path(folder) / "catalog.sqlite"
            run = Run([PROGRAM, "catalog", "import", "--catalog", catalog, "--format", "json", *files])
            report = json.loads(run.output)
            imports.append([f"{report['newEditions']:,}", f"{sum(file.stat().st_size for file in files) / 1e6:,.0f} MB",
                            f"{report['seconds']:.1f} s", f"{report['newEditions'] / report['seconds']:,.0f}",
                            f"{catalog.stat().st_size / 1e6:,.0f} MB", f"{run.megabytes:.0f} MB"])
            growth.append([f"among {editions:,} editions", *matching(catalog, *spine_texts(folder))])
            if editions == SIZES[-1]:
                forget(catalog)
                growth.append(["the same, the disk read first", *matching(catalog, *spine_texts(folder))])
                searches = list(search_times(catalog))
    write("catalog",
          table(["editions", "dump", "import", "editions a second", "catalog on disk", "peak resident memory"], imports),
          f"Search at {SIZES[-1]:,} editions, each in a fresh process, the time in the catalog ({QUERIES} queries):",
          table(["query", "the book is among ten", "median", "slowest"], searches),
          "All of `spine_text.csv` as the catalog grows; made-up editions are made of the words of real ones:",
          table(["catalog", "first is right", "among 50", "accepted", "of these right", "median of a query"], growth))
