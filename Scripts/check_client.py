#!/usr/bin/env python3
"""Checks the public API of ShelflistClient and what it depends on.

usage: check_client.py [--self-test]

Checks that the module has at most 150 public symbols, that each has a doc comment, and that neither a C target of this
package nor GRDB is reachable from it. Prints the counts.
"""
import json
import pathlib
import re
import subprocess
import sys

LIMIT = 150
DECLARATION = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?:(?:static|final|mutating|nonisolated|internal\(set\)|private\(set\))\s+)*"
    r"(func|var|let|init|struct|class|enum|actor|protocol|typealias|subscript)\b[ ]?(\S*)")
CASE = re.compile(r"^\s*case\s+\.?(\w+)")


def symbols(source):
    """Yields (line, name, whether it has a doc comment) of each public declaration and each case of a public enum."""
    lines = source.split("\n")
    enums = []  # the indentation of the public enums around the line
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        while enums and line.strip() and indent <= enums[-1]:
            enums.pop()
        above = number - 1
        while above >= 0 and lines[above].strip().startswith("@"):
            above -= 1
        documented = above >= 0 and lines[above].strip().startswith("///")
        if match := DECLARATION.match(line):
            yield number + 1, f"{match[1]} {match[2]}".strip(), documented
            if match[1] == "enum":
                enums.append(indent)
        elif enums and indent == enums[-1] + 4 and (match := CASE.match(line)):
            yield number + 1, f"case {match[1]}", documented


def reachable(package, start):
    """The names of the targets and products that a target depends on, with those below them."""
    targets = {target["name"]: target for target in package["targets"]}
    reached, ahead = set(), [start]
    while ahead:
        name = ahead.pop()
        if name in reached:
            continue
        reached.add(name)
        for entry in targets.get(name, {}).get("dependencies", []):
            ahead.append(next(iter(entry.values()))[0])
    return reached - {start}


def forbidden(package, names, is_swift):
    """The names that an app must not need: targets of ours without Swift, and GRDB."""
    ours = {target["name"] for target in package["targets"]}
    return sorted(name for name in names if name.startswith("GRDB") or name in ours and not is_swift(name))


def self_test():
    """Tests that the check can fail."""
    source = ("/// A.\n@available(*, deprecated)\npublic struct A {\n    public var b: Int\n    var c: Int\n}\n"
              "/// E.\npublic enum E {\n    /// One.\n    case one\n    case two\n    func f() {\n        switch self {\n"
              "        case .one: break\n        }\n    }\n}\n")
    assert [(name, known) for _, name, known in symbols(source)] == [
        ("struct A", True), ("var b:", False), ("enum E", True), ("case one", True), ("case two", False)], list(
            symbols(source))
    package = {"targets": [
        {"name": "A", "dependencies": [{"byName": ["B", None]}]},
        {"name": "B", "dependencies": [{"byName": ["CZ", None]}, {"product": ["GRDB", "GRDB.swift", None, None]}]},
        {"name": "CZ", "dependencies": []}]}
    assert reachable(package, "A") == {"B", "CZ", "GRDB"}
    assert forbidden(package, {"B", "CZ", "GRDB", "NIOCore"}, lambda name: name != "CZ") == ["CZ", "GRDB"]


def count(folder):
    return sum(1 for file in folder.rglob("*.swift") for _ in symbols(file.read_text(encoding="utf-8")))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(__file__).resolve().parent.parent
    errors, number = [], 0
    for file in sorted((root / "Sources/ShelflistClient").rglob("*.swift")):
        for line, name, documented in symbols(file.read_text(encoding="utf-8")):
            number += 1
            if not documented:
                errors.append(f"{file.relative_to(root)}:{line}: '{name}' has no doc comment.")
    if number > LIMIT:
        errors.append(f"ShelflistClient has {number} public symbols; the limit is {LIMIT}.")
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=root, check=True, stdout=subprocess.PIPE).stdout
    package = json.loads(dump)
    names = reachable(package, "ShelflistClient")

    def is_swift(name):
        return any((root / "Sources" / name).rglob("*.swift"))

    for name in forbidden(package, names, is_swift):
        errors.append(f"ShelflistClient may not depend on {name}: apps build it without C libraries and databases.")
    for line in errors:
        print(line, file=sys.stderr)
    if errors:
        sys.exit(1)
    wire = count(root / "Sources/ShelflistAPI")
    print(f"ShelflistClient: {number} public symbols of at most {LIMIT}, and {wire} of its messages (ShelflistAPI).")


if __name__ == "__main__":
    main()
