#!/usr/bin/env python3
"""Checks docs/architecture.md: every module of Scripts/check_imports.py is described once, every file that is named
exists, and the diagram matches the table. Checks also that no actor has more than six stored variables.

usage: check_architecture.py [--write | --self-test]     --write updates the diagram
"""
import pathlib
import re
import sys

import check_imports

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/architecture.md"
DIAGRAM = re.compile(r"(<!-- diagram: [^\n]*-->\n).*?(<!-- end of diagram -->)", re.DOTALL)
ROW = re.compile(r"^\| `([\w-]+)` \|", re.MULTILINE)
ACTOR = re.compile(r"^( *)(?:\w+ )*actor (\w+)")
VARIABLE = re.compile(r"(?:@\w+ )?(?:\w+(?:\(\w+\))? )*var ([^=:]+)")
STATE_LIMIT = 6
FILE = re.compile(r"`((?:Sources|Scripts|Tests|Tools|Web|docs)/[\w./+-]*)`")


def reduced(arrows):
    """The arrows between our own modules, without those that follow from others."""
    own = {name: {other for other in others if other in arrows} for name, others in arrows.items()}

    def reach(name):
        return own[name].union(*(reach(other) for other in own[name]))

    return {
        name: sorted(other for other in others if not any(other in reach(via) for via in others - {other}))
        for name, others in own.items()}


def diagram(arrows):
    lines = [f"    {name} --> {other}" for name, others in reduced(arrows).items() for other in others]
    return "\n".join(["```mermaid", "graph TD", *sorted(lines), "```", ""])


def updated(text, arrows):
    return DIAGRAM.sub(lambda match: match[1] + diagram(arrows) + match[2], text)


def problems(text, arrows, exists):
    """Yields a sentence for each difference between the document and the code."""
    described = ROW.findall(text)
    for name in sorted(arrows):
        if described.count(name) != 1:
            yield f"docs/architecture.md: the table describes the module {name} {described.count(name)} times, not once."
    for name in sorted(set(described) - arrows.keys()):
        yield f"docs/architecture.md: the module {name} does not exist. Remove its row."
    for path in FILE.findall(text):
        if not exists(path):
            yield f"docs/architecture.md: {path} does not exist. Correct the path."
    if not DIAGRAM.search(text):
        yield "docs/architecture.md: the markers of the diagram are missing."
    elif updated(text, arrows) != text:
        yield "docs/architecture.md: the diagram is out of date. Run: python3 Scripts/check_architecture.py --write"


def actors(source):
    """Yields (line number, name, number of stored variables) of each actor; what never changes is not a state."""
    lines = source.split("\n")
    for number, line in enumerate(lines):
        if not (actor := ACTOR.match(line)):
            continue
        indent, count = len(actor[1]), 0
        for index in range(number + 1, len(lines)):
            text = lines[index].strip()
            depth = len(lines[index]) - len(lines[index].lstrip())
            if text and depth <= indent:
                break
            variable = VARIABLE.match(text)
            if not variable or depth != indent + 4 or " static " in f" {text}":
                continue
            body = "{" in text.split("=")[0]
            observed = index + 1 < len(lines) and lines[index + 1].strip().startswith(("didSet", "willSet"))
            if not body or observed or "didSet" in text:
                count += variable[1].count(",") + 1 if variable[1].startswith("(") else 1
        yield number + 1, actor[2], count


def large_actors(file, source):
    for line, name, count in actors(source):
        if count > STATE_LIMIT:
            yield (f"{file}:{line}: the actor {name} has {count} stored variables; the limit is {STATE_LIMIT}. Group those "
                   "that belong together into a value, or give a part of its work to another type.")


def self_test():
    arrows = {"A": {"B", "C", "Other"}, "B": {"C"}, "C": set()}
    assert reduced(arrows) == {"A": ["B"], "B": ["C"], "C": []}, reduced(arrows)
    page = updated(
        "| `A` | x |\n| `B` | x |\n| `C` | `Sources/A` |\n<!-- diagram: here -->\n<!-- end of diagram -->\n", arrows)
    assert "A --> B" in page and "A --> C" not in page, page

    def found(text, exists=True):
        return len(list(problems(text, arrows, lambda _: exists)))

    assert found(page) == 0, list(problems(page, arrows, lambda _: True))
    assert found(page, exists=False) == 1
    assert found(page.replace("| `B` | x |\n", "")) == 1
    assert found(page + "| `B` | x |\n") == 1
    assert found(page + "| `D` | x |\n") == 1
    assert found(page.replace("A --> B", "A --> C")) == 1
    assert found(page.replace("end of diagram", "")) == 1
    source = ("package actor A {\n    let a: Int\n    private(set) var b = 1 == 1\n    static var c = 1\n    var d: Int {\n"
              "        var e = 1\n    }\n    private var f: Int { b }\n    var g: Int = 0 {\n        didSet {}\n    }\n"
              "    var (h, i) = (1, 2)\n    var j: [Int] = [].map { $0 }\n}\nstruct B {\n    var k = 0\n}\n")
    assert list(actors(source)) == [(1, "A", 5)], list(actors(source))
    assert not list(large_actors("A.swift", source))
    assert len(list(large_actors("A.swift", source.replace("static var", "var").replace("let a", "var a")))) == 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    text = PAGE.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(updated(text, check_imports.ARROWS), encoding="utf-8")
        return
    found = list(problems(text, check_imports.ARROWS, lambda path: (ROOT / path).exists()))
    for folder in ["Sources", "Tools"]:
        for file in sorted((ROOT / folder).rglob("*.swift")):
            found += large_actors(file.relative_to(ROOT), file.read_text(encoding="utf-8"))
    for line in found:
        print(line, file=sys.stderr)
    if found:
        sys.exit(1)


if __name__ == "__main__":
    main()
