"""Rewrites the detector's graph for speed, and quantises it to integers of eight bits.

usage: detector.py DETECTOR.onnx OUT.xml PICTURE...

OpenVINO's format (OUT.xml and OUT.bin) is used because quantisers have to stay outside of the activations (GELU), which
are one operation only there. PICTURE are shelves for calibration.
"""
import pathlib
import random
import sys

import nncf
import numpy as np
import openvino
from openvino import opset13 as operators
from openvino._offline_transformations import apply_moc_transformations
from PIL import Image

SEED = 5
LONG_SIDE = 1920  # as in Sources/SpineReading/LookSize.swift
CROP, CROPS = 640, 5  # of each picture, in pixels
MEAN, DEVIATION = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])  # as in DetectionCanvas.swift
# The first convolutions see single pixels; those that were rewritten, and the enlarging ones, are slower in eight bits.
FLOAT = {"Conv.0", "Conv.1", "Conv.2"}
# The greatest difference of a probability after rewriting, for noise and for pictures. Sums of 32-bit numbers in another
# order differ that much where the probability is steep.
EQUAL = {"noise": 1e-6, "pictures": 1e-5}


def enlarged_kernel(kernel, factor):
    """The kernel of a transposed convolution with stride `factor` that does what a convolution with the 3 x 3 `kernel`
    does to a map enlarged by repetition: each of the repeated pixels adds the kernel at its place."""
    outputs, inputs = kernel.shape[:2]
    large = np.zeros((inputs, outputs, factor + 2, factor + 2), np.float32)
    mirrored = kernel[:, :, ::-1, ::-1].transpose(1, 0, 2, 3)
    for y in range(factor):
        for x in range(factor):
            large[:, :, y:y + 3, x:x + 3] += mirrored
    return large


def part(source, kernel, attributes):
    """A convolution of one of several joined maps."""
    node = source.get_node()
    if node.get_type_name() == "Interpolate":
        factor = int(node.input_value(1).get_node().data[2])
        return operators.convolution_backprop_data(
            node.input_value(0), operators.constant(enlarged_kernel(kernel, factor)), strides=[factor, factor],
            pads_begin=[1, 1], pads_end=[1, 1], dilations=[1, 1])
    return operators.convolution(source, operators.constant(kernel), attributes["strides"], attributes["pads_begin"],
                                 attributes["pads_end"], attributes["dilations"], attributes["auto_pad"])


def rewrite(model):
    """Replaces each convolution of joined maps by the sum of one convolution for each map, which saves joining them and
    enlarging those that were enlarged by repetition."""
    joined = [node for node in model.get_ordered_ops() if node.get_type_name() == "Convolution"
              and node.input_value(0).get_node().get_type_name() == "Concat"]
    for node in joined:
        weights, first, total = node.input_value(1).get_node().data, 0, None
        for source in node.input_value(0).get_node().input_values():
            last = first + source.get_partial_shape()[1].get_length()
            piece = part(source, np.ascontiguousarray(weights[:, first:last]), node.get_attributes())
            total, first = piece if total is None else operators.add(total, piece), last
        for target in list(node.output(0).get_target_inputs()):
            target.replace_source_output(total.output(0))
    model.validate_nodes_and_infer_types()
    return len(joined)


def crops(path, rng):
    """Squares of a shelf turned as the program turns it, as the detector gets them."""
    picture = Image.open(path).convert("RGB")
    picture.thumbnail((LONG_SIDE, LONG_SIDE), Image.BOX)
    pixels = np.asarray(picture.transpose(Image.ROTATE_90))[:, :, ::-1]  # BGR
    for _ in range(CROPS):
        y, x = (rng.randrange(max(1, side - CROP)) for side in pixels.shape[:2])
        crop = pixels[y:y + CROP, x:x + CROP]
        crop = crop[:crop.shape[0] // 32 * 32, :crop.shape[1] // 32 * 32]
        yield np.ascontiguousarray(((crop / 255 - MEAN) / DEVIATION).astype(np.float32).transpose(2, 0, 1)[None])


def run(model, tensor):
    """The map of probabilities, computed in 32 bit where not in eight."""
    return openvino.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})({0: tensor})[0]


def main():
    source, out, *pictures = sys.argv[1:]
    rng = random.Random(SEED)
    np.random.seed(SEED)
    tensors = [tensor for path in sorted(pictures) for tensor in crops(pathlib.Path(path), rng)]
    model = openvino.Core().read_model(source)
    apply_moc_transformations(model, cf=True)
    convolutions = rewrite(model)
    noise = np.random.default_rng(SEED).standard_normal((1, 3, 736, 960)).astype(np.float32)
    for kind, samples in {"noise": [noise], "pictures": tensors[::CROPS]}.items():
        worst = max(float(np.abs(run(model, tensor) - run(source, tensor)).max()) for tensor in samples)
        print(f"{convolutions} convolutions of joined maps rewritten; the greatest difference for {kind} is {worst:.1e}")
        if convolutions != 2 or worst > EQUAL[kind]:
            sys.exit("The rewritten graph does not do the same.")
    kinds = ("Convolution", "GroupConvolution", "ConvolutionBackpropData")
    layers = [node for node in model.get_ordered_ops() if node.get_type_name() in kinds]
    # Those that were rewritten have no name of the original.
    kept = [node.get_friendly_name() for node in layers
            if node.get_friendly_name() in FLOAT or not node.get_friendly_name().startswith("Conv.")]
    result = nncf.quantize(
        model, nncf.Dataset(tensors), preset=nncf.QuantizationPreset.MIXED, subset_size=len(tensors),
        ignored_scope=nncf.IgnoredScope(names=kept), fast_bias_correction=True,
        advanced_parameters=nncf.AdvancedQuantizationParameters(overflow_fix=nncf.OverflowFix.DISABLE))
    openvino.save_model(result, out, compress_to_fp16=False)
    print(f"{len(layers) - len(kept)} of {len(layers)} layers in eight bits")


if __name__ == "__main__":
    main()
