#!/usr/bin/env python3
"""Writes the words that distinguish people's names from titles.

usage: name_words.py STARTER.csv

STARTER.csv has the columns title, author (several separated by ';') and also: the list of well-known works that comes
with the program. Each word that occurs in the names of at least three authors or in at least five titles is listed by
the log odds that it is part of a name and not of a title, in halves of a nat, and by whether it is a given name (`g`)
or not (`w`). Endings of three letters (`e`) judge all other words: their odds compare the different words that end so.
Each author's name counts once, however many works there are.
"""
import collections
import csv
import math
import pathlib
import re
import sys
import unicodedata

import literal

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = ROOT / "Sources/Identification/Roles/NameWordList.swift"
LEAST_NAMES, LEAST_TITLES = 3, 5
MOST = 10
LEAST_ENDINGS = 20


def folded_words(text):
    """As `TextNormalisation.words` folds them."""
    text = unicodedata.normalize("NFKD", text.lower().replace("ß", "ss").replace("ø", "o").replace("æ", "ae"))
    text = "".join(c for c in text if not unicodedata.combining(c))
    return re.findall(r"[^\W_]+", text)


def words(text):
    return [word for word in folded_words(text) if word.isalpha() and word.isascii() and len(word) > 1]


def main():
    titles, names, given, authors = (collections.Counter() for _ in range(4))
    with open(sys.argv[1], newline="") as file:
        for row in csv.DictReader(file):
            titles.update(set(words(row["title"]) + words(row["also"] or "")))
            authors.update(name.strip() for name in row["author"].split(";"))
    for author in authors:
        parts = words(author)
        if len(parts) > 1:
            names.update(set(parts))
            given[parts[0]] += 1
    lists = collections.defaultdict(list)
    for word in sorted(set(names) | set(titles)):
        if names[word] >= LEAST_NAMES or titles[word] >= LEAST_TITLES:
            odds = math.log((names[word] + 0.3) / names.total()) - math.log((titles[word] + 0.3) / titles.total())
            level = max(-MOST, min(MOST, round(2 * odds)))
            is_given = names[word] >= LEAST_NAMES and given[word] > 0.6 * names[word] and level > 0
            lists[level, "g" if is_given else "w"].append(word)
    # Words of both kinds say nothing about endings.
    of_names = collections.Counter(word[-3:] for word in names if len(word) > 4 and word not in titles)
    of_titles = collections.Counter(word[-3:] for word in titles if len(word) > 4 and word not in names)
    for ending in sorted(set(of_names) | set(of_titles)):
        if of_names[ending] + of_titles[ending] >= LEAST_ENDINGS:
            odds = math.log((of_names[ending] + 2) / of_names.total()) - math.log(
                (of_titles[ending] + 2) / of_titles.total())
            lists[max(-MOST, min(MOST, round(2 * odds))), "e"].append(ending)
    literal.write(WORDS, "\n".join(f"{level}{kind} {' '.join(found)}" for (level, kind), found in sorted(lists.items())))


if __name__ == "__main__":
    main()
