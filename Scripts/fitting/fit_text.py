#!/usr/bin/env python3
"""Fits the ranker and the confidence of spine texts, and prints held-out figures.

usage: fit_text.py [OWN.csv]

OWN.csv has the texts of one's own spines (`shelflist activity export --spines`); its books join the catalog.

The texts of a photo are held out together (five folds). Every text is also matched with its own book taken out of the
catalog, which gives the confidence as many books in no catalog as in it: `ABSENT` says how much these count. A
library's inventory lacks one spine in twenty, a reader's list far more, and a wrong book entered unseen costs more
than a look at the queue. Where the catalog has the book in another edition or language, under nearly the same title by
the same author, the book cannot be taken out; such texts say nothing and are left aside.
"""
import csv
import difflib
import json
import re
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.model_selection import GroupKFold

from fitting import BENCH, FOLDS, TOOL, Logistic, names, store

from evaluate import tokens
from evaluate_matching import key, same

# The strongest wrong candidates of each text that the ranker learns from.
RIVALS = 40
# The weight of a text whose book was taken out of the catalog, in fitting the ranker and the confidence. More of it has
# fewer texts accepted, the right ones too: it was raised until, on what was held out, 5.8 % of the texts marked as in no
# catalog were accepted (6 % are allowed).
ABSENT_RANKER, ABSENT = 0.1, 11
# Features whose products the confidence weighs, too.
PAIRED = ["titleCoverage", "titlePartial", "authorCoverage", "explained", "titleMass", "callNumber", "authorMass",
          "unexplainedMass", "fullRatio", "evidenceLead", "titleMassLead", "hasAuthor", "score", "scoreLead",
          "contradiction", "titleMissing", "titleWords", "explainedLetters", "titleSkipped", "titleBroken",
          "otherPerson"]
# Titles at least this alike name one work, where the author is the same: Claraboya and Claraboia.
SAME_TITLE = 0.8
ARTICLES = set("a an the el la los las els les l un una il lo i o der die das le".split())


CATALOG = BENCH / "catalog/library_books.csv"


def read(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def is_edition_of(book, title, author):
    """Whether a record is the same work in another edition, by main title and author."""
    def words(text):
        return " ".join(word for word in tokens(re.split(" : |: | / |   ", text)[0]) if word not in ARTICLES)

    def names(text):
        return {word for word in tokens((text or "").split(",")[0]) if len(word) > 2}
    ours, theirs = names(author), names(book["author"])
    return (bool(ours & theirs) or not ours and not theirs) and difflib.SequenceMatcher(
        None, words(title), words(book["title"])).ratio() >= SAME_TITLE


class Texts:
    """Spine texts with their candidates: one row of `x` for each candidate, `of` is its text."""

    def __init__(self, rows, books, own, truth, hidden, columns):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/own.csv", "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([("title", "author"), *own])
            queries = [json.dumps({"id": row["id"], "text": row["text"],
                                   "without": [str(i) for i in truth[row["id"]]] if hidden else []}) for row in rows]
            output = subprocess.run(
                [TOOL, "text", f"{folder}/features", CATALOG, *([f"{folder}/own.csv"] if own else [])], check=True,
                input="\n".join(queries), capture_output=True, text=True).stdout
            self.x = np.fromfile(f"{folder}/features", dtype=np.float32).reshape(-1, len(columns)).astype(float)
        found = [json.loads(line)["records"] for line in output.splitlines()]
        self.of = np.repeat(np.arange(len(rows)), [len(records) for records in found])
        self.record = np.array([int(record) for records in found for record in records])
        self.right = np.array([int(record) in truth[row["id"]] for row, records in zip(rows, found)
                               for record in records])

    def rivals(self, evidence):
        """The rows of the right candidates and of the strongest wrong ones."""
        order = np.lexsort((-self.x[:, evidence], self.of))
        keep = self.right.copy()
        keep[order[self.places(order) < RIVALS]] = True
        return keep

    def places(self, order):
        """The place of each row of a sorted order among the rows of its text."""
        starts = np.flatnonzero(np.r_[True, np.diff(self.of[order]) > 0])
        return np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)]))

    def leads(self, score):
        """For each text with candidates: its number, the features of its confidence, whether the first is right, and
        which record that is."""
        order = np.lexsort((-score, self.of))
        starts = np.flatnonzero(np.r_[True, np.diff(self.of[order]) > 0])
        counts = np.diff(np.r_[starts, len(order)])
        first, second = order[starts], order[np.minimum(starts + 1, starts + counts - 1)]
        lead = np.where(counts > 1, score[first] - score[second], 10)
        bounded = np.clip(np.column_stack([score[first], lead]), -15, 15) / 5
        return self.of[first], np.column_stack([self.x[first], bounded]), self.right[first], self.record[first]


