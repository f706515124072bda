#!/usr/bin/env bash
# Installs the built program into PREFIX (and below DESTDIR, for packagers):
#   bin/shelflist
#   lib/shelflist/     OpenVINO
#   share/shelflist/   version and commit, models, fonts, web app, API description, licences, bill of materials
#   share/             man pages, completions for bash, zsh and fish
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
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
umask 022
mkdir -p "$prefix"/{bin,lib,share} 2>/dev/null ||
    fail "$prefix cannot be written to." "use your own folder (make install PREFIX=~/shelflist), or run this as root."
prefix=$(cd "$prefix" && pwd)

# Each folder is built beside the old one and replaces it when it is complete.
new_folder() { rm -rf "$1.new" && mkdir -p "$1.new"; }
replace() { rm -rf "$1" && mv "$1.new" "$1"; }

libraries=$prefix/lib/shelflist
new_folder "$libraries"
find "$deps/openvino/lib" -type f -exec cp {} "$libraries.new/" \;
program=$prefix/bin/shelflist
if [ "$(uname -s)" = Linux ]; then
    log=$root/.build/link.log
    # Swift's own linker takes half of the time.
    "$root/Scripts/install/link.sh" "$program.new" -use-ld=lld >"$log" 2>&1 || {
        tail -n 5 "$log" >&2
        fail "The program could not be linked (the whole log: $log)." "run 'make build', then this again."
    }
    # Removes symbols, which are half of the size. The other two differ between builds of one commit: the compiler's hashes
    # of its objects, and the linker's hash of these.
    strip --remove-section=.swift_modhash --remove-section=.note.gnu.build-id "$program.new"
else
    cp "$built" "$program.new"
fi

resources=$prefix/share/shelflist
new_folder "$resources"
cp -R "$deps/models" "$deps/fonts" "$resources.new/"
rm -rf "$resources.new/models/licenses" # which are written below, with all others
cp "$root/docs/api/openapi.json" "$root/Data/starter.csv.gz" "$resources.new/"
"$root/Scripts/install/build_json.sh"
cp "$root/.build/release/build.json" "$resources.new/"
[ ! -f "$root/Web/index.html" ] || cp -R "$root/Web" "$resources.new/web"

replace "$libraries"
replace "$resources"
mv "$program.new" "$program"

# From the program's own help.
version=$("$program" --version | awk '{ print $2 }')
mkdir -p "$prefix"/share/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
"$program" --experimental-dump-help |
    python3 "$root/Scripts/package/man.py" "$prefix/share/man/man1" "$version" "$SOURCE_DATE_EPOCH"
gzip -9nf "$prefix"/share/man/man1/shelflist*.1
"$program" --generate-completion-script bash >"$prefix/share/bash-completion/completions/shelflist"
"$program" --generate-completion-script zsh >"$prefix/share/zsh/site-functions/_shelflist"
"$program" --generate-completion-script fish >"$prefix/share/fish/vendor_completions.d/shelflist.fish"
if [ "$(uname -s)" = Linux ]; then
    python3 "$root/Scripts/package/bom.py" "$prefix" "$version" "$SOURCE_DATE_EPOCH"
else
    mkdir "$resources/licenses"
    cp "$root/LICENSE" "$resources/licenses/shelflist"
    cp -R "$deps/openvino/licenses" "$resources/licenses/openvino"
    cp -R "$deps/models/licenses" "$resources/licenses/rapidocr-models"
    for model in detection-int8 detection-tiny recognition-latin-int8 recognition-tiny; do
        cp -R "$deps/models/licenses" "$resources/licenses/$model"
        cp "$root/Data/models/NOTICE" "$resources/licenses/$model/"
    done
fi
printf 'Installed %s (%s with libraries and models).\n' \
    "$program" "$(du -shc "$program" "$libraries" "$resources" | awk 'END { print $1 }')" >&2
