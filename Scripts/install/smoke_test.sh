#!/usr/bin/env bash
# Installs into a folder, moves it, and runs the program there with an empty environment. It has to find its own
# libraries, models and font, and use nothing of this checkout.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "install test: $*" >&2
    exit 1
}

PREFIX=$work/first DESTDIR= "$root/Scripts/install/install.sh"
mkdir "$work/a folder"
mv "$work/first" "$work/a folder/moved"
program="$work/a folder/moved/bin/shelflist"
clean() { (cd "$work" && env -i HOME="$work" "$@"); }

# Every library is part of the installation or of the system.
if command -v ldd >/dev/null; then
    loaded=$(clean ldd "$program" | awk '$2 == "=>" { $1 = ""; $2 = ""; print }')
    grep -q "^ *$work/a folder/moved/" <<<"$loaded" || fail "ldd names no library of the installation: $loaded"
    strangers=$(grep -v -e "^ *$work/a folder/moved/" -e '^ */lib' -e '^ */usr/lib/' <<<"$loaded" || true)
    [ -z "$strangers" ] || fail "these libraries are loaded from elsewhere: $strangers"
fi

[ "$(clean "$program" --version)" = "$("$root/.build/release/shelflist" --version)" ] || fail "a different version runs"
clean "$program" doctor
clean "$program" doctor --format json | python3 -c '
import json, sys
checks = {check["name"]: check for check in json.load(sys.stdin)["checks"]}
assert checks["models"]["detail"].endswith("a folder/moved/share/shelflist/models"), checks["models"]'

# The models are those of the checkout, and each has its licence. Compiled networks in a cache need their own library.
share="$work/a folder/moved/share/shelflist"
(cd "$share/models" && sha256sum --check --quiet "$root/Data/models/SHA256SUMS") ||
    fail "the models are not those in Data/models"
for name in {detection-{int8,tiny},recognition-{latin-int8,tiny}}/{LICENSE,NOTICE}; do
    [ -s "$share/licenses/$name" ] || fail "the models of Data/models have no $name"
done
[ -n "$(find "$work/a folder/moved/lib/shelflist" -name 'libopenvino_ir_frontend*')" ] ||
    fail "the library that reads compiled networks is missing"

# Through a symbolic link, as in a folder on the PATH.
ln -s "$program" "$work/shelflist"
clean "$work/shelflist" doctor >/dev/null || fail "it does not run through a symbolic link"

photo=$root/Examples/shelf.jpg
if [ -f "$photo" ]; then
    clean "$program" scan --format json --annotate seen "$photo" >"$work/result.json"
    python3 -c '
import json, sys
books = json.load(open(sys.argv[1]))["photos"][0]["books"]
assert len(books) > 5, books' "$work/result.json"
    [ -s "$work/seen/shelf-annotated.jpg" ] || fail "no annotated photo was written"
fi