def fit_ranker(full, absent, inside, known, columns):
    evidence = columns.index("evidence")
    a = full.rivals(evidence) & inside[full.of]
    b = absent.rivals(evidence) & (inside & known)[absent.of]
    return Logistic(columns).fit(
        np.r_[full.x[a], absent.x[b]], np.r_[full.right[a], np.zeros(b.sum(), bool)],
        np.r_[np.ones(a.sum()), np.full(b.sum(), ABSENT_RANKER)])


def fit_confidence(full, absent, inside, informative, columns):
    """`full` and `absent` are what `leads` gave, with scores of rankers that had not seen the texts; `informative` are the
    texts whose book could be taken out."""
    a, b = inside[full[0]], (inside & informative)[absent[0]]
    pairs = [(p, q) for i, p in enumerate(PAIRED) for q in PAIRED[i:]]
    return Logistic(columns + ["score", "scoreLead"], pairs, strength=0.1).fit(
        np.r_[full[1][a], absent[1][b]], np.r_[full[2][a], np.zeros(b.sum(), bool)],
        np.r_[np.ones(a.sum()), np.full(b.sum(), ABSENT)])


def main():
    columns = names("match")
    own_rows = [row for row in read(sys.argv[1]) if row["text"].strip()] if len(sys.argv) > 1 else []
    rows = read(BENCH / "spine_text.csv") + own_rows
    books = [book for book in read(CATALOG) if book["title"].strip()]
    # Numbered after the catalog's, as the tool numbers them.
    own = list(dict.fromkeys((row["title"], row["author"]) for row in own_rows))
    books += [{"title": title, "author": author} for title, author in own]
    by_title = {}
    for index, book in enumerate(books):
        by_title.setdefault(" ".join(tokens(book["title"])), []).append(index)
    truth = {row["id"]: {i for i in by_title.get(key(row["title"], "")[0], ())
                         if row["in_catalog"] == "yes" and same(books[i], row["title"], row["author"])}
             for row in rows}
    known = np.array([row["in_catalog"] == "yes" for row in rows])
    full = Texts(rows, books, own, truth, False, columns)
    absent = Texts(rows, books, own, truth, True, columns)
    folds = list(GroupKFold(FOLDS).split(rows, groups=[row["id"].split("/")[0] for row in rows]))

    scores, absent_scores = np.zeros(len(full.of)), np.zeros(len(absent.of))
    for train, test in folds:
        inside = np.isin(np.arange(len(rows)), train)
        ranker = fit_ranker(full, absent, inside, known, columns)
        outside = ~inside[full.of]
        scores[outside] = ranker.value(full.x[outside])
        outside = ~inside[absent.of]
        absent_scores[outside] = ranker.value(absent.x[outside])
    leads, absent_leads = full.leads(scores), absent.leads(absent_scores)
    informative = known.copy()
    for text, record in zip(absent_leads[0], absent_leads[3]):
        if is_edition_of(books[record], rows[text]["title"], rows[text]["author"]):
            informative[text] = False
    confidence, absent_confidence = np.zeros(len(rows)), np.zeros(len(rows))
    for train, test in folds:
        inside = np.isin(np.arange(len(rows)), train)
        model = fit_confidence(leads, absent_leads, inside, informative, columns)
        outside = ~inside[leads[0]]
        confidence[leads[0][outside]] = model.probability(leads[1][outside])
        outside = ~inside[absent_leads[0]]
        absent_confidence[absent_leads[0][outside]] = model.probability(absent_leads[1][outside])

    first = np.zeros(len(rows), bool)
    first[leads[0]] = leads[2]
    order = np.lexsort((-scores, full.of))
    among = np.zeros(len(rows), bool)
    np.logical_or.at(among, full.of[order[(full.places(order) < 50) & full.right[order]]], True)
    accepted = confidence >= 0.6
    print(json.dumps({
        "held out": f"{FOLDS} folds of photos", "texts": len(rows), "top1": round(first[known].mean(), 4),
        "top50": round(among[known].mean(), 4), "accepted_share": round(accepted.mean(), 4),
        "accepted_precision": round((first & known)[accepted].mean(), 4),
        "false_accept": round(accepted[~known].mean(), 4),
        "false_accept_taken_out": round((absent_confidence >= 0.6)[informative].mean(), 4),
        "texts_taken_out": int(informative.sum())}))

    everyone = np.ones(len(rows), bool)
    store(ranker=fit_ranker(full, absent, everyone, known, columns),
          text=fit_confidence(leads, absent_leads, everyone, informative, columns))


if __name__ == "__main__":
    main()
