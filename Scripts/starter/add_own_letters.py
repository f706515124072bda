#!/usr/bin/env python3
"""Adds well-known works in their own letters to Data/starter.csv.gz.

Usage:
    add_own_letters.py --list FILE --ruslit FOLDER --rusdracor FOLDER --aozora FILE... --output FILE

`--list` is what make_starter.py wrote. docs/decisions/0018-starter-list.md describes the other input files. The output
depends only on the input; a work that the list has is not added again.
"""

import argparse
import csv
import gzip
import io
import os
import re
import sys

from make_starter import Work, read_dracor, title_key, usable_title

# The authors by their folders.
RUSLIT = {
    "Blok": "Александр Блок", "Bryusov": "Валерий Брюсов", "Chekhov": "Антон Чехов", "Dostoevsky": "Фёдор Достоевский",
    "Gogol": "Николай Гоголь", "Gorky": "Максим Горький", "Herzen": "Александр Герцен",
    "Lermontov": "Михаил Лермонтов", "Nekrasov": "Николай Некрасов", "Pushkin": "Александр Пушкин",
    "Tolstoy": "Лев Толстой", "Turgenev": "Иван Тургенев",
}
# Bytes of UTF-8, about 20,000 letters: shorter works are parts of books.
SHORTEST = 40_000
KATAKANA = re.compile("[ァ-ヺ]")
VOLUME = re.compile(r"[.,]? Том \d+$")
# Poems of some years, and parts of a collection, are parts of a book.
PART = re.compile(r"\d{4}|Книга (первая|вторая|третья)")


def read_ruslit(folder):
    """Reads title and author of each text that is long enough to be a book, from the names of the files."""
    result = []
    for path, _, files in sorted(os.walk(folder)):
        author = RUSLIT.get(os.path.basename(path))
        for name in sorted(files):
            title, kind = os.path.splitext(name)
            if author and kind == ".txt" and not PART.search(title) and os.path.getsize(os.path.join(path, name)) >= SHORTEST:
                result.append(Work(VOLUME.sub("", title), [author], tier=0, score=0, language="ru"))
    return result


def read_aozora(path):
    """Reads title and author from Aozora Bunko's list of the most read works."""
    result = []
    with open(path, encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            names = row["著者名"].split()
            if names == ["作者不詳"]:
                continue
            # The surname stands first. Of authors from elsewhere, whose names are in Katakana, spines have it alone.
            author = names[0] if KATAKANA.match(names[0]) else "".join(names)
            result.append(Work(row["作品名"].strip("〔〕『』 "), [author], tier=0, score=0, language="ja"))
    return result


def main():
    parser = argparse.ArgumentParser(description="Adds works in their own letters to the starter list.")
    for name in ("list", "ruslit", "rusdracor", "output"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--aozora", required=True, nargs="+")
    options = parser.parse_args()

    with gzip.open(options.list, "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    known = {(title_key(row[0]), row[1]) for row in rows}
    works = read_ruslit(options.ruslit) + read_dracor(options.rusdracor, "ru")
    for path in options.aozora:
        works += read_aozora(path)
    added = []
    for work in sorted(works, key=lambda work: (work.title, work.authors)):
        key = (title_key(work.title), "; ".join(work.authors))
        if usable_title(work.title) and key not in known:
            known.add(key)
            added.append([work.title, key[1], work.year, work.language])

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows + added)
    with open(options.output, "wb") as file:
        file.write(gzip.compress(text.getvalue().encode(), 9, mtime=0))
    print(f"{len(added)} works added, {len(rows) + len(added)} titles written")


if __name__ == "__main__":
    sys.exit(main())
