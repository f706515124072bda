#!/usr/bin/env python3
"""The photos of the tests, made from the example photo: pictures.py prints the folder in which it makes them.

Tests/Recorded has what the reader reads in each; Scripts/web/record.sh writes it.
"""
import hashlib
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHELF = ROOT / "Examples/shelf.jpg"
FOLDER = ROOT / ".deps/pictures"
TRUTH = json.loads((ROOT / "Examples/shelf.json").read_text())
# The book that one of the photos does not show.
GONE = "Faust"


def without(title):
    """Paints a wall over a book, and changes the light."""
    x, y, width, height = next(b["box"] for b in TRUTH["books"] if b["title"] == title)
    return f"drawbox=x=iw*{x}:y=ih*{y}:w=iw*{width}:h=ih*{height}:color=0x2a2018:t=fill,eq=brightness=0.02"


def labelled(code):
    """Prints a label on the edge of the upper board, with capitals of 6.5 mm."""
    font = ROOT / ".deps/fonts/label.otf"
    paper = "drawbox=x=1230:y=1478:w=340:h=80:color=0xf7f6f2:t=fill"
    return f"{paper},drawtext=fontfile={font}:text={code}:fontsize=62:fontcolor=0x16150f:x=1400-tw/2:y=1518-th/2"


# Options of ffmpeg.
PICTURES = {
    # For tests that only need books: preparing the large one takes a second.
    "small.jpg": ["-vf", "scale=1200:-1", "-q:v", "4"],
    # Blurred, so that the reader misreads a part.
    "poor.jpg": ["-vf", "scale=540:-1,gblur=sigma=0.6,scale=1800:-1", "-q:v", "6"],
    # Fails the check for sharpness.
    "blurred.jpg": ["-vf", "scale=1200:-1,gblur=sigma=16", "-q:v", "4"],
    # Another photo of the same shelf: the same photo would be recognised.
    "again.jpg": ["-vf", "crop=iw*0.985:ih*0.985,eq=brightness=0.02", "-q:v", "3"],
    "without.jpg": ["-vf", without(GONE), "-q:v", "3"],
    "labelled.jpg": ["-vf", labelled("SL-9C4JV") + ",eq=brightness=-0.03,scale=2000:-1", "-q:v", "3"],
    "left.jpg": ["-vf", "crop=iw*0.62:ih:0:0", "-q:v", "3"],
    "right.jpg": ["-vf", "crop=iw*0.62:ih:iw*0.38:0", "-q:v", "3"],
    # What the camera shows, and the recording that Chromium plays as the camera.
    "camera.jpg": ["-vf", "scale=1920:1440", "-q:v", "2"],
    "camera.y4m": ["-vf", "scale=1920:1440,loop=1:1", "-r", "5", "-pix_fmt", "yuv420p"],
}


def make():
    """Makes the pictures that are missing or of an older recipe. Safe while other processes do the same."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, options in PICTURES.items():
        recipe = hashlib.sha256(json.dumps(options).encode() + SHELF.read_bytes()).hexdigest()
        file, stamp = FOLDER / name, FOLDER / f"{name}.recipe"
        if file.exists() and stamp.exists() and stamp.read_text() == recipe:
            continue
        new = FOLDER / f"{os.getpid()}-{name}"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", SHELF, *options, new], check=True)
        new.rename(file)
        new = FOLDER / f"{os.getpid()}-{name}.recipe"
        new.write_text(recipe)
        new.rename(stamp)
    return FOLDER


def picture(name):
    return FOLDER / name


if __name__ == "__main__":
    print(make())
