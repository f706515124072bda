"""Reads photos with PyPI's rapidocr at its defaults and prints what Shelflist prints: usage: peer.py WARMUP PHOTO...

Its default models are the small detector and recogniser of PP-OCRv6, which Shelflist has beside tiny ones. It is given a
path and decodes the file itself, upright by EXIF. The first photo only warms it up, because it loads its models lazily.
"""
import json
import sys
import time

from rapidocr import RapidOCR


def main():
    warm_up, photos = sys.argv[1], sys.argv[2:]
    start = time.perf_counter()
    engine = RapidOCR(params={"Global.log_level": "error"})
    engine(warm_up)
    document = {"loadSeconds": time.perf_counter() - start, "photos": []}
    for path in photos:
        start = time.perf_counter()
        result = engine(path)
        seconds = time.perf_counter() - start
        document["photos"].append({
            "path": path, "seconds": seconds, "books": [],
            "otherText": [{"text": text} for text in result.txts or ()],
        })
    json.dump(document, sys.stdout)


main()
