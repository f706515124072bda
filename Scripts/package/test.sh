#!/usr/bin/env bash
# Builds the Debian package twice and uses it in a minimal Debian. Checks its documents, bill of materials and unit. Then
# builds the container image from it and the tarball, and uses them.
set -euo pipefail
cd "$(dirname "$0")/../.."
tree=$PWD/.build/package/tree
step() { printf '  %s\n' "$*" >&2; }
fail() {
    echo "package test: $*" >&2
    exit 1
}

Scripts/setup/python_tools.sh Scripts/setup/wheels-sbom.txt .deps/sbom "spdx-tools (about 2 MB)"
step "build"
rm -f dist/shelflist_*.deb
Scripts/package/deb.sh
package=$(echo dist/shelflist_*.deb)
mv "$package" "$package.first"
step "build again from the same objects"
Scripts/package/deb.sh
cmp "$package" "$package.first" || fail "two builds of one commit differ"
rm "$package.first"

step "check the package"
[ "$(id -u)" -ne 0 ] || root_option=--allow-root
lintian ${root_option:-} --fail-on error "$package"
for page in "$tree"/usr/share/man/man1/*.gz; do
    problems=$(mandoc -Tlint -Wwarning "$page") || fail "$problems"
done
PYTHONPATH=.deps/sbom python3 Scripts/package/check_sbom.py "$tree/usr/share/shelflist/sbom.spdx.json"

step "install, use, upgrade, remove, purge"
SHELFLIST_PACKAGE_VERSION=0.0.9~test SHELFLIST_PACKAGE_TREE=$tree Scripts/package/deb.sh
previous=$(echo dist/shelflist_0.0.9~test_*.deb)
as_root=()
# The mounts of the test end with it.
[ "$(id -u)" -ne 0 ] || as_root=(unshare --mount --propagation private)
"${as_root[@]}" python3 Scripts/package/test_deb.py "$previous" "$package"
rm "$previous"

if [ "$(id -u)" -ne 0 ]; then
    echo "==> NOT tested: the container image and the tarball, because they need root"
    exit 0
fi
step "build the image"
Scripts/package/image.sh
step "use the image"
Scripts/setup/python_tools.sh Scripts/setup/wheels-site.txt .deps/site "the generator of the site (about 25 MB)"
PYTHONPATH=.deps/site:.deps/sbom "${as_root[@]}" python3 Scripts/package/test_image.py "${package%.deb}.tar" 400
step "build the tarball"
rm -f dist/shelflist_*.tar.gz
SHELFLIST_PACKAGE_TREE=$tree Scripts/package/tarball.sh
step "use the tarball"
PYTHONPATH=.deps/sbom "${as_root[@]}" python3 Scripts/package/test_tarball.py dist/shelflist_*.tar.gz
