#!/usr/bin/env bash
# Builds dist/shelflist_VERSION_linux-MACHINE.tar.gz from the built program: a folder that runs on Linux with glibc 2.31
# or newer and needs no other library. Needs root, for the packages of Debian 11 that it is linked with.
#   Scripts/package/tarball.sh
# SHELFLIST_PACKAGE_TREE names an installed tree (PREFIX=/usr) to take instead of installing again.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
umask 022
work=$root/.build/package
portable=$root/.deps/portable
tree=${SHELFLIST_PACKAGE_TREE:-}
if [ -z "$tree" ]; then
    tree=$work/tree
    rm -rf "$tree"
    DESTDIR=$tree PREFIX=/usr "$root/Scripts/install/install.sh"
fi
(cd "$root" && unshare --mount --propagation private python3 Scripts/package/portable.py)

version=$("$tree/usr/bin/shelflist" --version | awk '{ print $2 }')
name=shelflist_${version}_linux-$(uname -m)
stage=$work/tarball
rm -rf "$stage"
mkdir -p "$stage" "$root/dist"
folder=$stage/$name
cp -a "$tree/usr" "$folder"

# Links the same objects again: with glibc 2.31, and with the libraries in it that a machine may not have.
program=$folder/bin/shelflist
"$root/Scripts/install/link.sh" "$program" -Xclang-linker "--sysroot=$portable/sysroot" "$portable/lib/portable.o" \
    -L "$portable/lib" -lde265 -lbrotlidec -lbrotlicommon -Xlinker -rpath-link -Xlinker "$portable/lib" \
    >"$work/link.log" 2>&1 || {
    grep error "$work/link.log" >&2
    echo "tarball: the program could not be linked (the whole log: $work/link.log)." >&2
    exit 1
}
cp "$portable"/lib/lib*.so.* "$folder/lib/shelflist/"
strip --remove-section=.swift_modhash --remove-section=.note.gnu.build-id "$program" # as install.sh does
strip --strip-unneeded "$folder"/lib/shelflist/*
for file in "$folder"/lib/shelflist/*; do
    # Libraries look for each other beside themselves.
    case $(basename "$file") in libheif* | libde265* | libqrencode*) patchelf --set-rpath '$ORIGIN' "$file" ;; esac
done
newest=$(objdump -T "$program" "$folder"/lib/shelflist/* | grep -F '*UND*' | grep -oE 'GLIBC_[0-9.]+' | sort -Vu | tail -1)
[ "$(printf '%s\n' GLIBC_2.31 "$newest" | sort -V | tail -1)" = GLIBC_2.31 ] || {
    echo "tarball: it needs $newest, which is newer than 2.31." >&2
    exit 1
}
mapfile -t packages <"$portable/packages"
python3 "$root/Scripts/package/bom.py" "$folder" "$version" "$SOURCE_DATE_EPOCH" "${packages[@]}"

install -D -m 0644 "$root/contrib/shelflist.service" "$folder/share/shelflist/shelflist.service"
cat >"$folder/README" <<END
Shelflist $version for Linux ($(uname -m)), glibc 2.31 or newer

Nothing has to be installed, and the folder can be moved:
  bin/shelflist doctor               checks that everything is there
  bin/shelflist scan photo.jpg       prints the books of a photo
  bin/shelflist serve                starts the web app at http://localhost:8080

For all users: copy the folder to /opt/shelflist, and link the program:
  ln -s /opt/shelflist/bin/shelflist /usr/local/bin/shelflist
share/shelflist/shelflist.service is a systemd unit; its user shelflist has to exist.

Removing the folder removes the program. Books and photos are in ~/.local/share/shelflist.
share/shelflist/licenses has the licences, share/shelflist/sbom.spdx.json lists everything that is included.
END
archive=$root/dist/$name.tar.gz
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w --mtime="@$SOURCE_DATE_EPOCH" \
    -C "$stage" -cf - "$name" | gzip -6n >"$archive"
printf 'Built %s: %s, unpacked %s, needs %s.\n' "$archive" "$(du -h --apparent-size "$archive" | cut -f1)" \
    "$(du -sh --apparent-size "$folder" | cut -f1)" "$newest" >&2
