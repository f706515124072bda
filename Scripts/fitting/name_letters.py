#!/usr/bin/env python3
"""Fits how strongly groups of letters suggest a person's name, and prints figures with each list held out.

usage: name_letters.py STARTER.csv

A logistic regression over hashed groups of letters of a word, and of the words before and after it in its line
(`NameLetters`). The lines are made of the titles and authors of STARTER.csv (columns title and author, several separated
by ';') and of the catalogs of the bench: alone or beside each other in either order, broken, with surnames only, and
with letters misread as text recognition misreads them. It is needed only when these lists change.
"""
import base64
import csv
import json
import pathlib
import random
import re
import sys

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import literal
from fitting import BENCH, ROOT
from name_words import folded_words

WEIGHTS = ROOT / "Sources/Identification/Roles/NameLetterWeights.swift"
TABLE, LENGTHS = 1 << 16, range(2, 6)
# Works of each list, and how strongly weights are drawn to nothing.
MOST = {"starter": 16000, "popular": 6000, "crossing": 9000, "library": 10000}
HELD_OUT, STRENGTH, STEPS = 2000, 2.0, 40
# What recognition takes for another letter.
MISREAD = [("o", "0"), ("i", "l"), ("l", "i"), ("e", "c"), ("c", "e"), ("n", "m"), ("m", "n"), ("u", "n"), ("a", "o"),
           ("t", "f"), ("h", "n"), ("rn", "m"), ("s", "5"), ("g", "q")]


def place(group):
    """FNV-1a of 32 bits, folded to 16, as `NameLetters` computes it."""
    value = 2166136261
    for byte in group:
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return (value ^ value >> 16) & 0xFFFF


def groups(word, before, after, known={}):
    if word not in known:
        bounded = b"^" + word + b"$"
        known[word] = {place(b"w" + word)} | {
            place(bounded[start:start + length]) for length in LENGTHS for start in range(len(bounded) - length + 1)}
    around = {b"<" + before, b">" + after, b"<~" + before[-3:], b">~" + after[-3:]}
    around |= {mark for mark, word in ((b"<1", before), (b">1", after)) if len(word) == 1}
    return sorted(known[word] | {place(group) for group in around})


def works(name):
    """(title, authors) of one list, in random order."""
    found = []
    with open(sys.argv[1] if name == "starter" else BENCH / f"catalog/{name}_books.csv", newline="") as file:
        for row in csv.DictReader(file):
            title, author = re.sub(r"\(.*?\)", "", row["title"]).split(" / ")[0], row["author"]
            parts = [part.strip() for part in author.split(",")]
            if name == "starter":
                authors = [part.strip() for part in author.split(";") if part.strip()]
            elif name == "library":  # Surname, Forename
                authors = [f"{parts[1]} {parts[0]}"] if len(parts) > 1 and parts[1][:1].isalpha() else []
            else:
                authors = parts[:2]
            found.append((title, authors))
    random.Random(4).shuffle(found)
    return found


def author(names, rng):
    names = names[:2] if rng.random() < 0.5 else names[:1]
    form = rng.random()
    parts = [name.split() for name in names]
    if form < 0.25:
        parts = [part[-1:] for part in parts]
    elif form < 0.33:
        parts = [[part[0][:1] + "."] + part[-1:] if len(part) > 1 else part for part in parts]
    return rng.choice([" & ", " and ", " und ", " y ", ", ", " i ", " et ", " / "]).join(map(" ".join, parts))


def misread(word, rng):
    if rng.random() < 0.85 or len(word) < 4:
        return word
    form, at = rng.random(), rng.randrange(len(word))
    if form < 0.3:
        return word[:at] + word[at + 1:]
    if form < 0.5:
        return word[1:] if rng.random() < 0.6 else word[:-1]
    return word.replace(*rng.choice(MISREAD), 1)


def lines(found, seed):
    """Lines as (words, labels): 1 for the words of a name, 0 for those of a title."""
    rng, made = random.Random(seed), []
    for title, authors in found:
        parts = re.split(r" ?[:;] |: ", title)
        title = [misread(word, rng) for word in folded_words(parts[0] if rng.random() < 0.5 else title)][:14]
        name = [misread(word, rng) for word in folded_words(author(authors, rng))] if authors else []
        if not title:
            continue
        if name and rng.random() < 0.45:
            both = [(name, 1), (title, 0)]
            rng.shuffle(both)
            made.append((both[0][0] + both[1][0], [label for words, label in both for _ in words]))
            continue
        for words, label, share in ((title, 0, 0.4 if len(title) > 2 else 0), (name, 1, 0.25 if len(name) > 1 else 0)):
            cut = rng.randrange(1, len(words)) if rng.random() < share else len(words)
            made += [(side, [label] * len(side)) for side in (words[:cut], words[cut:]) if side]
    return made


def matrix(made):
    columns, starts, labels = [], [0], []
    for words, line in made:
        words = [b"", *(word.encode() for word in words), b""]
        for before, word, after, label in zip(words, words[1:], words[2:], line):
            columns.extend(groups(word, before, after))
            starts.append(len(columns))
            labels.append(label)
    return csr_matrix((np.ones(len(columns), np.float32), columns, starts), (len(labels), TABLE)), np.array(labels)


def fit(x, y):
    across = x.T.tocsr()

    def loss(w):
        odds = x @ w[:-1].astype(np.float32) + w[-1]
        gap = (1 / (1 + np.exp(-odds)) - y).astype(np.float32)
        return (float((np.logaddexp(0, odds) - y * odds).sum() + STRENGTH / 2 * w[:-1] @ w[:-1]),
                np.append(across @ gap + STRENGTH * w[:-1], gap.sum()).astype(float))
    return minimize(loss, np.zeros(TABLE + 1), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x


def main():
    found = {name: works(name) for name in MOST}
    for name in MOST:
        rest = [work for other in MOST if other != name for work in found[other][:MOST[other]]]
        w = fit(*matrix(lines(rest, 5)))
        x, y = matrix(lines(found[name][:HELD_OUT], 6))
        right = (x @ w[:-1] + w[-1] > 0) == y
        print(json.dumps({"held out": name, "words": len(y), "right": round(float(right.mean()), 4)}), flush=True)
    w = fit(*matrix(lines([work for name in MOST for work in found[name][:MOST[name]]], 5)))
    unit = np.abs(w[:-1]).max() / 127
    table = base64.b64encode(np.round(w[:-1] / unit).astype(np.int8).tobytes()).decode()
    literal.write(WEIGHTS, f"{w[-1]:.6g} {unit:.6g}\n{table}")


if __name__ == "__main__":
    main()
