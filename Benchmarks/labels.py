"""Codes on labels of shelves in drawn photos: read right, read wrong, missed."""
import json
import pathlib
import tempfile

from measuring import PROGRAM, BenchmarkError, Run, scan
from report import table, write

# What is drawn: the height of the capitals in mm, the blur in pixels, the slant in degrees.
KINDS = [("capitals of 4 mm", 4, 0, 0), ("5 mm", 5, 0, 0), ("6.5 mm", 6.5, 0, 0), ("8 mm", 8, 0, 0),
         ("6.5 mm, slanted by 5°", 6.5, 0, 5), ("6.5 mm, blurred by 3 pixels", 6.5, 3, 0),
         ("6.5 mm, blurred by 8 pixels", 6.5, 8, 0)]
WIDTHS = [4000, 2000, 1320]
SEEDS = [1851, 2718]


def measure_labels():
    program = PROGRAM.parent / "draw-shelf"
    if not program.exists():
        raise BenchmarkError(f"There is no {program}.", "run 'Scripts/build.sh draw-shelf' first.")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, capitals, blur, slant in KINDS:
            truths = {}
            for width in WIDTHS:
                for seed in SEEDS:
                    photo = pathlib.Path(folder) / f"{capitals}-{blur}-{slant}-{width}-{seed}.jpg"
                    Run([program, photo, "--width", width, "--seed", seed, "--labels", capitals, "--slant", slant,
                         "--blur", round(blur * width / 4000)])
                    truths[str(photo)] = json.loads(photo.with_suffix(".json").read_text())["labels"]
            rows.append([name, *counts(truths, scan(list(truths)).photos)])
    rows.append(["all", *map(sum, zip(*(row[1:] for row in rows)))])
    write("labels", table(["labels", "codes", "read right", "read wrong", "missed", "labels that became books"], rows))


def counts(truths, photos):
    """The numbers of codes, of those read right, of others that were read, of those missed, and of books of labels."""
    right = wrong = books = 0
    for photo in photos:
        codes = truths[photo["path"]]
        read = {label["code"] for label in photo.get("labels") or []}
        right += len(read & set(codes))
        wrong += len(read - set(codes))
        books += sum(any("SL-" in line["text"].upper() for line in book["text"]) for book in photo["books"])
    total = sum(map(len, truths.values()))
    return total, right, wrong, total - right, books
