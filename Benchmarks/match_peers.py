"""Matches spine text with RapidFuzz and plain FTS5 bm25. Prints one JSON object.

usage: match_peers.py QUERIES.ndjson CATALOG.csv

Each gets the same queries one by one, on one core, and returns its fifty best records; none has a confidence.
"""
import csv
import json
import re
import sqlite3
import sys
import time

import rapidfuzz
from rapidfuzz import fuzz, process, utils


def texts(books):
    return [utils.default_process(" ".join([book["title"], book["author"]])) for book in books]


def by_ratio(scorer, books):
    choices = texts(books)

    def match(text):
        return [place for _, _, place in process.extract(
            utils.default_process(text), choices, scorer=scorer, limit=50)]
    return match


def by_bm25(books):
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE books USING fts5(text, tokenize = 'unicode61 remove_diacritics 2')")
    database.executemany("INSERT INTO books(rowid, text) VALUES (?, ?)", enumerate(texts(books)))

    def match(text):
        words = sorted(set(re.findall(r"\w+", text)))
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        return [row[0] for row in database.execute(
            "SELECT rowid FROM books WHERE books MATCH ? ORDER BY bm25(books) LIMIT 50", (query,))]
    return match


def main(queries, catalog):
    with open(catalog, encoding="utf-8") as file:
        books = [book for book in csv.DictReader(file) if book["title"].strip()]
    with open(queries, encoding="utf-8") as file:
        queries = [json.loads(line) for line in file]
    peers = {f"RapidFuzz {rapidfuzz.__version__} token_set_ratio": by_ratio(fuzz.token_set_ratio, books),
             f"RapidFuzz {rapidfuzz.__version__} WRatio": by_ratio(fuzz.WRatio, books),
             f"SQLite {sqlite3.sqlite_version} FTS5 bm25": by_bm25(books)}
    results = {name: {"answers": [], "seconds": []} for name in peers}
    for query in queries:  # alternating, so that other load on the machine affects all
        for name, match in peers.items():
            start = time.perf_counter()
            found = match(query["text"])
            results[name]["seconds"].append(time.perf_counter() - start)
            results[name]["answers"].append({"id": query["id"], "matches": [
                {"title": books[place]["title"], "author": books[place]["author"], "confidence": 1} for place in found]})
    print(json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
