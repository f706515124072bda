#!/usr/bin/env python3
"""Fits the confidence of spines in photos, and prints figures with each photo held out.

usage: fit_photos.py LINES CROWD.sqlite SEARCHED/

Each photo is read once and identified beside the catalog of record, beside the shelves' own list alone, beside lists of
what people read elsewhere, which lack most of the shelf (readers: two lists, popular: one), beside a catalog of three
million editions (the crowd), beside the starter list, beside that and what a search with the spines' own words returned,
beside each of these without a quarter of all titles (another quarter each time), and without any: so every book is met
in a catalog and in none, and every catalog is large once and small once. The folder LINES keeps what was read in the
photos between runs; README.md describes how the crowd and the folder SEARCHED are created.

First the two models are fitted, then both are calibrated together: the probabilities that spines of held-out photos end
up with are compared with what `Benchmarks/scoring.py` counts as right, and the log odds of each model are stretched and shifted
to fit. These are three numbers and one for being beside a catalog, so they are part of the models' weights.
"""
import json
import subprocess
import sys

import numpy as np
from scipy.optimize import minimize

from fitting import BENCH, ROOT, TOOL, Logistic, calibration_error, names, store

from evaluate import centre_inside, cut_by_edge, iou, is_right, score_photo

CATALOGS = ["shelf_books", "library_books", "popular_books", "crossing_books"]
# What a spine weighs in fitting the models, and in calibrating them, by the catalog it was identified with; each quarter
# is left out three times. The models should know many books that are in no catalog; the calibration rather what is
# usual, one book in twelve.
WEIGHTS = {"all lists": (1, 1), "first list": (0.5, 0.5), "none": (0.5, 1), "all lists but a quarter": (1 / 3, 0.25 / 3),
           "first list but a quarter": (0.5 / 3, 0.125 / 3), "crowd": (1, 0.5), "crowd but a quarter": (1 / 3, 0.125 / 3),
           # A user with one of these has no better one, so what they lack is usual, and weighs most in calibrating.
           "readers": (1, 2), "readers but a quarter": (1 / 3, 2 / 3), "popular": (0.5, 1),
           "popular but a quarter": (0.5 / 3, 1 / 3), "starter": (1, 2), "starter but a quarter": (1 / 3, 2 / 3),
           "searched": (0.5, 0.5), "searched but a quarter": (0.5 / 3, 0.125 / 3)}
# How strongly weights are drawn to nothing (smaller is stronger), found by the held-out figures.
STRENGTH = {"photo": 0.1, "reading": 0.1}
# Without any record nothing is surer than this, and without a title next to nothing (SpineJudgement).
# From COMPRESSED on the probability is compressed into the range up to the highest.
HIGHEST_WITHOUT_RECORD, COMPRESSED, UNTITLED = 0.59, 0.55, 0.02


