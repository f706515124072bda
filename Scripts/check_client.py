#!/usr/bin/env python3
"""Checks the public API of ShelflistClient and what it depends on.

usage: check_client.py [--self-test | --symbols FILE]

Checks that the module has at most 190 public symbols, that each has a doc comment, and that neither a C target of this
package nor GRDB is reachable from it or from the other modules for apps. Prints the counts.

With --symbols, reads the symbols as the compiler sees them from a symbol graph, which needs a build
(Scripts/site/swift_reference.sh), and checks nothing else.
"""
import json
import pathlib
import re
import subprocess
import sys

LIMIT = 190
# The modules for apps.
MODULES = ["ShelflistClient", "ShelflistModels", "ShelflistClientTesting"]
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


def graph_symbols(graph):
    """Yields (name, whether it has a doc comment) of each symbol of a symbol graph.

    Members that the compiler adds, such as `init(rawValue:)`, have no location and do not count.
    """
    for symbol in graph["symbols"]:
        if "location" in symbol:
            yield ".".join(symbol["pathComponents"]), "docComment" in symbol


def report(errors, number):
    """Prints the errors, also if there are too many symbols or none, and ends the process if there are some."""
    if number == 0:
        errors.append("No public symbols of ShelflistClient were found.")
    if number > LIMIT:
        errors.append(f"ShelflistClient has {number} public symbols; the limit is {LIMIT}.")
    for line in errors:
        print(line, file=sys.stderr)
    if errors:
        sys.exit(1)


def check_graph(path):
    found = list(graph_symbols(json.loads(pathlib.Path(path).read_text(encoding="utf-8"))))
    report([f"{name} has no doc comment." for name, documented in found if not documented], len(found))
    print(f"ShelflistClient: {len(found)} public symbols of at most {LIMIT}, all documented.")


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
    graph = {"symbols": [{"pathComponents": ["A", "b"], "docComment": {"lines": []}, "location": {}},
                         {"pathComponents": ["C"], "location": {}}, {"pathComponents": ["C", "init"]}]}
    assert list(graph_symbols(graph)) == [("A.b", True), ("C", False)]
    assert forbidden(package, {"B", "CZ", "GRDB", "NIOCore"}, lambda name: name != "CZ") == ["CZ", "GRDB"]


def count(folder):
    return sum(1 for file in folder.rglob("*.swift") for _ in symbols(file.read_text(encoding="utf-8")))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:2] == ["--symbols"]:
        return check_graph(sys.argv[2])
    root = pathlib.Path(__file__).resolve().parent.parent
    errors, number = [], 0
    for file in sorted((root / "Sources/ShelflistClient").rglob("*.swift")):
        for line, name, documented in symbols(file.read_text(encoding="utf-8")):
            number += 1
            if not documented:
                errors.append(f"{file.relative_to(root)}:{line}: '{name}' has no doc comment.")
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=root, check=True, stdout=subprocess.PIPE).stdout
    package = json.loads(dump)

    def is_swift(name):
        return any((root / "Sources" / name).rglob("*.swift"))

    for module in MODULES:
        for name in forbidden(package, reachable(package, module), is_swift):
            errors.append(f"{module} may not depend on {name}: apps build it without C libraries and databases.")
    report(errors, number)
    wire = count(root / "Sources/ShelflistAPI")
    print(f"ShelflistClient: {number} public symbols of at most {LIMIT}, and {wire} of its messages (ShelflistAPI).")


if __name__ == "__main__":
    main()
