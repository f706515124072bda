#!/usr/bin/env python3
"""Checks that the Swift examples of the documents are those that are compiled, and that each public name has one.

usage: check_examples.py [--self-test]

Each block of Swift in the documents and doc comments of the modules for apps has to be in a file of examples, apart from
indentation. Of a block with SwiftUI, which does not exist on Linux, only the functions are looked for.

Each public type of these modules has an example in its doc comment. Every other public name is used in an example in the
doc comments of its outermost type, its own or another one.
"""
import pathlib
import re
import sys

import check_client

EXAMPLES = "Tests/ShelflistModelsTests/*Examples.swift"
MODULES = check_client.MODULES
DOCUMENTS = ["docs/client.md", "docs/client-models.md"]
BLOCK = re.compile(r"```swift\n(.*?)```", re.S)
TYPE = re.compile(r"^\s*(?:@?\w+ )*(?:struct|class|enum|actor|protocol|extension) (\w+)")
ATTRIBUTES = re.compile(r"(?:@\w+(?:\([^)]*\))?\s*)+")
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


def declarations(source):
    """Yields (line number, line, the types around it from the outside and itself if it is one, doc comment)."""
    around, comment = [], []  # around: (indentation, name)
    for number, line in enumerate(source.split("\n"), 1):
        text = line.strip()
        if text.startswith("///"):
            comment.append(text[3:].removeprefix(" "))
        elif not text:
            comment = []
        elif not ATTRIBUTES.fullmatch(text):
            indent = len(line) - len(line.lstrip())
            while around and indent <= around[-1][0]:
                around.pop()
            if match := TYPE.match(line):
                around.append((indent, match[1]))
            yield number, line, [name for _, name in around], "\n".join(comment)
            comment = []


def compiled(comment):
    """The lines of a doc comment's examples that are compiled."""
    return "\n".join(line for block in BLOCK.findall(comment) for part in parts(block) for line in part)


def without_example(sources):
    """Returns the number of public names in the sources of a module, and (file, line, name) of those without an example.

    sources: the Swift code by file.
    """
    examples, names = {}, []
    for file, source in sources.items():
        public = {line: name for line, name, _ in check_client.symbols(source)}
        for number, _, around, comment in declarations(source):
            if around:
                examples[around[0]] = examples.get(around[0], "") + compiled(comment) + "\n"
            if number in public:
                names.append((file, number, public[number], around, compiled(comment)))

    def has_example(name, around, own):
        kind, _, identifier = name.partition(" ")
        if kind in ("struct", "class", "enum", "actor", "protocol", "typealias"):
            return own
        if kind.startswith("init"):
            return re.search(rf"\b{around[-1]}\(", examples[around[0]])
        word = re.match(r"\w+", identifier)[0]
        return re.search(rf"\.{word}\b|\b{word}:", examples[around[0]])

    return len(names), [(file, number, name) for file, number, name, *rest in names if not has_example(name, *rest)]


def self_test():
    """Tests that the check can fail."""
    source = "/// Adds.\n///\n/// ```swift\n/// let a = add(1)\n/// print(a)\n/// ```\nfunc add() {}\n"
    block = BLOCK.findall(doc_comments(source))
    assert block == ["let a = add(1)\nprint(a)\n"], block
    assert contains(plain("func f() {\n    let a = add(1)\n\n    print(a)\n}"), parts(block[0])[0])
    assert not contains(plain("let a = add(2)\nprint(a)"), parts(block[0])[0])
    view = "struct V: View {\n    var body: some View { Text(\"\") }\n    private func f() {\n        g()\n    }\n}\n"
    assert parts(view) == [["private func f() {", "g()", "}"]], parts(view)
    module = {
        "A.swift": "/// A.\n///\n/// ```swift\n/// let a = A(size: 1)\n/// ```\n@MainActor @Observable\npublic class A {\n"
                   "    public var size: Int\n    public init(size: Int) {}\n    public enum State {\n        case on\n"
                   "    }\n\n    /// Adds.\n    public func add() {}\n}\n",
        "A+B.swift": "extension A {\n    /// Ends.\n    ///\n    /// ```swift\n    /// a.end()\n    /// ```\n"
                     "    public func end() {}\n}\n"}
    assert without_example(module) == (
        7, [("A.swift", 10, "enum State"), ("A.swift", 11, "case on"), ("A.swift", 15, "func add()")]
    ), without_example(module)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(__file__).resolve().parent.parent
    files = [root / name for name in DOCUMENTS]
    for module in MODULES:
        files += [file for file in sorted((root / "Sources" / module).rglob("*")) if file.suffix in (".swift", ".md")]
    lines = plain("\n".join(file.read_text(encoding="utf-8") for file in sorted(root.glob(EXAMPLES))))
    count, errors, names = 0, [], 0
    for module in MODULES:
        sources = {file: file.read_text(encoding="utf-8") for file in sorted((root / "Sources" / module).rglob("*.swift"))}
        number, missing = without_example(sources)
        names += number
        errors += [f"{file.relative_to(root)}:{line}: '{name}' has no example that is compiled."
                   for file, line, name in missing]
    for file in files:
        text = file.read_text(encoding="utf-8")
        for block in BLOCK.findall(doc_comments(text) if file.suffix == ".swift" else text):
            for part in parts(block):
                count += 1
                if not contains(lines, part):
                    errors.append(f"{file.relative_to(root)}: the example '{part[0]}' is not in {EXAMPLES}.")
    for line in errors:
        print(line, file=sys.stderr)
    if errors or count == 0 or names == 0:
        sys.exit(1)
    print(f"{count} Swift examples are compiled; each of the {names} public names for apps has one.")


if __name__ == "__main__":
    main()
