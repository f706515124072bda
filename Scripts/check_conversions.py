#!/usr/bin/env python3
"""Checks that no number can end the process: below Sources/, floating-point numbers become integers, and computed bounds
ranges, only by Sources/Bounds. Swift's own conversions and ranges trap for NaN, for large numbers and for bounds in the
wrong order.

Types are inferred from names: of a number that is declared as, or computed from, a floating-point number.

usage: check_conversions.py [--self-test]
"""
import pathlib
import re
import sys

from project_files import project_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: The conversions and ranges themselves.
HELPERS = "Sources/Bounds/"

INTEGER = r"U?Int(?:8|16|32|64)?"
CONVERSION = re.compile(rf"(?<![\w.])({INTEGER})\(")
#: What only floating-point numbers have.
FLOATING = re.compile(
    r"\b\d[\d_]*\.\d|\b\d+e\d|\b(?:Double|Float|TimeInterval)\(|\.(?:rounded|squareRoot)\(|/ \.\w+\(\d"
    r"|\b(?:log2?|pow|sqrt|hypot|atan2)\(|\$\d [*/]|[tT]imeInterval\w*\b")
TYPE = r"(?:Double|Float|TimeInterval)\b(?!\.)"
DECLARED = re.compile(rf"\b(\w+): {TYPE}|\bfunc (\w+)\([^{{]*-> {TYPE}")
OTHERWISE = re.compile(rf"\b(\w+): (?!{TYPE})[\[A-Z(]|\bfunc (\w+)\([^{{]*-> (?!{TYPE})[\[A-Z(]")
COMPUTED = re.compile(r"\b(?:let|var) (\w+) = ([^{]*)")
#: Floating-point numbers almost everywhere; an integer of that name is declared as one in its file.
USUAL = {"seconds", "rate", "x", "y", "z"}
#: The name of a value: the last of a path, without the names of functions that are called.
NAME = re.compile(r"\b([a-z]\w*)\b(?![\w.(:?\[]|!\.)")

NUMBER = r"-?(?:0x[0-9A-Fa-f_]+|[\d_]+(?:\.\d+)?)"
CONSTANT = rf"(?:{NUMBER}|UInt8\(ascii: [^)]*\)|Int\(Int32\.max\)|(?:[A-Z]\w*\.)+[a-z]\w*|\.m(?:in|ax)|\"\")"
ENDS_CONSTANT = re.compile(rf"(?:^|[\s\[(,=:]){CONSTANT}$")
STARTS_CONSTANT = re.compile(rf"{CONSTANT}(?![\w.(]| [-+*/])")
#: A count from 0: a name, a greatest of 0, or what is counted.
COUNTED = re.compile(r"(?:[\w$.]+(?:\([\w$.:, ]*\))?\.(?:count|width|height|area)|[a-z]\w*|max\(0, .*)(?![\w.(]| [-+*/])")
BLOCK = re.compile(r'""".*?"""', re.DOTALL)
TEXT = re.compile(r'(?<!ascii: )"(?:[^"\\]|\\.)*"')


def code_of(text):
    """The lines without comments and without texts, but with the values in texts."""
    text = BLOCK.sub(lambda match: "\n".join(map(values_in, match[0].split("\n"))), text)
    return [TEXT.sub(lambda match: values_in(match[0]), line).split("//")[0].rstrip() for line in text.splitlines()]


def values_in(text):
    return '""' + "".join(f"({argument(text, match.end())})" for match in re.finditer(r"\\\(", text))


def argument(line, start):
    """What is between the parenthesis that ends before `start` and its partner, or the end of the line."""
    depth = 1
    for place in range(start, len(line)):
        depth += (line[place] in "([{") - (line[place] in ")]}")
        if depth == 0:
            return line[start:place]
    return line[start:]


def names(pattern, lines):
    return {name for line in lines for match in pattern.finditer(line) for name in match.groups() if name}


def floating_names(lines, everywhere):
    """The names of floating-point numbers in a file: its own, and those that are nothing else in any file."""
    found = names(DECLARED, lines) | (everywhere | USUAL) - names(OTHERWISE, lines)
    for line in lines:
        for name, value in COMPUTED.findall(line):
            if FLOATING.search(value) and not CONVERSION.search(value):
                found.add(name)
    return found


