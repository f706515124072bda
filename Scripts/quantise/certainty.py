"""Prints how many lines the tiny recogniser may keep, and how many letters are then wrong: usage: certainty.py MODELS

The lines are printed ones: titles and authors of the starter list in many fonts. MODELS contains recognition.onnx and
recognition-tiny.onnx. Needs the packages of wheels-quantise.txt (PYTHONPATH=.deps/quantise).
"""
import pathlib
import sys

import numpy as np
import openvino

import lines
from compare import characters, distance

COUNT, SEED = 1200, 78
# As in CTCDecoder.swift.
SPACE = 0.1


def read(path, pictures):
    """Returns the text and the score of each line, decoded as the program does."""
    letters = characters(path)
    request = openvino.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    readings = []
    for picture in pictures:
        steps = request.infer({0: lines.tensor(picture)})[0][0]
        best, space = steps.argmax(1), steps.shape[1] - 1
        best[(best == 0) & (steps[:, space] >= SPACE)] = space
        text, scores = "", []
        for step, kind in enumerate(best):
            if not kind or (step and kind == best[step - 1]) or (kind == space and text.endswith(" ")):
                continue
            text += " " if kind == space else letters[kind - 1]
            if kind != space:
                scores.append(steps[step, kind])
        readings.append((text.strip(), float(np.mean(scores)) if scores else 0))
    return readings


def main():
    models = pathlib.Path(sys.argv[1])
    printed = lines.printed(COUNT, SEED)
    truth = [text for _, text in printed]
    small, tiny = [read(models / f"{name}.onnx", [picture for picture, _ in printed])
                   for name in ("recognition", "recognition-tiny")]

    def line(name, readings):
        texts = [text for text, _ in readings]
        wrong = sum(map(distance, texts, truth)) / sum(map(len, truth))
        print(f"{name:24} {wrong:.2%} of the letters wrong, {sum(a == b for a, b in zip(texts, truth))} lines right")

    print(f"{COUNT} printed lines")
    line("small", small)
    line("tiny", tiny)
    for threshold in (0.90, 0.95, 0.98, 0.99):
        kept = [score >= threshold and all(ord(letter) <= 0x17F for letter in text) for text, score in tiny]
        line(f"tiny from {threshold:.2f}: {sum(kept) / COUNT:.0%}", [a if keep else b for a, b, keep in zip(tiny, small, kept)])


main()
