#!/usr/bin/env bash
# Writes the SHA-256 of the models in Data/models, and copies them to where the program finds them.
set -euo pipefail
cd "$(dirname "$0")/../.."
(cd Data/models && sha256sum ./*.{onnx,xml,bin} | sed 's, ./, ,' | sort -k 2 >SHA256SUMS)
Scripts/setup/setup.sh build
