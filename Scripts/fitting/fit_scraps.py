#!/usr/bin/env python3
"""Fits which text is most probably not the title of a book (`ScrapText`), and prints its weights; changes nothing.

usage: fit_scraps.py LINES

The spines are those of which a title in Latin letters was read, less sure than SURE. Misread titles of books are left out of the fit, but
count as wrong where the figures are taken. Those are of photos of other sources: one set is fitted and the other judged.
LINES is the folder of `fit_photos.py`.
"""
import json
import re
import sys

import numpy as np

from fit_pairs import SETS, labels, rows
from fitting import Logistic

from evaluate import box_of, iou, score_photo

# As in ScrapText.
SURE, LIKELY, LOWEST = 0.6, 0.5, 0.25
# Of a report's box and that of a book which nothing names rightly, from which the report is a misread title of the book.
MISREAD = 0.3
STRENGTH = 10
OTHER_LETTERS = re.compile("[Ѐ-ԯ\u3041-鿿]")


def spines(folder, lines):
    """The log odds of the confidence and the log length of each spine, whether it is right, and whether it is misread."""
    known, photos = labels(folder), {}
    for row in rows("scraps", folder, lines):
        photos.setdefault(row["photo"], []).append({**row, "boundingBox": row["box"]})
    found = []
    for photo, reports in photos.items():
        label = known[photo]
        books, right, ignored = score_photo(label, reports)
        lengths = sorted(r["length"] for r in reports if r["confidence"] >= LIKELY) or sorted(r["length"] for r in reports)
        usual = lengths[len(lengths) // 2]
        for place, report in enumerate(reports):
            if place in ignored or report["confidence"] >= SURE or OTHER_LETTERS.search(report["title"]):
                continue
            overlaps = [(iou(b["box"], box_of(report)), i) for i, b in enumerate(label["books"]) if b.get("box")]
            overlap, nearest = max(overlaps, default=(0, None))
            misread = place not in right and overlap > MISREAD and nearest not in books
            sure = max(0.004, report["confidence"])
            found.append((np.log(sure / (1 - sure)), np.log(max(1, report["length"]) / usual), place in right, misread))
    found = np.array(found, float)
    return found[:, :2], found[:, 2] == 1, found[:, 3] == 1


def fit(x, right, misread):
    return Logistic(["confidence", "length"], strength=STRENGTH).fit(x[~misread], right[~misread])


def row(name, model):
    return {"fitted": name, "bias": round(model.bias, 2), "confidence": round(float(model.weights[0]), 2),
            "length": round(float(model.weights[1]), 2)}


def main():
    sets = {name: spines(folder, sys.argv[1]) for name, folder in SETS.items()}
    for fitted, judged in (("photos", "second"), ("second", "photos")):
        model = fit(*sets[fitted])
        x, right, _ = sets[judged]
        scrap = model.probability(x) < LOWEST
        print(json.dumps({**row(fitted, model), "judged": judged, "wrong": int((~right).sum()), "right": int(right.sum()),
                          "wrong_are_scraps": int(scrap[~right].sum()), "right_are_scraps": int(scrap[right].sum())}))
    print(json.dumps(row("both", fit(*(np.concatenate(parts) for parts in zip(*sets.values()))))))


if __name__ == "__main__":
    main()
