#!/usr/bin/env bash
# Builds Web/vendor/zxing.wasm, the reader of barcodes for browsers without one, from the source of zxing-cpp, and fails if
# it is not the file that Scripts/barcode/zxing.wasm.sha256 names. Every build has the same bytes.
#   Scripts/barcode/build.sh            checks that the source still makes the file of the repository
#   Scripts/barcode/build.sh --update   replaces the file, its checksum and its licences: for a new version
# Uses Debian's clang-19, lld-19, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32, libclang-rt-19-dev-wasm32 and wasi-libc, in
# the versions below.
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C
version=3.1.1
sum=1051a521b21a9fe206702ad4186aeb195154e3e1badcd99576d030723f36382b
llvm=19.1.7
wasi_libc=0.0~git20220510.9886d3d
# Of the module's memory, in bytes. Pictures have at most 1280 × 1280 grey values.
memory=67108864
update=false
case "${1:-}" in
"") ;;
--update) update=true ;;
*)
    echo "usage: Scripts/barcode/build.sh [--update]" >&2
    exit 2
    ;;
esac

# Fails unless a Debian package is installed in a version.
needs() { # PACKAGE VERSION
    local installed
    installed=$(dpkg-query -W -f '${Version}' "$1" 2>/dev/null) || installed=none
    installed=${installed#*:}
    [ "${installed%%-[0-9]*}" = "$2" ] || {
        echo "build.sh: $1 $2 is needed, $installed is installed." >&2
        exit 1
    }
}
for package in clang-19 lld-19 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32; do
    needs "$package" "$llvm"
done
needs wasi-libc "$wasi_libc"

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
    # Names of files are in its messages.
    "-ffile-prefix-map=$work=."
    -DZXING_INTERNAL -include Scripts/barcode/one_thread.h -IScripts/barcode "-I$source"
)
for file in Scripts/barcode/reader.cpp "${common[@]/#/$source/}" "${linear[@]}"; do
    file=${file%.cpp}.cpp
    clang++-19 "${options[@]}" -c "$file" -o "$work/$(basename "$file").o"
done
clang++-19 --target=wasm32-wasi -mexec-model=reactor -o "$work/zxing.wasm" "$work"/*.o \
    "-Wl,--gc-sections,--strip-all,--max-memory=$memory"
cat "$work/zxing_cpp-$version/LICENSE" Scripts/barcode/notices.txt >"$work/zxing.LICENSE.txt"
if $update; then
    install -D -m 644 "$work/zxing.wasm" "$work/zxing.LICENSE.txt" -t Web/vendor
    sha256sum Web/vendor/zxing.wasm >Scripts/barcode/zxing.wasm.sha256
fi
for file in zxing.wasm zxing.LICENSE.txt; do
    cmp "$work/$file" "Web/vendor/$file"
done
sha256sum --check --quiet Scripts/barcode/zxing.wasm.sha256
