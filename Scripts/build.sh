#!/usr/bin/env bash
# Builds a product in the one configuration of this checkout (docs/decisions/0005-one-build-configuration.md): other options
# would compile everything again. Packages have no debugging information, without which compiling is quicker, and modules are
# not made apart from their code, which would check all types twice.
#
# usage: Scripts/build.sh PRODUCT [OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."
# The order of some options follows that of sets; another order would compile a package again.
export SWIFT_DETERMINISTIC_HASHING=1
exec swift build -c release -debug-info-format none -Xswiftc -no-emit-module-separately-wmo \
    --only-use-versions-from-resolved-file --product "$@" >&2
