"""The measurement of `assist`, against a local server that answers from the labels as Gemini's API would, with mistakes."""
import base64
import contextlib
import http.server
import json
import math
import os
import pathlib
import random
import statistics
import struct
import tempfile
import threading

import scoring
from measuring import BENCH, photo_scores, quiet, real_photos, scan
from online import environment
from report import percent, table, write

# The share of spines that the stand-in names wrongly, and the share of those that it says it cannot read.
ERROR_RATES = [0.0, 0.1, 0.3, 1.0]
UNREAD = 0.25
SEED = 20
LISTS = {"labelled books": ["shelf"], "books of other people": ["popular", "crossing"]}


def jpeg_size(data):
    """Returns width and height of a JPEG."""
    at = 2
    while True:
        marker, length = struct.unpack(">xBH", data[at:at + 4])
        if 0xC0 <= marker <= 0xC3:
            height, width = struct.unpack(">HH", data[at + 5:at + 9])
            return width, height
        at += 2 + length


def picture_tokens(width, height):
    """The tokens of a picture as Google documents them for Gemini (ai.google.dev/gemini-api/docs/tokens)."""
    if max(width, height) <= 384:
        return 258
    unit = max(1, math.floor(min(width, height) / 1.5))
    return 258 * math.ceil(width / unit) * math.ceil(height / unit)


class StandIn:
    """Answers one photo at a time: `spines` is the truth for each number of the sheet, None for what is illegible."""

    def __init__(self, titles):
        self.titles, self.rate, self.spines, self.requests, self.random = titles, 0.0, [], 0, random.Random(SEED)

    def reading(self, number, truth):
        book = truth
        if self.random.random() < self.rate:
            book = None if self.random.random() < UNREAD else self.random.choice(self.titles)
        known = book is not None
        # A wrong answer is as sure as a right one: models do not know when they are wrong.
        return {"number": number, "title": book["title"] if known else None, "author": book.get("author") if known else None,
                "confidence": round(self.random.uniform(0.7, 1.0), 2) if known else 0}

    def answer(self, request):
        self.requests += 1
        picture, text = request["contents"][0]["parts"]
        width, height = jpeg_size(base64.b64decode(picture["inlineData"]["data"]))
        spines = [self.reading(number, truth) for number, truth in enumerate(self.spines, 1)]
        written = json.dumps({"spines": spines}, ensure_ascii=False)
        return {"candidates": [{"content": {"role": "model", "parts": [{"text": written}]}, "finishReason": "STOP"}],
                "usageMetadata": {"promptTokenCount": picture_tokens(width, height) + len(text["text"]) // 4,
                                  "candidatesTokenCount": len(written) // 4}}


@contextlib.contextmanager
def served(stand_in):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            answer = json.dumps(stand_in.answer(json.loads(body))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def truth_of(report, books):
    """Returns the labelled book on a reported spine, None if there is none or it is illegible."""
    box = scoring.box_of(report)
    best = max(books, key=lambda book: scoring.overlap(book["box"], box), default=None)
    if best is None or scoring.overlap(best["box"], box) < 0.3:
        return None
    return best if best.get("legible") and best.get("title") else None


def labels_of(photo):
    return [book for book in json.loads((BENCH / "labels" / f"{photo.stem}.json").read_text())["books"] if book.get("box")]


def measure_assist():
    photos = real_photos()
    titles = [book for photo in photos for book in labels_of(photo) if book.get("title")]
    stand_in = StandIn(titles)
    rows, costs = [], []
    with served(stand_in) as address, quiet():
        for name, lists in LISTS.items():
            catalog = [word for part in lists for word in ("--catalog", BENCH / f"catalog/{part}_books.csv")]
            with tempfile.TemporaryDirectory() as data, environment(SHELFLIST_DATA=data):
                local = scan(photos, *catalog).photos
            rows.append([name, "local alone", *cells(local, local)])
            for rate in ERROR_RATES:
                stand_in.rate, stand_in.random = rate, random.Random(SEED)
                helped, before = [], stand_in.requests
                # A folder of its own: no answer is kept from another rate.
                with tempfile.TemporaryDirectory() as data, environment(
                        SHELFLIST_DATA=data, SHELFLIST_GEMINI_URL=address, SHELFLIST_GEMINI_KEY="benchmark",
                        SHELFLIST_READER_CONSENT="gemini", SHELFLIST_ASSIST_READER="gemini"):
                    for photo, known in zip(photos, local):
                        unsure = [book for book in known["books"] if book["reviewStatus"] == "needsReview"]
                        stand_in.spines = [truth_of(book, labels_of(photo)) for book in unsure[:60]]
                        helped += scan([photo], "--reader", "assist", *catalog).photos
                asked = stand_in.requests - before
                assert asked <= len(photos), "more than one picture a photo was sent"
                rows.append([name, f"assist, {percent(rate)} wrong", *cells(helped, local)])
                uses = [photo["model"] for photo in helped if photo.get("model")]
                if rate == 0 and uses:
                    costs.append([name, uses[0]["model"], asked, statistics.mean(use["spines"] for use in uses),
                                  sum(use["inputTokens"] for use in uses) / len(photos),
                                  sum(use["outputTokens"] for use in uses) / len(photos),
                                  100 * sum(use["cost"] or 0 for use in uses) / len(photos)])
    write("assist",
          table(["catalog", "reader", "books found", "precision", "accepted", "precision of these", "verified books lowered"], rows),
          "The stand-in's wrong answers are other labelled books, as sure as right ones; a quarter of them are “cannot be read”. "
          "A spine whose label is illegible is never named.",
          table(["catalog", "model", "pictures sent", "spines in each", "input tokens a photo", "output tokens a photo",
                 "US dollars per 100 photos"],
                [[*row[:3], f"{row[3]:.1f}", f"{row[4]:.0f}", f"{row[5]:.0f}", f"{row[6]:.3f}"] for row in costs]),
          "Tokens are computed: those of the picture as Google documents them, four characters a token for text; a model that "
          "reasons writes more. Prices: docs/readers.md, with their date.")


def cells(photos, local):
    figures = scoring.figures(photo_scores(photos))
    lowered = sum(book["reviewStatus"] == "verified" and not any(
        other["reviewStatus"] == "verified" and other["boundingBox"] == book["boundingBox"] for other in photo["books"])
        for before, photo in zip(local, photos) for book in before["books"])
    return [*(percent(figures[key]) for key in ("recall", "precision", "accepted_recall", "accepted_precision")), lowered]
