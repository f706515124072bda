"""Measures with photos and labels of one's own; Benchmarks/README.md describes them."""
import json
import pathlib
import statistics

import scoring
from measuring import BenchmarkError, photo_scores, say, scan_warm
from report import percent, seconds, table

PHOTOS = {".jpg", ".jpeg", ".png", ".webp", ".heic"}
NAMES = {"lines": "lines", "recall": "books found", "precision": "precision", "accepted_recall": "accepted",
         "accepted_precision": "precision of these", "box": "box", "author": "author"}
RISK = ["area under the risk-coverage curve", "reports accepted at 1 % risk", "95 % of samples"]


def risk(photos):
    """Returns the cells of `RISK` for scored photos."""
    reports = [report for photo in photos for report in photo.reports]
    low, high = scoring.coverage_interval(photos)
    return [f"{scoring.augrc(reports):.3f}", percent(scoring.coverage(reports)), f"{percent(low)} to {percent(high)}"]


def photos_in(folder):
    photos = sorted(file for file in pathlib.Path(folder).glob("*") if file.suffix.lower() in PHOTOS)
    if not photos:
        raise BenchmarkError(f"There are no photos in {folder}.", "name a folder with photos of shelves and their labels.")
    return photos


def label_of(photo):
    return photo.with_suffix(".json")


def draft_labels(folder):
    """Writes labels of what a scan finds for the photos that have none. A person has to correct them."""
    photos = [photo for photo in photos_in(folder) if not label_of(photo).exists()]
    if not photos:
        return say("Each photo has a label.")
    for photo, result in zip(photos, scan_warm(photos)):
        books = [{"title": book["title"], "author": book.get("author"), "legible": True,
                  "box": [round(side, 4) for side in scoring.box_of(book)]} for book in result["books"] if book.get("title")]
        label_of(photo).write_text(json.dumps({"books": books}, indent=1, ensure_ascii=False) + "\n",
                                   encoding="utf-8")
        say(f"{label_of(photo)}: {len(books)} books; correct them, and add those that are missing.")


def measure_own(folder, *options):
    """Prints figures of the labelled photos; `options` are passed to `shelflist scan`."""
    photos = [photo for photo in photos_in(folder) if label_of(photo).exists()]
    if not photos:
        raise BenchmarkError(f"No photo in {folder} has a label.",
                             f"write them (Benchmarks/README.md), or begin with: Benchmarks/run.sh drafts {folder}")
    results = scan_warm(photos, *options)
    scored = photo_scores(results, folder)
    print(table(["photo", "legible", "read", "found", "reported", "right", "time"],
                [[photo.name, score.legible, score.read, len(score.found), len(score.reports),
                  sum(right for _, right in score.reports), seconds(result["seconds"])]
                 for photo, score, result in zip(photos, scored, results)]), end="\n\n")
    figures = scoring.figures(scored)
    whole = {"lines": figures["legible"], "recall": figures["legible"], "precision": figures["reported"]}
    rows = [[NAMES[name], percent(figures[name]),
             "{} to {}".format(*map(percent, scoring.interval(figures[name] * count, count)))] for name, count in whole.items()]
    rows += [[NAMES[name], percent(figures[name]), ""]
             for name in ("accepted_recall", "accepted_precision", "box", "author") if figures[name] == figures[name]]
    rows.append(["calibration error", f"{figures['ece']:.3f}", ""])
    area, accepted, samples = risk(scored)
    rows += [[RISK[0], area, ""], [RISK[1], accepted, samples]]
    rows.append(["time, median", seconds(statistics.median(photo["seconds"] for photo in results)), ""])
    print(table(["", "measured", "95 % interval"], rows))
    for photo, score in zip(photos, scored):
        for title in score.missed:
            print(f"{photo.name}: missed: {title}")
        for report in score.wrong:
            print(f"{photo.name}: wrong: {report.get('title')} ({report.get('confidence') or 0:.2f})")
