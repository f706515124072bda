#!/usr/bin/env bash
# Builds the reference of the Swift client library into dist/swift-reference with DocC, which is part of the toolchain,
# from modules that 'swift build' made. Every warning is an error: a link to a symbol that does not exist, for example.
# Checks the public symbols as the compiler sees them (Scripts/check_client.py).
set -euo pipefail
cd "$(dirname "$0")/../.."
modules=.build/release/Modules
[ -e "$modules/ShelflistClient.swiftmodule" ] || {
    echo "There is no $modules/ShelflistClient.swiftmodule. Run: make build" >&2
    exit 1
}
target=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
# The C modules of the packages that the client uses, as 'swift build' passes them.
c_modules=()
while IFS= read -r map; do
    c_modules+=(-Xcc "-fmodule-map-file=$map")
done < <(find .build/checkouts/*/Sources/*/include ".build/release/" -maxdepth 2 -name module.modulemap)
swift symbolgraph-extract "${c_modules[@]}" -module-name ShelflistClient -I "$modules" -target "$target" \
    -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"
python3 Scripts/check_client.py --symbols "$graphs/ShelflistClient.symbols.json"
mkdir -p dist
rm -rf dist/swift-reference
docc convert Sources/ShelflistClient/ShelflistClient.docc --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name ShelflistClient --fallback-bundle-identifier shelflist.ShelflistClient \
    --warnings-as-errors --hosting-base-path /swift-reference --output-dir dist/swift-reference
echo "dist/swift-reference: the reference of ShelflistClient"
