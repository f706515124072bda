#!/usr/bin/env python3
"""Checks that the Swift examples of the documents are those that are compiled.

usage: check_examples.py [--self-test]

Each block of Swift in the documents and doc comments of the modules for apps has to be in a file of examples, apart from
indentation. Of a block with SwiftUI, which does not exist on Linux, only the functions are looked for.
"""
import pathlib
import re
import sys

EXAMPLES = "Tests/ShelflistModelsTests/*Examples.swift"
MODULES = ["ShelflistClient", "ShelflistModels", "ShelflistClientTesting"]
DOCUMENTS = ["docs/client.md", "docs/client-models.md"]
BLOCK = re.compile(r"```swift\n(.*?)```", re.S)
FUNCTION = re.compile(r"^ {4}(?:private )?func .*?^ {4}\}$", re.S | re.M)


def plain(text):
    """The lines without indentation and without empty ones; swift-format writes two spaces in 'catch  where'."""
    return [re.sub(" +", " ", line.strip()) for line in text.split("\n") if line.strip()]


def doc_comments(source):
    """The text of the doc comments of Swift code, with empty lines between them."""
    lines = (line.strip() for line in source.split("\n"))
    return "\n".join(line[3:].removeprefix(" ") if line.startswith("///") else "" for line in lines)


def parts(block):
    """The parts of a block that can be compiled on Linux, each as its lines."""
    if "View" in block or "List {" in block:
        return [plain(function) for function in FUNCTION.findall(block)]
    if block.startswith(".package("):
        return []
    return [[line for line in plain(block) if not line.startswith("import ")]]


def contains(lines, part):
    return any(lines[start:start + len(part)] == part for start in range(len(lines) - len(part) + 1))


def self_test():
    """Tests that the check can fail."""
    source = "/// Adds.\n///\n/// ```swift\n/// let a = add(1)\n/// print(a)\n/// ```\nfunc add() {}\n"
    block = BLOCK.findall(doc_comments(source))
    assert block == ["let a = add(1)\nprint(a)\n"], block
    assert contains(plain("func f() {\n    let a = add(1)\n\n    print(a)\n}"), parts(block[0])[0])
    assert not contains(plain("let a = add(2)\nprint(a)"), parts(block[0])[0])
    view = "struct V: View {\n    var body: some View { Text(\"\") }\n    private func f() {\n        g()\n    }\n}\n"
    assert parts(view) == [["private func f() {", "g()", "}"]], parts(view)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(__file__).resolve().parent.parent
    files = [root / name for name in DOCUMENTS]
    for module in MODULES:
        files += [file for file in sorted((root / "Sources" / module).rglob("*")) if file.suffix in (".swift", ".md")]
    lines = plain("\n".join(file.read_text(encoding="utf-8") for file in sorted(root.glob(EXAMPLES))))
    count, errors = 0, []
    for file in files:
        text = file.read_text(encoding="utf-8")
        for block in BLOCK.findall(doc_comments(text) if file.suffix == ".swift" else text):
            for part in parts(block):
                count += 1
                if not contains(lines, part):
                    errors.append(f"{file.relative_to(root)}: the example '{part[0]}' is not in {EXAMPLES}.")
    for line in errors:
        print(line, file=sys.stderr)
    if errors or count == 0:
        sys.exit(1)
    print(f"{count} Swift examples are compiled.")


if __name__ == "__main__":
    main()
