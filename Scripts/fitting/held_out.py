#!/usr/bin/env python3
"""Prints figures of reading without records for each source of photos, with this source left out of all fits.

usage: held_out.py LINES

Photos of one source are of one person, room and camera, so a fit that has seen one of them knows more of the others than
of photos from elsewhere. The source is the repository that a label names. The roles and the confidence are fitted on the
photos of all other sources, as `fit_roles.py` and `fit_photos.py` do, and are then used on those of the source. The last
row has the weights of the program. "Without the limit" is the calibration error if what is only read could be accepted.
Everything that is not fitted stays: rules, grouping, lists of words. LINES is the folder of `fit_photos.py`.
"""
import json
import sys
import tempfile

import numpy as np

from fitting import BENCH, ROOT, Logistic, names
from fit_photos import COMPRESSED, HIGHEST_WITHOUT_RECORD, STRENGTH, UNTITLED, Labels, probability, stretched
from fit_roles import MADE_WEIGHT, Linear, Spine, Worth, fit, made, tool

sys.path.insert(0, str(ROOT / "Benchmarks"))
import scoring


def source(label):
    return label["source"].split("/")[0]


def read(photos, lines, *options):
    """The spines of the photos as the tool identifies them without records."""
    return tool("photos", *options, ROOT, lines, *photos, "--")


def held_out_roles(found, sources):
    """The weights of the roles for each photo, fitted without the photos of its source."""
    worth = Worth()
    spines = [Spine(spine["photo"], spine["readings"], worth.books(spine), worth) for spine in found if spine["readings"]]
    others, models = made(worth), {}
    for held in sorted(set(sources.values())):
        train = [spine for spine in spines if sources[spine.photo] != held]
        weights = fit(train + others, [1] * len(train) + [MADE_WEIGHT] * len(others))
        model = Linear(names("roles"), weights).json()
        models.update({photo: model for photo, its in sources.items() if its == held})
    return models


def held_out_confidence(found, sources):
    """The probability that each spine is named rightly, fitted without the photos of its source."""
    labels, columns = Labels(), names("reading")
    x = np.array([spine["readingFeatures"] for spine in found], float)
    right = np.array([labels.tells(spine, spine["read"]) for spine in found])
    of = np.array([sources[spine["photo"]] for spine in found])
    titled = np.array([bool(spine["read"].get("title")) for spine in found])
    result = np.zeros(len(found))
    for held in set(of):
        train = (of != held) & (right >= 0)
        model = Logistic(columns, strength=STRENGTH["reading"]).fit(x[train], right[train])
        odds, none = model.value(x), np.zeros(len(found))
        usual = train & titled
        stretch, shift, _ = stretched(odds[usual], none[usual], right[usual], np.ones(usual.sum()))
        result[of == held] = probability(stretch * odds + shift)[of == held]
    capped = np.minimum(result, COMPRESSED) + np.maximum(0, result - COMPRESSED) / (1 - COMPRESSED) * (
        HIGHEST_WITHOUT_RECORD - COMPRESSED)
    return np.where(titled, capped, UNTITLED), np.where(titled, result, UNTITLED)


def score(found, confidence, labels, photos):
    """The figures of these photos; the text of the lines is not scored."""
    scores = []
    for photo in photos:
        books = [{**spine["read"], "boundingBox": spine["box"], "confidence": sure}
                 for spine, sure in zip(found, confidence) if spine["photo"] == photo]
        scores.append(scoring.score_photo(labels[photo], {"books": books}))
    return scoring.figures(scores)


def row(name, photos, figures, sure=None):
    print(f"| {name} | {len(photos)} | {figures['legible']} | {100 * figures['recall']:.1f} % | "
          f"{100 * figures['precision']:.1f} % | {100 * figures['author']:.1f} % | {figures['ece']:.3f} | "
          + (f"{sure['ece']:.3f} |" if sure else "– |"))


def main():
    lines = sys.argv[1]
    photos = sorted((BENCH / "photos").iterdir())
    labels = {label["photo"]: label for label in Labels().photos.values()}
    sources = {photo.name: source(labels[photo.name]) for photo in photos}
    fitted = read(photos, lines)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(held_out_roles(fitted, sources), file)
        file.flush()
        found = read(photos, lines, "--roles", file.name)
    confidence, sure = held_out_confidence(found, sources)
    print("| source left out | photos | books | found | precision | author | calibration error | without the limit |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in sorted(set(sources.values())):
        own = [photo for photo in sources if sources[photo] == name]
        row(name, own, score(found, confidence, labels, own), score(found, sure, labels, own))
    row("each", list(sources), score(found, confidence, labels, sources), score(found, sure, labels, sources))
    row("none", list(sources), score(fitted, [spine["confidence"] for spine in fitted], labels, sources))


if __name__ == "__main__":
    main()
