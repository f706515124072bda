#!/usr/bin/env python3
"""Checks that texts from outside are escaped in one place: below Sources/, only Sources/Bounds/EscapedText.swift escapes for HTML,
CSV, TeX, RIS, SQL and other formats, and only LineLogHandler.swift writes the log.

Swift's characters are what people see as one letter: U+0600 and "<" are one, which is not equal to "<", but a browser sees "<".
So a table of characters, or a search for a quotation mark, misses some.

usage: check_escaping.py [--self-test]

A line that is right has the reason in a comment: "// allowed: REASON".
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACES = ("Sources/Bounds/EscapedText.swift", "Sources/Bounds/EscapedText+CSV.swift")
LOG = "Sources/Server/Operations/LineLogHandler.swift"
ALLOWED = re.compile(r"// allowed: \w")

TEXT = r'(?:#"(?:[^"]|"(?!#))*"#|"(?:[^"\\\n]|\\.)*")'
TABLE = re.compile(r"\[Character ?: ?String\]")
#: What is replaced: a scalar, or a text; group 1 is the text.
REPLACING = re.compile(rf"\.replacing(?:Occurrences)?\((?!scalar: )(?:of: )?({TEXT})?")
#: Part of a value that is written: `case "<": result += "&lt;"`.
CASES = re.compile(r'case "(?:[^\w\s"\\]|\\["\\])"(?:, "(?:[^\w\s"\\]|\\["\\])")*: *\w+(?:\.\w+)*(?: \+=|\.append)')
SPLITTING = re.compile(rf"\bsplit\b.*{TEXT}\.contains\(\$0\)")
#: Modules whose texts are read by other programs.
WRITERS = re.compile(r"Sources/(?:Server|Providers|WorkQueue|Lookup|DelimitedText|Terminal|Library/Exchange)/")
ENTITY = re.compile(r"&(?:lt|gt|amp|quot|#39);|textbackslash|textasciitilde")


def code_of(line):
    """The line without its comment; a text may contain slashes."""
    return re.sub(rf"({TEXT})|//.*", lambda match: match[1] or "", line)


def problems(path, text):
    if path in PLACES:
        return
    for number, line in enumerate(text.splitlines(), 1):
        if ALLOWED.search(line):
            continue
        code = code_of(line)
        found = []
        if TABLE.search(code):
            found.append("a table of characters")
        for match in REPLACING.finditer(code):
            # Letters and digits are not part of a format; what is not a literal may be anything.
            if not match[1] or not re.search(r"[^\W_]", re.sub(r"\\u\{\w+\}|\\.", "", match[1])):
                found.append(match[0] + "…)")
        if match := CASES.search(code):
            found.append(match[0])
        if WRITERS.match(path) and SPLITTING.search(code):
            found.append("split by characters")
        if match := ENTITY.search(code):
            found.append(match[0])
        if "quotedDatabaseIdentifier" in code:
            found.append("quotedDatabaseIdentifier")
        for what in found:
            yield f"{path}:{number}: {what} compares or escapes characters. Use EscapedText, .replacing(scalar:) or .parts(betweenScalars:)."
        if "StreamLogHandler" in code and path != LOG:
            yield f"{path}:{number}: StreamLogHandler writes line breaks of values. Use LineLogHandler."


def self_test():
    for line in [
            "let signs: [Character: String] = [:]", 'text.replacing("\\"", with: "x")', 'a.replacingOccurrences(of: ",", with: " ")',
            "text.replacingOccurrences(of: key.value, with: dots)", 'text.replacing("\\u{2028}", with: "")', 'text.replacing("_", with: "-")',
            'case "<": result += "less"', 'case "\\\\": result.append("x")', 'case "{", "}": text += brace', 'let less = "&lt;"',
            "name.quotedDatabaseIdentifier", "StreamLogHandler.standardError(label: label)", 'text.split { "\\":".contains($0) }']:
        assert len(list(problems("Sources/Server/A.swift", line))) == 1, line
    for line in [
            'text.replacing(scalar: ",", with: " ")', 'origin.replacing("http", with: "ws", maxReplacements: 1)', '// replacing("<"',
            'a.replacing("_", with: "-") // allowed: codes are ASCII', 'case "\\n": scalars.append(" ")', 'case "<": .less',
            'let url = "https://example.org" // [Character: String]', "let digits: [Character: Int] = [:]",
            'text.parts(betweenScalars: { "?#".unicodeScalars.contains($0) })']:
        assert not list(problems("Sources/Server/A.swift", line)), line
    assert not list(problems("Sources/Identification/A.swift", 'text.split { "()".contains($0) }'))
    assert not list(problems(PLACES[0], 'text.replacing("<", with: "&lt;")'))


def main():
    if "--self-test" in sys.argv[1:]:
        return self_test()
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "Sources/*.swift"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout.split()
    if not files:
        sys.exit("check_escaping: git lists no source.")
    missing = [place for place in (*PLACES, LOG) if not (ROOT / place).exists()]
    found = [f"{place} does not exist. Correct Scripts/check_escaping.py." for place in missing]
    found += [problem for path in files if (ROOT / path).exists()
              for problem in problems(path, (ROOT / path).read_text(encoding="utf-8"))]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
