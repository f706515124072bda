"""Compares quantised recognisers with the original, on lines that were not used for calibration.

usage: compare.py RECOGNISER SHELVES LINES QUANTISED...

Prints a line for each recogniser and kind of lines. Fails if a quantised one reads clearly worse than the original.
"""
import pathlib
import sys

import numpy as np
import onnx
import openvino

import lines

COUNT, SEED = 600, 77
# Of the letters of printed lines, and of the lines of drawn shelves.
MORE_ERRORS, OTHER_LINES = 0.005, 0.05


def characters(path):
    return next(entry.value for entry in onnx.load(path).metadata_props if entry.key == "character").split("\n")


def distance(one, other):
    """Returns the number of letters to insert, remove or replace (Levenshtein)."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (a != b))
    return row[-1]


def read(path, pictures):
    """Returns the text and the score of each line, computed in 32 bit where not in eight."""
    letters = characters(path)
    request = openvino.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    texts, scores = [], []
    for picture in pictures:
        steps = request.infer({0: lines.tensor(picture)})[0][0]
        best, sure = steps.argmax(1), steps.max(1)
        # Greedy CTC decoding: class 0 is blank, the class behind the list is the space.
        chosen = [i for i, kind in enumerate(best) if kind and (i == 0 or kind != best[i - 1])]
        texts.append("".join(letters[best[i] - 1] if best[i] <= len(letters) else " " for i in chosen).strip())
        scores.append(float(np.mean(sure[chosen])) if chosen else 0)
    return texts, np.array(scores)


def main():
    recogniser, shelves, found, *quantised = map(pathlib.Path, sys.argv[1:])
    printed = lines.printed(COUNT, SEED)
    pictures = {"printed": [picture for picture, _ in printed],
                "drawn": lines.drawn(sorted(shelves.glob("2*.jpg")), found)}
    truth, letters = [text for _, text in printed], sum(len(text) for _, text in printed)
    errors, failed = {}, False
    original = {kind: read(recogniser, pictures[kind]) for kind in pictures}
    for path in [recogniser, *quantised]:
        # A recogniser may have fewer characters, in the same order.
        if characters(path) != [letter for letter in characters(recogniser) if letter in set(characters(path))]:
            sys.exit(f"{path} has characters that {recogniser} has not, or in another order.")
        for kind in pictures:
            texts, scores = read(path, pictures[kind])
            same = sum(one == other for one, other in zip(texts, original[kind][0])) / len(texts)
            line = f"{path.name:24} {kind:8} {len(texts)} lines, {same:.3f} as the original, " \
                f"score {scores.mean():.4f} (±{np.abs(scores - original[kind][1]).mean():.4f})"
            if kind == "printed":
                errors[path] = sum(map(distance, texts, truth)) / letters
                failed |= errors[path] > errors[recogniser] + MORE_ERRORS
                right = sum(one == other for one, other in zip(texts, truth))
                line += f", {right} right, {errors[path]:.4f} of the letters wrong"
            else:
                failed |= same < 1 - OTHER_LINES
            print(line, flush=True)
    if failed:
        sys.exit("A quantised recogniser reads worse than the original.")


if __name__ == "__main__":
    main()
