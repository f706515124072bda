#!/usr/bin/env python3
"""Fits the confidence of spines in photos, and prints figures with each photo held out.

usage: fit_photos.py [LINES]

Each photo is read once and identified with the catalog of record, with catalogs that lack a quarter of all titles
(another quarter each time), and with none: so every book is met in a catalog and in none. The folder
LINES keeps what was read in the photos between runs.
"""
import json
import subprocess
import sys
import tempfile

import numpy as np

from fitting import BENCH, ROOT, TOOL, Logistic, calibration_error, names, store

from evaluate import centre_inside, cut_by_edge, iou, is_right

VARIANTS = 4
CATALOGS = ["shelf_books", "library_books", "popular_books", "crossing_books"]
# How strongly weights are drawn to nothing (smaller is stronger), found by the held-out figures.
STRENGTH = {"photo": 0.03, "reading": 0.1}
# Without any record nothing is surer than this (SpineJudgement).
HIGHEST_WITHOUT_RECORD = 0.55


def spines():
    photos = sorted((BENCH / "photos").iterdir())
    catalogs = [BENCH / f"catalog/{name}.csv" for name in CATALOGS]
    with tempfile.TemporaryDirectory() as folder:
        lines = sys.argv[1] if len(sys.argv) > 1 else folder
        text = subprocess.run([TOOL, "photos", str(VARIANTS), ROOT / ".deps/models", lines, *photos, "--", *catalogs],
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


def main():
    columns, reading_columns = names("photo"), names("reading")
    labels = Labels()
    found = spines()
    photos = np.array([spine["photo"] for spine in found])
    variant = np.array([spine["variant"] for spine in found])
    right = np.array([labels.tells(spine, spine.get("record")) for spine in found])
    read = np.array([labels.tells(spine, spine["read"]) for spine in found])
    has_record = np.array([bool(spine["recordFeatures"]) for spine in found])
    x = np.array([spine["recordFeatures"] or [0] * len(columns) for spine in found], float)
    r = np.array([spine["readingFeatures"] for spine in found], float)
    weight = np.where(variant == 0, 1.0, 1.0 / (VARIANTS - 1))

    def fit_record(train):
        rows = train & has_record & (right >= 0)
        return Logistic(columns, strength=STRENGTH["photo"]).fit(x[rows], right[rows], weight[rows])

    def fit_reading(train):
        """What was read is asked for only where no record is believed, so other spines count little."""
        rows = train & (read >= 0)
        return Logistic(reading_columns, strength=STRENGTH["reading"]).fit(
            r[rows], read[rows], weight[rows] * (1.02 - by_record[rows]) ** 2)

    by_record, by_reading = np.zeros(len(found)), np.zeros(len(found))
    for photo in sorted(set(photos)):
        test = photos == photo
        by_record[test] = np.where(has_record[test], fit_record(~test).probability(x[test]), 0)
    for photo in sorted(set(photos)):
        test = photos == photo
        by_reading[test] = np.minimum(fit_reading(~test).probability(r[test]), HIGHEST_WITHOUT_RECORD)
    confidence = np.maximum(by_record, by_reading)
    good = np.where(by_record >= by_reading, right, read)

    for name, rows in (("catalog of record", variant == 0), ("a quarter left out", (variant > 0) & (variant < VARIANTS)),
                       ("no catalog", variant == VARIANTS)):
        rows &= good >= 0
        accepted = rows & (confidence >= 0.6)
        print(json.dumps({
            "held out": "each photo", "catalog": name, "spines": int(rows.sum()),
            "right": round(good[rows].mean(), 4), "accepted": int(accepted.sum()),
            "accepted_right": int(good[accepted].sum()),
            "accepted_precision": round(good[accepted].mean(), 4) if accepted.any() else None,
            "calibration_error": round(calibration_error(confidence[rows], good[rows]), 4)}))
    everyone = np.ones(len(found), bool)
    store(photo=fit_record(everyone), reading=fit_reading(everyone))


if __name__ == "__main__":
    main()
