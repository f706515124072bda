#!/usr/bin/env python3
"""Fits the probability that two lines are on one spine (`LinePair`), and prints its weights; changes nothing.

usage: fit_pairs.py LINES

The pairs are those of the photos of bench/photos. The figures are those of bench/second, whose photos are from other sources, and
of the other way round. A line counts where its box is inside that of one labelled book, and of no other. LINES is the
folder of `fit_photos.py`.
"""
import json
import subprocess
import sys

import numpy as np

from fitting import BENCH, ROOT, TOOL, Logistic, names

SETS = {"photos": BENCH, "second": BENCH / "second"}
# Of a line's box inside the box of its book, at least, and inside that of another, at most.
INSIDE, OUTSIDE = 0.8, 0.35
# How strongly weights are drawn to nothing (smaller is stronger).
STRENGTH = 0.3


def rows(command, folder, lines):
    """What the tool writes for the photos of a set."""
    photos = sorted((folder / "photos").iterdir())
    text = subprocess.run([TOOL, command, ROOT, lines, *photos], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def labels(folder):
    found = map(json.loads, (path.read_text() for path in sorted((folder / "labels").glob("*.json"))))
    return {label["photo"]: label for label in found}


def share(line, box):
    """The share of a line's box inside the box of a book."""
    x, y, width, height = (line[side] for side in ("x", "y", "width", "height"))
    across = max(0, min(x + width, box[0] + box[2]) - max(x, box[0]))
    return across * max(0, min(y + height, box[1] + box[3]) - max(y, box[1])) / max(1e-9, width * height)


def book(line, label):
    """The place of the book that a line is of; None where that is not clear."""
    shares = sorted(((share(line, b["box"]), place) for place, b in enumerate(label["books"]) if b.get("box")), reverse=True)
    if not shares or shares[0][0] < INSIDE or len(shares) > 1 and shares[1][0] > OUTSIDE:
        return None
    return shares[0][1]


def pairs(folder, lines):
    """The features of the pairs of labelled lines, and whether both are of one book."""
    known, x, same = labels(folder), [], []
    for row in rows("pairs", folder, lines):
        label = known.get(row["photo"])
        books = [book(row[side], label) for side in ("first", "second")] if label else [None]
        if None not in books:
            x.append(row["features"])
            same.append(books[0] == books[1])
    return np.array(x), np.array(same)


def main():
    sets = {name: pairs(folder, sys.argv[1]) for name, folder in SETS.items()}
    for fitted, judged in (("photos", "second"), ("second", "photos")):
        (x, same), (z, other) = sets[fitted], sets[judged]
        model = Logistic(names("pair"), strength=STRENGTH).fit(x, same)
        sure = model.probability(z) > 0.5
        print(json.dumps({
            "fitted": fitted, "pairs": len(same), "judged": judged, "same": int(other.sum()), "others": int((~other).sum()),
            "same_found": round(float(sure[other].mean()), 3), "others_wrong": round(float(sure[~other].mean()), 3)}))
        print(json.dumps({"bias": round(model.bias, 2), **{n: round(float(w), 2) for n, w in zip(names("pair"), model.weights)}}))


if __name__ == "__main__":
    main()
