#!/usr/bin/env bash
# Runs the checks that need no build: format, imports, documents, phrases, scripts, web app. Reports all failures.
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
    local scripts script status=0
    scripts=$(python3 Scripts/project_files.py '*.sh' .ci/run) || return
    [ -n "$scripts" ] || return
    for script in $scripts; do
        bash -n "$script" || status=1
    done
    return $status
}

python_syntax() {
    python3 Scripts/project_files.py '*.py' | xargs -d '\n' python3 -c '
import ast, sys
for path in sys.argv[1:]:
    ast.parse(open(path, encoding="utf-8").read(), path)'
}

# The views of the sample app, of which Linux compiles only what does not need Apple's frameworks.
sample_app() {
    local file status=0
    while read -r file; do
        swiftc -frontend -parse "$file" || status=1
        [ "$(wc -l <"$file")" -lt 150 ] || {
            echo "$file has 150 lines or more: views are short, and logic is in ShelfScannerCore." >&2
            status=1
        }
    done < <(python3 Scripts/project_files.py 'Examples/Apple/*.swift')
    return $status
}

check "the format (fix it with: make format)" \
    swift format lint --strict --parallel --recursive Package.swift Sources Tests Tools Examples/Apple
check "the sample app for iOS" sample_app
check "the test of the import check" python3 Scripts/check_imports.py --self-test
check "the import check" python3 Scripts/check_imports.py
check "the test of the client library's check" python3 Scripts/check_client.py --self-test
check "the client library's public API and dependencies" python3 Scripts/check_client.py
check "the test of the examples' check" python3 Scripts/check_examples.py --self-test
check "the examples of the client library" python3 Scripts/check_examples.py
check "the test of the architecture check" python3 Scripts/check_architecture.py --self-test
check "docs/architecture.md" python3 Scripts/check_architecture.py
check "the test of the check of the reading code" python3 Scripts/check_reading.py --self-test
check "the fingerprint of the reading code" python3 Scripts/check_reading.py
check "the example of README.md" Scripts/site/example.py --check
check "the test of the benchmarks' score" python3 Benchmarks/scoring.py --self-test
check "the test of the phrase check" python3 Scripts/check_phrases.py --self-test
check "plain English (Scripts/phrases.txt)" python3 Scripts/check_phrases.py
check "the test of the check of waits" python3 Scripts/check_waits.py --self-test
check "waits for real time in tests" python3 Scripts/check_waits.py
check "the test of the check of conversions" python3 Scripts/check_conversions.py --self-test
check "conversions and ranges that may end the process" python3 Scripts/check_conversions.py
check "the test of the check of escaping" python3 Scripts/check_escaping.py --self-test
check "texts from outside that are not escaped in one place" python3 Scripts/check_escaping.py
check "the reader of barcodes (Scripts/barcode/build.sh)" sha256sum --check --quiet Scripts/barcode/zxing.wasm.sha256
check "the test of the list of files" python3 Scripts/project_files.py --self-test
check "the test of what counts as touched" bash Scripts/touched.sh --self-test
check "the syntax of shell scripts" shell_syntax
check "the syntax of Python scripts" python_syntax
if [ -n "${CI:-}" ] || command -v ruby >/dev/null; then
    check "the syntax of the Homebrew formula" sh -c 'ruby -c contrib/homebrew/shelflist.rb >/dev/null'
fi
check "the web app's check (fix the format with: Scripts/web/format.sh)" Scripts/web/lint.sh
exit $failed
