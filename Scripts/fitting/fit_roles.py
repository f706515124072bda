#!/usr/bin/env python3
"""Fits which lines of a spine are its title and which its author, and prints figures with photos held out.

usage: fit_roles.py LINES [--cuts]

The tool lists all ways to read each spine with the features of each (`ParseFeatures`). The model is a softmax over the
ways to read one spine (a log-linear parser); the ways that name a labelled book at this place are the right ones. A way
with another author than the book's is wrong, one without an author is worse than one with the right author.

The photos show some 250 spines, too few to learn the language and layout of titles and names from. So 2,000 spines are
made of entries of the catalogs (`made_spines.py`): they count a tenth. LINES is the folder of `fit_photos.py`.

With --cuts, only the weights of what is seen where a line is cut are fitted, on the photos, because made spines are text
alone; all others stay.
"""
import json
import subprocess
import sys

import literal
import made_spines
import numpy as np
from scipy.optimize import minimize

from fitting import BENCH, FOLDS, ROOT, TOOL, WEIGHTS, names, store
from fit_photos import Labels

from evaluate import centre_inside, iou, is_right, same_author, tokens

MADE, MADE_WEIGHT = 2000, 0.1
# How strongly weights are drawn to nothing, and the least spread of a feature that counts as full.
STRENGTH, LEAST_SPREAD = 0.003, 0.05
SEEN, SEEN_STRENGTH = ["cutSeen", "cutContrast", "cutLead", "cutGap"], 0.0001