def spines():
    photos = sorted((BENCH / "photos").iterdir())
    catalogs = [BENCH / f"catalog/{name}.csv" for name in CATALOGS]
    lines, crowd, searched = sys.argv[1:]
    text = subprocess.run([TOOL, "photos", ROOT, lines, *photos, "--", *catalogs, crowd, searched.rstrip("/") + "/"],
                          check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


class Labels:
    def __init__(self):
        self.photos = {label["photo"]: label for label in map(
            json.loads, (path.read_text() for path in sorted((BENCH / "labels").glob("*.json"))))}

    def ignores(self, spine, box):
        label = self.photos[spine["photo"]]
        unscored = label.get("ignore", []) + [b["box"] for b in label["books"] if not b["legible"] and b.get("box")]
        return cut_by_edge(box) or any(centre_inside(box, area) for area in unscored)

    def tells(self, spine, named):
        """1 where the name is that of a book at this place, 0 where not, -1 where it does not count."""
        box = tuple(spine["box"][side] for side in ("x", "y", "width", "height"))
        if named and named.get("title"):
            for book in self.photos[spine["photo"]]["books"]:
                near = not book.get("box") or iou(book["box"], box) > 0.05 or centre_inside(box, book["box"])
                if book.get("title") and near and is_right(book, named, 0.85):
                    return 1
        return -1 if self.ignores(spine, box) else 0

    def count(self, spines, by_record, by_reading):
        """As `Benchmarks/scoring.py` counts: 1, 0 or -1 for each spine, and (legible, found, accepted) books for each catalog."""
        groups = {}
        for index, spine in enumerate(spines):
            groups.setdefault((spine["catalog"], spine["photo"]), []).append(index)
        right, books = np.zeros(len(spines), int), {}
        for (catalog, photo), indices in groups.items():
            reported = []
            for index in indices:
                named = spines[index]["read" if by_reading[index] > by_record[index] else "record"] or {}
                reported.append({**named, "boundingBox": spines[index]["box"],
                                 "confidence": max(by_record[index], by_reading[index])})
            found, used, ignored = score_photo(self.photos[photo], reported)
            for place, index in enumerate(indices):
                right[index] = 1 if place in used else -1 if place in ignored else 0
            legible = [i for i, book in enumerate(self.photos[photo]["books"]) if book["legible"]]
            accepted = [i for i in legible if i in found and reported[found[i]]["confidence"] >= 0.6]
            books[catalog] = books.get(catalog, 0) + np.array(
                [len(legible), sum(i in found for i in legible), len(accepted)])
        return right, books


class Shelves:
    """All spines with what is known of them: one row for each."""

    def __init__(self, labels, found):
        self.labels, self.found = labels, found
        self.columns, self.reading_columns = names("photo"), names("reading")
        self.photo = np.array([spine["photo"] for spine in found])
        self.catalog = np.array([spine["catalog"] for spine in found])
        self.kind = np.array([catalog.rstrip(" 0123456789") for catalog in self.catalog])
        self.weight, self.usual = np.array([WEIGHTS[kind] for kind in self.kind]).T
        self.right = np.array([labels.tells(spine, spine.get("record")) for spine in found])
        self.read = np.array([labels.tells(spine, spine["read"]) for spine in found])
        self.has_record = np.array([bool(spine["recordFeatures"]) for spine in found])
        self.highest = np.where(self.has_record, [spine["highest"] for spine in found], 0)
        self.titled = np.array([bool(spine["read"].get("title")) for spine in found])
        self.x = np.array([spine["recordFeatures"] or [0] * len(self.columns) for spine in found], float)
        self.r = np.array([spine["readingFeatures"] for spine in found], float)
        self.beside = self.r[:, self.reading_columns.index("besideCatalog")]

    def fit_record(self, train):
        rows = train & self.has_record & (self.right >= 0)
        return Logistic(self.columns, strength=STRENGTH["photo"]).fit(self.x[rows], self.right[rows], self.weight[rows])

    def fit_reading(self, train, by_record):
        """What was read is asked for only where no record is believed, so other spines count little."""
        rows = train & (self.read >= 0)
        return Logistic(self.reading_columns, strength=STRENGTH["reading"]).fit(
            self.r[rows], self.read[rows], self.weight[rows] * (1.02 - by_record[rows]) ** 2)

    def confidence(self, record, reading):
        """What the program makes of the log odds of both models."""
        by_reading = probability(reading)
        above = np.maximum(0, by_reading - COMPRESSED) / (1 - COMPRESSED)
        by_reading = np.minimum(by_reading, COMPRESSED) + above * (HIGHEST_WITHOUT_RECORD - COMPRESSED)
        by_reading = np.where(self.titled, by_reading, UNTITLED)
        return np.minimum(probability(record), self.highest), by_reading

    def calibrate(self, record, reading, right, train):
        """(stretch, shift) for the record's log odds, (stretch, shift, shift beside a catalog) for the reading's."""
        by_record, by_reading = self.confidence(record, reading)
        rows = train & (right >= 0)
        a = rows & (by_record >= by_reading) & (self.highest == 1)
        b = rows & (by_record < by_reading) & self.titled
        none = np.zeros(len(record))
        return (stretched(record[a], none[a], right[a], self.usual[a])[:2],
                stretched(reading[b], self.beside[b], right[b], self.usual[b]))


def probability(odds):
    return 1 / (1 + np.exp(-odds))


def stretched(odds, beside, right, weight):
    """Logistic regression on the log odds (Platt, 1999), drawn to leave them as they are."""
    odds = np.clip(odds, -9, 9)

    def loss(v):
        z = v[0] * odds + v[1] + v[2] * beside
        return (weight * (np.logaddexp(0, z) - right * z)).sum() + (v[0] - 1) ** 2 + v[1] ** 2 + v[2] ** 2
    return minimize(loss, [1.0, 0.0, 0.0]).x


def main():
    shelves = Shelves(Labels(), spines())
    photos, everyone = sorted(set(shelves.photo)), np.ones(len(shelves.photo), bool)
    record, reading = np.zeros(len(everyone)), np.zeros(len(everyone))
    for photo in photos:
        test = shelves.photo == photo
        record[test] = shelves.fit_record(~test).value(shelves.x[test])
    by_record = np.minimum(probability(record), shelves.highest)
    for photo in photos:
        test = shelves.photo == photo
        reading[test] = shelves.fit_reading(~test, by_record).value(shelves.r[test])

    uncalibrated, _ = shelves.labels.count(shelves.found, *shelves.confidence(record, reading))
    held_record, held_reading = record.copy(), reading.copy()
    for photo in photos:
        test = shelves.photo == photo
        (stretch, shift), (reading_stretch, *shifts) = shelves.calibrate(record, reading, uncalibrated, ~test)
        held_record[test] = stretch * record[test] + shift
        held_reading[test] = reading_stretch * reading[test] + shifts[0] + shifts[1] * shelves.beside[test]
    by_record, by_reading = shelves.confidence(held_record, held_reading)
    confidence = np.maximum(by_record, by_reading)
    right, books = shelves.labels.count(shelves.found, by_record, by_reading)
    for kind in WEIGHTS:
        catalogs = sorted(set(shelves.catalog[shelves.kind == kind]))
        legible, found, accepted = sum(books[catalog] for catalog in catalogs)
        rows = (shelves.kind == kind) & (right >= 0)
        sure = rows & (confidence >= 0.6)
        errors = [calibration_error(confidence[r], right[r])
                  for r in ((shelves.catalog == catalog) & (right >= 0) for catalog in catalogs)]
        print(json.dumps({
            "held out": "each photo", "catalog": kind, "spines": int(rows.sum()), "recall": round(found / legible, 4),
            "accepted_recall": round(accepted / legible, 4),
            "accepted_precision": round(right[sure].mean(), 4) if sure.any() else None,
            "calibration_error": round(float(np.mean(errors)), 4)}))

    by_record = np.minimum(probability(record), shelves.highest)
    of_record, of_reading = shelves.calibrate(record, reading, uncalibrated, everyone)
    store(photo=shelves.fit_record(everyone).stretched(*of_record),
          reading=shelves.fit_reading(everyone, by_record).stretched(of_reading[0], of_reading[1],
                                                                     besideCatalog=of_reading[2]))


if __name__ == "__main__":
    main()
