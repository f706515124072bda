"""Quantises the recogniser to integers of eight bits.

usage: quantise.py RECOGNISER SHELVES LINES OUT

RECOGNISER is the ONNX file of the wheel; SHELVES a folder with drawn shelves, LINES one with the lines that
matching-features found in them.
"""
import pathlib
import random
import sys

import nncf
import numpy as np
import onnx
import onnx.version_converter

import lines

PRINTED, DRAWN = 150, 50
SEED = 3
# At opset 11 a tensor has one scale; from 13 on, each channel of the weights has its own.
OPSET = 13
# These convolutions stay in float: in the experiments for decision 23, their quantisation changed the output most.
FLOAT = [f"Conv.{number}" for number in (0, 1, 37, 21, 7, 28, 6, 20, 32, 24)]
NOTICE = ("Modified by Shelflist (Scripts/quantise) from PP-OCRv6_rec_small.onnx of rapidocr: opset 13, eight bits. "
          "Apache-2.0.")


def prepared(model):
    """Returns the model at OPSET and without nodes that only rename a tensor."""
    metadata = list(model.metadata_props)
    model = onnx.version_converter.convert_version(model, OPSET)
    if not model.metadata_props:
        model.metadata_props.extend(metadata)
    results = {value.name for value in model.graph.output}
    names, nodes = {}, []
    for node in model.graph.node:  # in order: a node follows those that it needs
        inputs = [names.get(name, name) for name in node.input]
        if node.op_type == "Identity" and node.output[0] not in results:
            names[node.output[0]] = inputs[0]
        else:
            node.input[:] = inputs
            nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    return model


def calibration(shelves, found):
    """Returns pictures of lines: printed ones, an eighth of them upside down, and lines of drawn shelves."""
    pictures = [picture for picture, _ in lines.printed(PRINTED, SEED, turned=0.125)]
    return pictures + random.Random(SEED).sample(lines.drawn(sorted(shelves.glob("1*.jpg")), found), DRAWN)


def quantised(model, shelves, found, ignored):
    """Returns the prepared model with eight-bit integers in all layers that allow them, except those `ignored`."""
    random.seed(SEED)
    np.random.seed(SEED)
    tensors = [lines.tensor(picture) for picture in calibration(shelves, found)]
    name = model.graph.input[0].name
    return nncf.quantize(
        model, nncf.Dataset(tensors, lambda tensor: {name: tensor}), preset=nncf.QuantizationPreset.MIXED,
        model_type=nncf.ModelType.TRANSFORMER, subset_size=len(tensors), ignored_scope=nncf.IgnoredScope(names=ignored))


def main():
    recogniser, shelves, found, out = map(pathlib.Path, sys.argv[1:])
    result = quantised(prepared(onnx.load(recogniser)), shelves, found, FLOAT)
    result.doc_string = NOTICE
    onnx.checker.check_model(result)
    onnx.save(result, out)


if __name__ == "__main__":
    main()
