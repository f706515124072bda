#!/usr/bin/env bash
# Writes .build/release/build.json, which names the version and the commit of the program that was just built.
# The commit is SHELFLIST_COMMIT, else that of the source archive (git archive), else that of the checkout.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n 's/.*static let currentVersion = "\([^"]*\)".*/\1/p' Sources/shelflist/Shelflist.swift)
commit=${SHELFLIST_COMMIT:-$(cat Scripts/install/commit)}
case $commit in
*Format*)
    commit=$(git rev-parse HEAD 2>/dev/null || true)
    commit=${commit:0:12}
    [ -z "$commit" ] || git diff --quiet HEAD -- 2>/dev/null || commit+=+changes
    ;;
*) commit=${commit:0:12} ;;
esac
[[ $commit =~ ^[0-9a-f]{12}(\+changes)?$ ]] && commit=\"$commit\" || commit=null
printf '{"commit": %s, "version": "%s"}\n' "$commit" "$version" >.build/release/build.json