def tool(*arguments, given=None):
    text = subprocess.run([TOOL, *arguments], input=given, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


class Worth:
    """How good a way to read a spine is: 0 where the title is wrong or the author another."""

    def __init__(self):
        self.labels, self.known = Labels(), {}

    def books(self, spine):
        box = tuple(spine["box"][side] for side in ("x", "y", "width", "height"))
        return [book for book in self.labels.photos[spine["photo"]]["books"] if book.get("title") and (
            not book.get("box") or iou(book["box"], box) > 0.05 or centre_inside(box, book["box"]))]

    def title(self, book, title):
        key = (book["title"], title)
        if key not in self.known:
            self.known[key] = is_right({**book, "author": None}, {"title": title}, 0.85)
        return self.known[key]

    def of(self, book, way):
        title = self.title(book, way.get("title"))
        if not title or not book.get("author") or not way.get("author"):
            return title
        if not same_author(book["author"], way["author"]):
            return 0
        a, b = set(tokens(book["author"])), set(tokens(way["author"]))
        return title + len(a & b) / len(b) * (0.5 + 0.5 * len(a & b) / len(a))


class Spine:
    def __init__(self, photo, ways, books, worth):
        self.photo, self.x = photo, np.array([way["features"] for way in ways])
        self.worth = np.max([[worth.of(book, way) for way in ways] for book in books] or [[0] * len(ways)], axis=0)
        self.right = self.worth >= max(self.worth.max() - 0.6, 0.5)
        self.teaches = self.right.any() and not self.right.all()


def made(worth):
    books, lines = zip(*made_spines.spines(MADE))
    spines = tool("roles", given="\n".join(json.dumps({"lines": its}) for its in lines))
    return [Spine(None, spine["readings"], [book], worth) for book, spine in zip(books, spines) if spine["readings"]]


def fit(spines, weights):
    taught = [(spine, weight) for spine, weight in zip(spines, weights) if spine.teaches]
    counts = [len(spine.x) for spine, _ in taught]
    starts, owner = np.cumsum([0, *counts[:-1]]), np.repeat(np.arange(len(counts)), counts)
    scale = np.maximum(np.sqrt(np.mean([spine.x.var(axis=0) for spine, _ in taught], axis=0)), LEAST_SPREAD)
    x = np.vstack([spine.x for spine, _ in taught]) / scale
    right = np.concatenate([spine.right for spine, _ in taught])
    weight = np.array([weight for _, weight in taught])

    def loss(w):
        z = x @ w
        e = np.exp(z - np.maximum.reduceat(z, starts)[owner])
        every, wanted = np.add.reduceat(e, starts), np.add.reduceat(e * right, starts) + 1e-300
        gradient = x.T @ ((e / every[owner] - e * right / wanted[owner]) * weight[owner])
        return ((weight * np.log(every / wanted)).sum() / weight.sum() + STRENGTH / 2 * w @ w,
                gradient / weight.sum() + STRENGTH * w)
    start = np.zeros(x.shape[1])
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x / scale


def fit_seen(spines, others):
    """The weights of `SEEN` beside these weights of the other features."""
    places = [names("roles").index(name) for name in SEEN]
    taught = [(spine.x[:, places], spine.x @ others, spine.right) for spine in spines if spine.teaches]

    def loss(w):
        total, gradient = 0, np.zeros(len(w))
        for x, known, right in taught:
            z = known + x @ w
            every = np.exp(z - z.max())
            wanted = every * right + 1e-300
            total += np.log(every.sum() / wanted.sum())
            gradient += x.T @ (every / every.sum() - wanted / wanted.sum())
        return (total / len(taught) + SEEN_STRENGTH / 2 * w @ w, gradient / len(taught) + SEEN_STRENGTH * w)
    return minimize(loss, np.zeros(len(places)), jac=True, method="L-BFGS-B").x


def main_of_cuts(spines, sources):
    """Prints figures with each source of photos held out, and stores the weights fitted on all."""
    columns = names("roles")
    kept = {**json.loads(literal.read(WEIGHTS))["roles"]["weights"], **dict.fromkeys(SEEN, 0)}
    others = np.array([kept.get(name, 0) for name in columns])
    places, right = [columns.index(name) for name in SEEN], {"text alone": 0, "with what is seen": 0}
    for held in sorted(set(sources.values())):
        weights = others.copy()
        weights[places] = fit_seen([spine for spine in spines if sources[spine.photo] != held], others)
        for spine in spines:
            if sources[spine.photo] == held and spine.right.any():
                right["text alone"] += int(spine.right[np.argmax(spine.x @ others)])
                right["with what is seen"] += int(spine.right[np.argmax(spine.x @ weights)])
    print(json.dumps({"held out": "each source", "title and author right": right}))
    others[places] = fit_seen(spines, others)
    store(roles=Linear(columns, others))


class Linear:
    def __init__(self, columns, weights):
        self.columns, self.weights = columns, weights

    def json(self):
        return {"bias": 0, "weights": {name: float(f"{w:.4g}") for name, w in zip(self.columns, self.weights)}}


def main():
    worth = Worth()
    found = tool("photos", ROOT, sys.argv[1], *sorted((BENCH / "photos").iterdir()), "--")
    spines = [Spine(spine["photo"], spine["readings"], worth.books(spine), worth)
              for spine in found if spine["readings"]]
    if sys.argv[2:] == ["--cuts"]:
        return main_of_cuts(spines, {name: label["source"].split("/")[0] for name, label in worth.labels.photos.items()})
    others = made(worth)
    photos = sorted({spine.photo for spine in spines})
    possible = titles = both = 0
    for fold in range(FOLDS):
        held = set(photos[fold::FOLDS])
        train = [spine for spine in spines if spine.photo not in held]
        weights = fit(train + others, [1] * len(train) + [MADE_WEIGHT] * len(others))
        for spine in spines:
            if spine.photo in held and spine.right.any():
                chosen = int(np.argmax(spine.x @ weights))
                possible, titles, both = possible + 1, titles + bool(spine.worth[chosen]), both + spine.right[chosen]
    print(json.dumps({"held out": "a fifth of the photos", "spines that can be read right": possible,
                      "title right": titles, "title and author right": int(both)}))
    weights = fit(others, [1] * len(others))
    read = [spine.worth[np.argmax(spine.x @ weights)] > 0 for spine in spines if spine.right.any()]
    print(json.dumps({"fitted on": "made spines alone", "spines that can be read right": len(read),
                      "title right": int(sum(read))}))
    store(roles=Linear(names("roles"), fit(spines + others, [1] * len(spines) + [MADE_WEIGHT] * len(others))))


if __name__ == "__main__":
    main()
