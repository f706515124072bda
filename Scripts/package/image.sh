#!/usr/bin/env bash
# Builds the container image without Docker or a registry: the last stage of the Dockerfile on a minimal Debian of
# debootstrap, with the package that Scripts/package/deb.sh has built. Needs root.
#   Scripts/package/image.sh [FILE]    FILE: the archive to write (dist/shelflist_VERSION_ARCH.tar), for docker load
set -euo pipefail
cd "$(dirname "$0")/../.."
export BUILDAH_ISOLATION=chroot SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}

fail() {
    printf 'image: %s\n  Fix: %s\n' "$1" "$2" >&2
    exit 1
}
[ "$(id -u)" -eq 0 ] || fail "It needs root." "run it as root, or build the Dockerfile with Docker."
for tool in buildah debootstrap; do
    command -v "$tool" >/dev/null || fail "$tool is not installed." "run Scripts/setup/setup.sh all, or apt-get install $tool."
done
packages=(dist/shelflist_*_"$(dpkg --print-architecture)".deb)
[ ${#packages[@]} -eq 1 ] && [ -f "${packages[0]}" ] ||
    fail "dist has no package, or several." "remove the old ones, then run 'make deb'."
name=$(basename "${packages[0]}" .deb)
archive=${1:-dist/$name.tar}

work=$PWD/.build/package/image
rm -rf "$work"
mkdir -p "$work/context/package"
cp "${packages[0]}" "$work/context/package/shelflist.deb"
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
build() { buildah "${store[@]}" "$@"; }

# Like debian:bookworm-slim: without documents but the licences, and without translations.
python3 Scripts/package/debian_root.py "$work/base"
container=$(build from scratch)
build add --quiet "$container" "$work/base" / >/dev/null
build config --cmd bash --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
build commit --quiet --rm "$container" shelflist-base >/dev/null
rm -rf "$work/base"
build bud --quiet --format docker --squash --timestamp "$SOURCE_DATE_EPOCH" --target image \
    --build-arg BASE=localhost/shelflist-base --build-context build="$work/context" --tag shelflist . >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    fail "The image could not be built (the whole log: $work/log)." "see the last lines above."
}
rm -f "$archive"
build push --quiet shelflist "docker-archive:$archive:shelflist:latest" >/dev/null
rm -rf "$work"
printf 'Built %s: %s.\n' "$archive" "$(du -h --apparent-size "$archive" | cut -f1)" >&2
