#!/usr/bin/env python3
"""Writes the picture and the table of the README by one run of the built program, or checks that they are of one run.

usage: example.py [--check]

Writing needs ffmpeg.

The table is preceded by a comment with the SHA-256 of the picture and the table together, so that neither can be replaced
without the other. What a run prints differs between processors by a percent, so it is not compared with a new run.
"""
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PICTURE = ROOT / "docs/shelf-annotated.jpg"
PHOTO = "Examples/shelf.jpg"
# Pixels.
WIDTH = 1400
# The rows of the table that the README shows.
ROWS = range(7, 11)
BLOCK = re.compile(r"<!-- written by Scripts/site/example\.py with docs/shelf-annotated\.jpg: (\w*) -->\n\n```\n(.*?)```\n", re.S)


def digest(picture, table):
    return hashlib.sha256(picture + table.encode()).hexdigest()[:16]


def run():
    """Returns the picture and the rows shown, as `shelflist scan` makes them without a catalog."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SHELFLIST_DATA": f"{folder}/data", "NO_COLOR": "1"}
        output = subprocess.run(
            [ROOT / ".build/release/shelflist", "scan", "--offline", "--annotate", folder, PHOTO], cwd=ROOT,
            env=environment, check=True, capture_output=True, text=True).stdout
        picture = subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-i", next(pathlib.Path(folder).glob("*-annotated.jpg")),
             "-vf", f"scale={WIDTH}:-1:flags=area", "-q:v", "4", "-f", "mjpeg", "-"], check=True, capture_output=True).stdout
    lines = [line.rstrip() for line in output.splitlines()]
    rows = [line for line in lines if re.match(r"\s*\d+  ", line) and int(line.split()[0]) in ROWS]
    heading = next(place for place, line in enumerate(lines) if line.split()[:2] == ["#", "title"])
    return picture, "\n".join([*lines[:heading + 1], " …", *rows, " …", ""])


def main():
    text = README.read_text()
    block = BLOCK.search(text)
    if not block:
        sys.exit("example: README.md has no table by this script. Its comment and code block are missing.")
    if "--check" in sys.argv[1:]:
        if block[1] != digest(PICTURE.read_bytes(), block[2]):
            sys.exit("example: The picture and the table of README.md are not of one run. Run Scripts/site/example.py.")
        return
    picture, table = run()
    PICTURE.write_bytes(picture)
    new = block[0].replace(block[1], digest(picture, table)).replace(block[2], table)
    README.write_text(text.replace(block[0], new))


if __name__ == "__main__":
    main()
