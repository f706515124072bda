"""Compares a quantised detector with the original, on shelves that were not used for calibration.

usage: compare_detectors.py DETECTOR QUANTISED.xml PICTURE...

Fails if they take clearly different pixels for text.
"""
import pathlib
import random
import sys

import detector

SEED = 77
THRESHOLD = 0.3  # as in Sources/SpineReading/DBPostProcessing.swift
# Of the pixels that one of them takes for text, those that both do.
SAME = 0.95


def main():
    source, quantised, *pictures = sys.argv[1:]
    rng, both, either = random.Random(SEED), 0, 0
    for path in sorted(pictures):
        for tensor in detector.crops(pathlib.Path(path), rng):
            one, other = (detector.run(model, tensor) > THRESHOLD for model in (source, quantised))
            both, either = both + int((one & other).sum()), either + int((one | other).sum())
    same = both / max(1, either)
    print(f"{pathlib.Path(quantised).name}: {same:.3f} of {either} pixels of text as the original")
    if same < SAME:
        sys.exit("The quantised detector finds other text than the original.")


if __name__ == "__main__":
    main()
