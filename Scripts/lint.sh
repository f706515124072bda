#!/usr/bin/env bash
# Checks what can be checked without building: format, imports, the syntax of the scripts. Reports all, then fails.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0

check() {
    local name=$1
    shift
    "$@" || {
        echo "lint: $name failed" >&2
        failed=1
    }
}

shell_syntax() {
    local script status=0
    while read -r script; do
        bash -n "$script" || status=1
    done < <(git ls-files '*.sh' .ci/run)
    return $status
}

python_syntax() {
    git ls-files -z '*.py' | xargs -0 python3 -c '
import ast, sys
for path in sys.argv[1:]:
    ast.parse(open(path, encoding="utf-8").read(), path)'
}

check "the format (mend it with: make format)" \
    swift format lint --strict --parallel --recursive Package.swift Sources Tests
check "the import check's own test" python3 Scripts/check_imports.py --self-test
check "the import check" python3 Scripts/check_imports.py
check "the test of the architecture check" python3 Scripts/check_architecture.py --self-test
check "docs/architecture.md" python3 Scripts/check_architecture.py
check "a shell script's syntax" shell_syntax
check "a Python script's syntax" python_syntax
check "the web app's check (mend the format with: Scripts/web/format.sh)" Scripts/web/lint.sh
exit $failed