def in_subscript(before):
    """Whether the innermost bracket that is open is that of a subscript: the collection checks the bounds."""
    depth = 0
    for place in reversed(range(len(before))):
        depth += (before[place] in ")]}") - (before[place] in "([{")
        if depth < 0:
            return before[place] == "[" and place > 0 and (before[place - 1].isalnum() or before[place - 1] in ")]?!_")
    return False


def is_safe(before, operator, after):
    """Whether the bounds of a range are in order whatever the values are."""
    before, after = before.rstrip(), after.lstrip()
    if not before or before[-1] in "[(,=:" or re.search(r"\b(?:case|return|in)$", before):
        return True  # Only an upper bound, which has no order.
    if not after or after[0] in "])},?:{;" or after.startswith("where "):
        return True  # Only a lower bound.
    if in_subscript(before) or ENDS_CONSTANT.search(before) and STARTS_CONSTANT.match(after):
        return True
    if re.search(r"(?:^|[\s\[(,=:])0$", before) and COUNTED.match(after) and (operator == "..<" or ".count" in after):
        return True
    lower = re.search(r"[\w.$]+$", before)
    return bool(lower) and after.startswith(lower[0] + " + ")


def problems(path, text, everywhere=frozenset()):
    if path.startswith(HELPERS):
        return
    lines = code_of(text)
    floating = floating_names(lines, everywhere)
    for number, line in enumerate(lines, 1):
        for match in CONVERSION.finditer(line):
            value = argument(line, match.end())
            if re.match(r"[a-zA-Z]+: ", value):
                continue
            # What is in a subscript says nothing about its element.
            if FLOATING.search(value) or floating & set(NAME.findall(re.sub(r"(?<=\w)\[[^\]]*\]", "[]", value))):
                yield f"{path}:{number}: '{match[0]}{value})' may trap. Use {match[1]}(saturating:)."
        for match in re.finditer(r"\.\.\.|\.\.<", line):
            if not is_safe(line[:match.start()], match[0], line[match.end():]):
                kind = "ClosedRange(ordered:)" if match[0] == "..." else "Range(from:upTo:)"
                yield f"{path}:{number}: '{line.strip()}' has computed bounds. Use {kind}."


def self_test():
    start = "let seconds: Double\nfunc width() -> Float {}\nlet area = Double(x) * y\nlet count: Int\n"
    for line in [
            "Int(seconds)", "Int64(a.seconds)", "Int(x.rounded(.up))", "UInt8(mean * 0.5)", "Int(wait / .milliseconds(1))",
            "Int($0 * size)", "Int(area)", "a...b", "1...count", "(head - x)...foot", "0...Double(x)", "1..<x.count", "a..<b",
            "(2...reach).contains(x)", "f(1...n)", "\"\\(Int(seconds)) s\"", "\"\"\"\n\\(Int(seconds))...\n\"\"\""]:
        assert len(list(problems("Sources/A.swift", start + line))) == 1, line
    for line in [
            "Int(count)", "Int($0)", "Int(saturating: seconds)", "UInt8(ascii: x)", "Int32(rows.count)", "Int(levels[x])", "// Int(seconds)",
            "1...5", "0x20...0x7F", "bytes[a..<b]", "text[..<end]", "text[end...]", "0..<count", "0..<a.b.count", "0...a.count",
            "start..<start + 4", "1...Self.limit", "ClosedRange(ordered: a, b)", "f(_ all: String...)",
            "case ..<120: x", "(1...).lazy", "Int(truncatingIfNeeded: seconds)", "\"1...n\"", "\"\"\"\na...b\n\"\"\""]:
        assert not list(problems("Sources/A.swift", start + line)), line
    assert not list(problems(HELPERS + "A.swift", "a...b"))
    assert len(list(problems("Sources/A.swift", "Int(a.fraction)", {"fraction"}))) == 1
    assert not list(problems("Sources/A.swift", "let fraction: Int\nInt(a.fraction)", {"fraction"}))


def main():
    if "--self-test" in sys.argv[1:]:
        return self_test()
    files = project_files("Sources/*.swift")
    if not files:
        sys.exit("check_conversions: There is no source.")
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in files}
    lines = [line for text in texts.values() for line in code_of(text)]
    everywhere = names(DECLARED, lines) - names(OTHERWISE, lines)
    found = [problem for path, text in texts.items() for problem in problems(path, text, everywhere)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
