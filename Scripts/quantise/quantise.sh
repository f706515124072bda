#!/usr/bin/env bash
# Makes the models of eight bits in Data/models and their SHA-256: draws shelves, finds their lines, quantises the
# recogniser and the detector of the wheel, and compares the files with their originals before it replaces those in
# Data/models. Takes about thirteen minutes on two cores. README.md describes it.
#   Scripts/quantise/quantise.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
work=.build/quantise
Scripts/setup/python_tools.sh Scripts/setup/wheels-quantise.txt .deps/quantise "the quantiser (about 165 MB)"
export PYTHONPATH=.deps/quantise
for tool in draw-shelf matching-features; do
    Scripts/build.sh "$tool"
done

# 101 to 112 are for calibration, 201 to 204 for comparison. The seed is the number.
rm -rf "$work"
mkdir -p "$work/shelves"
for number in {101..112} {201..204}; do
    .build/release/draw-shelf "$work/shelves/$number.jpg" --width $((1800 + number % 5 * 300)) --seed "$number"
done
.build/release/matching-features photos . "$work/lines" "$work"/shelves/*.jpg -- >/dev/null

recogniser=.deps/models/recognition.onnx model=$work/recognition-int8.onnx latin=$work/recognition-latin-int8.onnx
detector=.deps/models/detection.onnx
material=("$recogniser" "$work/shelves" "$work/lines")
python3 Scripts/quantise/quantise.py "${material[@]}" "$model"
python3 Scripts/quantise/latin.py "$model" "$latin"
python3 Scripts/quantise/compare.py "${material[@]}" "$model" "$latin"
python3 Scripts/quantise/detector.py "$detector" "$work/detection-int8.xml" "$work"/shelves/10[1-6].jpg Examples/shelf.jpg
python3 Scripts/quantise/compare_detectors.py "$detector" "$work/detection-int8.xml" "$work"/shelves/2*.jpg
mv "$latin" "$work"/detection-int8.{xml,bin} Data/models/
Scripts/quantise/sums.sh
