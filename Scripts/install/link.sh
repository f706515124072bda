#!/usr/bin/env bash
# Links the objects of the built program with Swift's static runtime, because many machines have no Swift runtime, or
# another version. Compiles nothing, and leaves .build/release/shelflist as it is.
#   Scripts/install/link.sh PROGRAM [OPTION...]    further options of swiftc
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$1
shift
objects=$(cd "$root/.build/release" && pwd -P)/shelflist.product/Objects.LinkFileList
libraries=(openvino heif freetype jpeg png webp webpdemux z)
# swiftc adds these only where it compiles, too.
runtime=(CoreFoundation _FoundationCShims _FoundationCollections _FoundationICU stdc++ pthread dl m)
swiftc -static-stdlib -emit-executable -module-name shelflist -o "$program" \
    -Xlinker --gc-sections -Xlinker --defsym -Xlinker main=shelflist_main -Xlinker -rpath -Xlinker '$ORIGIN/../lib/shelflist' \
    "@$objects" -L "$root/.deps/openvino/lib" "${libraries[@]/#/-l}" "$@" "${runtime[@]/#/-l}"
