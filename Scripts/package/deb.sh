#!/usr/bin/env bash
# Builds dist/shelflist_VERSION_ARCH.deb from the built program.
#   Scripts/package/deb.sh
# SHELFLIST_PACKAGE_VERSION gives another version, with which the tests upgrade. SHELFLIST_PACKAGE_TREE names an
# installed tree (PREFIX=/usr) to take instead of installing again.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/Scripts/package/debian
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
umask 022
work=$root/.build/package
stage=$work/deb
rm -rf "$stage"
mkdir -p "$stage/DEBIAN" "$root/dist"
tree=${SHELFLIST_PACKAGE_TREE:-}
if [ -z "$tree" ]; then
    tree=$work/tree
    rm -rf "$tree"
    DESTDIR=$tree PREFIX=/usr "$root/Scripts/install/install.sh"
fi
cp -a "$tree/usr" "$stage/usr"
version=${SHELFLIST_PACKAGE_VERSION:-$("$stage/usr/bin/shelflist" --version | awk '{ print $2 }')}
architecture=$(dpkg --print-architecture)

share=$stage/usr/share
mkdir -p "$share/zsh/vendor-completions"
sed -i '1{/^#!/d}' "$share/bash-completion/completions/shelflist" # is sourced, not run
mv "$share/zsh/site-functions/_shelflist" "$share/zsh/vendor-completions/"
rmdir "$share/zsh/site-functions"
# Upstream's symbols for debugging are not of use here, and double the size of some libraries.
strip --strip-unneeded "$stage"/usr/lib/shelflist/*
install -D -m 0644 "$root/contrib/shelflist.service" "$stage/usr/lib/systemd/system/shelflist.service"
install -D -m 0640 "$here/shelflist.env" "$stage/etc/shelflist/shelflist.env"
install -D -m 0644 "$here/lintian-overrides" "$share/lintian/overrides/shelflist"

doc=$share/doc/shelflist
mkdir -p "$doc"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: shelflist
Source: https://github.com/shelflist/shelflist
Comment: The package contains libraries, models and data of others. /usr/share/shelflist/licenses has the licence of
 each, and /usr/share/shelflist/sbom.spdx.json lists them with version and source.

Files: *
Copyright: 2026 the Shelflist contributors
License: Apache-2.0
 On Debian systems, the Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0.
END
day=$(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%a, %d %b %Y %H:%M:%S +0000')
maintainer="Shelflist <shelflist@users.noreply.github.com>"
gzip -9n >"$doc/changelog.gz" <<END
shelflist ($version) unstable; urgency=medium

  * CHANGELOG.md in the sources lists the changes.

 -- $maintainer  $day
END

# The packages that have the libraries the binaries need.
facts=$work/facts
mkdir -p "$facts/debian"
printf 'Source: shelflist\n\nPackage: shelflist\nArchitecture: any\n' >"$facts/debian/control"
depends=$(cd "$facts" && dpkg-shlibdeps -O -l"$stage/usr/lib/shelflist" --ignore-missing-info \
    "$stage/usr/bin/shelflist" "$stage"/usr/lib/shelflist/* 2>"$facts/log" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || {
    cat "$facts/log" >&2
    exit 1
}

cat >"$stage/DEBIAN/control" <<END
Package: shelflist
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$stage" | cut -f1)
Depends: $depends, libpq5, adduser, ca-certificates, tzdata
Recommends: libtesseract5, tesseract-ocr-script-cyrl
Suggests: tesseract-ocr-ell, tesseract-ocr-kor, tesseract-ocr-heb, tesseract-ocr-ara, tesseract-ocr-tha, tesseract-ocr-hin
Section: graphics
Priority: optional
Homepage: https://github.com/shelflist/shelflist
Description: catalogue of the books on your shelves, from photos
 Shelflist reads photos of bookshelves and lists the books on them. It has a
 server with a web app, and a command line. Everything runs on this machine.
 .
 The package contains the models. Nothing is downloaded after installation.
END
echo /etc/shelflist/shelflist.env >"$stage/DEBIAN/conffiles"
for script in postinst prerm postrm; do install -m 0755 "$here/$script" "$stage/DEBIAN/$script"; done
(cd "$stage" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$stage/DEBIAN/md5sums"
chmod -R u+rwX,go+rX,go-w "$stage/usr"
find "$stage" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +

package=$root/dist/shelflist_${version}_$architecture.deb
# Level 1 takes a tenth of the time of 6. lintian of Debian 12 does not know zstd.
dpkg-deb --root-owner-group -Zxz -z1 --build "$stage" "$package" >/dev/null
printf 'Built %s: %s, installed %s.\n' "$package" "$(du -h --apparent-size "$package" | cut -f1)" \
    "$(du -sh --apparent-size --exclude=DEBIAN "$stage" | cut -f1)" >&2
