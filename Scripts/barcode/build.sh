#!/usr/bin/env bash
# Builds Web/vendor/zxing.wasm, the reader of barcodes for browsers without one, from the source of zxing-cpp. Needed
# only for a new version. Uses Debian's clang-19, lld-19, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32,
# libclang-rt-19-dev-wasm32 and wasi-libc.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=3.1.1
sum=1051a521b21a9fe206702ad4186aeb195154e3e1badcd99576d030723f36382b
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --no-deps --no-binary zxing-cpp --dest "$work" "zxing-cpp==$version"
echo "$sum  $work/zxing_cpp-$version.tar.gz" | sha256sum --check --quiet
tar -xzf "$work/zxing_cpp-$version.tar.gz" -C "$work"
source=$work/zxing_cpp-$version/core/src
common=(
    Barcode BarcodeFormat BinaryBitmap BitArray BitMatrix BitSource CharacterSet ConcentricFinder Content ECI Error
    GlobalHistogramBinarizer GridSampler GTIN HRI HybridBinarizer JSON MultiFormatReader PerspectiveTransform
    ReadBarcode ReedSolomon ResultPoint TextDecoder Utf WhiteRectDetector ZXingCpp
)
mapfile -t linear < <(find "$source/oned" -name '*.cpp' ! -name '*Writer*' | sort)
options=(
    --target=wasm32-wasi -std=c++20 -Os -w -ffunction-sections -fdata-sections -fvisibility=hidden -DNDEBUG
    -DZXING_INTERNAL -include Scripts/barcode/one_thread.h -IScripts/barcode "-I$source"
)
for file in Scripts/barcode/reader.cpp "${common[@]/#/$source/}" "${linear[@]}"; do
    file=${file%.cpp}.cpp
    clang++-19 "${options[@]}" -c "$file" -o "$work/$(basename "$file").o"
done
clang++-19 --target=wasm32-wasi -mexec-model=reactor -o "$work/zxing.wasm" "$work"/*.o -Wl,--gc-sections,--strip-all
mkdir -p Web/vendor
cp "$work/zxing.wasm" Web/vendor/zxing.wasm
cp "$work/zxing_cpp-$version/LICENSE" Web/vendor/zxing.LICENSE.txt
ls -l Web/vendor/zxing.wasm
