#!/usr/bin/env bash
# Records what the reader reads in the photos of the tests, for the server that reads none (Tools/test-server). Needed after
# a change of the reading code, of the models or of Tests/Web/pictures.py; RecordedPhotoTests says when.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(python3 Tests/Web/pictures.py)
Scripts/build.sh test-server
mkdir -p Tests/Recorded
.build/release/test-server record --into Tests/Recorded Examples/shelf.jpg "$folder"/*.jpg
