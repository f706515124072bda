#!/usr/bin/env bash
# Installs the built program into PREFIX (and below DESTDIR, for packagers):
#   bin/shelflist
#   lib/shelflist/     OpenVINO and the Swift runtime
#   share/shelflist/   version and commit, models, fonts, web app, API description, licences
# Nothing depends on the location, so the folder can be moved. The image libraries of
# Scripts/setup/packages-build.txt come from the system.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
deps=$root/.deps
built=$root/.build/release/shelflist
prefix=${DESTDIR:-}${PREFIX:?set PREFIX to the folder to install into}

fail() {
    printf 'install: %s\n  Fix: %s\n' "$1" "$2" >&2
    exit 1
}

[ -x "$built" ] || fail "There is no $built." "run 'make build' first."
mkdir -p "$prefix"/{bin,lib,share} 2>/dev/null ||
    fail "$prefix cannot be written to." "use your own folder (make install PREFIX=~/shelflist), or run this as root."
prefix=$(cd "$prefix" && pwd)

# Each folder is built beside the old one and replaces it when it is complete.
new_folder() { rm -rf "$1.new" && mkdir -p "$1.new"; }
replace() { rm -rf "$1" && mv "$1.new" "$1"; }

swift_runtime_of() {
    local folder
    folder=$(dirname "$(ldd "$1" | awk '$1 == "libswiftCore.so" { print $3 }')")
    ldd "$1" | awk -v folder="$folder/" 'index($3, folder) == 1 { print $3 }'
}

libraries=$prefix/lib/shelflist
new_folder "$libraries"
find "$deps/openvino/lib" -type f -exec cp {} "$libraries.new/" \;
program=$prefix/bin/shelflist
cp "$built" "$program.new"
if [ "$(uname -s)" = Linux ]; then
    # Many machines have no Swift runtime, or another version.
    swift_runtime_of "$built" | xargs -I{} cp {} "$libraries.new/"
    # Removes symbols, which are half of the size, and the paths of this checkout and of this Swift.
    strip "$program.new"
    patchelf --set-rpath '$ORIGIN/../lib/shelflist' "$program.new" ||
        fail "patchelf could not set the library path." "run 'make setup', which installs it."
fi

resources=$prefix/share/shelflist
new_folder "$resources"
cp -R "$deps/models" "$deps/fonts" "$resources.new/"
cp "$root/docs/api/openapi.json" "$root/Data/starter.csv.gz" "$resources.new/"
"$root/Scripts/install/build_json.sh"
cp "$root/.build/release/build.json" "$resources.new/"
[ ! -f "$root/Web/index.html" ] || cp -R "$root/Web" "$resources.new/web"
mkdir "$resources.new/licenses"
cp "$root/LICENSE" "$resources.new/licenses/shelflist"
[ ! -d "$deps/openvino/licenses" ] || cp -R "$deps/openvino/licenses" "$resources.new/licenses/openvino"

replace "$libraries"
replace "$resources"
mv "$program.new" "$program"
printf 'Installed %s (%s with libraries and models).\n' \
    "$program" "$(du -shc "$program" "$libraries" "$resources" | awk 'END { print $1 }')" >&2
