"""What both fits share: finding the material, logistic regression folded into plain weights, the weights file."""
import json
import os
import pathlib
import subprocess
import sys

import literal
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = pathlib.Path(os.environ.get("SHELFLIST_SHARED", ROOT.parent / "shared")) / "bench"
TOOL = pathlib.Path(os.environ.get("MATCHING_FEATURES", ROOT / ".build/release/matching-features"))
WEIGHTS = ROOT / "Sources/Identification/Matching/MatchingWeights.swift"
VERSION = 2
FOLDS = 5

sys.path.insert(0, str(BENCH))


def names(kind):
    """The names of the features, in the order in which the tool writes them."""
    output = subprocess.run([TOOL, "names"], check=True, capture_output=True, text=True).stdout
    return json.loads(output)[kind]


class Logistic:
    """Logistic regression on standardised features, and on products of some of them."""

    def __init__(self, columns, products=(), strength=1.0):
        self.columns, self.products, self.strength = list(columns), list(products), strength

    def expand(self, x):
        pairs = [x[:, self.columns.index(a)] * x[:, self.columns.index(b)] for a, b in self.products]
        return np.column_stack([x, *pairs]) if pairs else x

    def fit(self, x, y, weight=None):
        scaler = StandardScaler().fit(self.expand(x))
        scale = np.where(scaler.var_ > 1e-9, scaler.scale_, np.inf)  # a constant says nothing
        model = LogisticRegression(C=self.strength, max_iter=2000)
        model.fit((self.expand(x) - scaler.mean_) / scale, y, sample_weight=weight)
        self.weights = model.coef_[0] / scale
        self.bias = float(model.intercept_[0] - self.weights @ scaler.mean_)
        return self

    def value(self, x):
        return self.expand(x) @ self.weights + self.bias

    def probability(self, x):
        return 1 / (1 + np.exp(-self.value(x)))

    def stretched(self, stretch, shift, **shifts):
        """The log odds times `stretch`, moved by `shift`, and by the value of each named feature times its own shift."""
        self.weights, self.bias = self.weights * stretch, self.bias * stretch + shift
        for name, own in shifts.items():
            self.weights[self.columns.index(name)] += own
        return self

    def json(self):
        names = [*self.columns, *("*".join(pair) for pair in self.products)]
        return {
            "bias": round(self.bias, 6),
            "weights": {name: float(f"{w:.6g}") for name, w in zip(names, self.weights) if w}}


def calibration_error(confidence, right):
    """Expected calibration error, ten bins, as Benchmarks/scoring.py counts it."""
    bins = np.minimum((confidence * 10).astype(int), 9)
    return sum(abs(confidence[bins == b].sum() - right[bins == b].sum()) for b in range(10)) / len(confidence)


def store(**models):
    """Replaces these models in the weights file and leaves the others."""
    file = json.loads(literal.read(WEIGHTS))
    file.update({name: model.json() for name, model in models.items()})
    literal.write(WEIGHTS, json.dumps({**file, "version": VERSION}, indent=1, sort_keys=True))
