"""Pictures of text lines for calibration and comparison, as the recogniser gets them: 48 pixels high.

`printed` prints titles and authors of the starter list, `drawn` cuts lines out of drawn shelves.
"""
import csv
import gzip
import json
import pathlib
import random
import re

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEIGHT, WIDTH = 48, 2400  # as in Sources/SpineReading/TextRecognition.swift
LETTERS = 60


def fonts():
    """Returns the fonts of the drawn shelves."""
    listed = (ROOT / "Tests/Support/Fixtures/SpineFont.swift").read_text(encoding="utf-8")
    return [f"/usr/share/fonts/{name}" for name in re.findall(r'= "(\S.*\.[ot]tf)"', listed)]


def photographed(picture, rng):
    """Changes light, colours, focus and noise, as cameras do."""
    if rng.random() < 0.5:
        picture = Image.merge("RGB", rng.sample(picture.split(), 3))
    for enhance, low, high in ((ImageEnhance.Brightness, 0.45, 1.4), (ImageEnhance.Contrast, 0.6, 1.4),
                               (ImageEnhance.Color, 0.3, 1.6)):
        picture = enhance(picture).enhance(rng.uniform(low, high))
    if rng.random() < 0.5:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.6)))
    light = np.linspace(rng.uniform(0.6, 1), rng.uniform(0.6, 1), picture.width)[None, :, None]
    tint = np.array([rng.uniform(0.8, 1.15) for _ in range(3)])
    shape = (picture.height, picture.width, 3)
    noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, rng.uniform(0, 12), shape)
    return Image.fromarray(((np.asarray(picture) * tint + noise) * light).clip(0, 255).astype(np.uint8))


def scaled(picture):
    """Returns the picture 48 pixels high, as wide as the program makes it."""
    width = round(HEIGHT * picture.width / picture.height)
    return picture.resize((min(WIDTH, max(16, width)), HEIGHT), Image.BICUBIC)


def printed(count, seed, turned=0.0):
    """Returns `count` pairs of picture and text; the share `turned` is upside down, as unsure lines are."""
    rng = random.Random(seed)
    with gzip.open(ROOT / "Data/starter.csv.gz", "rt", encoding="utf-8") as file:
        works = rng.sample(list(csv.DictReader(file)), count)
    faces, pairs = fonts(), []
    for work in works:
        text = work["author"] if work["author"] and rng.random() < 0.4 else work["title"]
        text = text[:LETTERS].strip()
        if rng.random() < 0.35:
            text = text.upper()
        font = ImageFont.truetype(rng.choice(faces), rng.randint(34, 64))
        left, top, right, bottom = font.getbbox(text)
        edge = rng.randint(2, 12)
        dark, light = (tuple(rng.randint(*range_) for _ in range(3)) for range_ in ((0, 110), (130, 255)))
        ink, ground = rng.sample([dark, light], 2)
        picture = Image.new("RGB", (right - left + 2 * edge + rng.randint(0, 30), bottom - top + 2 * edge), ground)
        ImageDraw.Draw(picture).text((edge - left, edge - top), text, font=font, fill=ink)
        picture = picture.rotate(rng.uniform(-1.2, 1.2), Image.BICUBIC, fillcolor=ground)
        scale = rng.uniform(0.25, 1)  # many lines of a photo are smaller than 48 pixels
        picture = picture.resize([max(8, round(side * scale)) for side in picture.size], Image.BILINEAR)
        picture = scaled(photographed(picture, rng))
        pairs.append((picture.transpose(Image.ROTATE_180) if rng.random() < turned else picture, text))
    return pairs


def drawn(photos, lines):
    """Returns the lines of photos; the folder `lines` has a file for each, written by matching-features."""
    pictures = []
    for photo in photos:
        shelf = Image.open(photo).convert("RGB")
        for line in json.loads((lines / f"{photo.name}.json").read_text(encoding="utf-8")):
            corners = np.array(line["corners"]).reshape(4, 2)  # in reading direction: top left, top right, …
            width, height = (max(2, round(np.linalg.norm(corners[1] - corners[0]))),
                             max(2, round(np.linalg.norm(corners[3] - corners[0]))))
            around = corners[[0, 3, 2, 1]].flatten()
            pictures.append(scaled(shelf.transform((width, height), Image.QUAD, around, Image.BICUBIC)))
    return pictures


def tensor(picture):
    """Returns the input of the recogniser: BGR planes of -1...1, padded with 0 to a multiple of 32 pixels."""
    values = np.asarray(picture, np.float32)[:, :, ::-1].transpose(2, 0, 1) * (2 / 255) - 1
    return np.pad(values, ((0, 0), (0, 0), (0, -picture.width % 32)))[None]
