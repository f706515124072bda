#!/usr/bin/env python3
"""Refuses the phrases of Scripts/phrases.txt in comments, string literals and documents.

usage: check_phrases.py [--self-test]

A line that needs a phrase says why in a comment: "phrase: REASON".
"""
import io
import pathlib
import re
import sys
import tokenize

from project_files import project_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {".swift", ".js", ".mjs", ".py", ".sh", ".md", ".css", ".html", ".service"}
NAMES = {"Makefile", "Dockerfile", ".ci/run", "docs/api/openapi.json"}
# The last has the words of books' titles.
EXCEPT = {
    "Scripts/phrases.txt", "Scripts/check_phrases.py", "Sources/Identification/Roles/NameWordList.swift"}
ALLOWED = re.compile(r"\bphrase: \w+")

# Comments and string literals of Swift and JavaScript; a template or a multi-line string counts as one literal.
C_LIKE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`', re.DOTALL)
CODE_IN_MARKDOWN = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)|<!--.*?-->", re.DOTALL | re.MULTILINE)


def phrases(text):
    """The (pattern, advice) of each line of phrases.txt."""
    lines = (line for line in text.split("\n") if line and not line.startswith("#"))
    return [(re.compile(pattern, re.IGNORECASE), advice) for pattern, advice in (line.split("\t") for line in lines)]


def blanked(match):
    return re.sub(r"[^\n]", " ", match[0])


def prose(path, source):
    """The comments, literals and text of a file, with everything else blanked, line for line."""
    suffix = pathlib.PurePath(path).suffix
    if suffix == ".md":
        return CODE_IN_MARKDOWN.sub(blanked, source)
    if suffix in (".swift", ".js", ".mjs"):
        pieces, end = [], 0
        for match in C_LIKE.finditer(source):
            # Swift's backquoted names of tests are sentences, so they are prose as well.
            pieces += [re.sub(r"[^\n]", " ", source[end:match.start()]), match[0]]
            end = match.end()
        return "".join(pieces) + re.sub(r"[^\n]", " ", source[end:])
    if suffix == ".py":
        lines = [" " * len(line) for line in source.split("\n")]
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in (tokenize.COMMENT, tokenize.STRING) or token.type == getattr(tokenize, "FSTRING_MIDDLE", -1):
                for offset, line in enumerate(token.string.split("\n")):
                    number = token.start[0] - 1 + offset
                    start = token.start[1] if offset == 0 else 0
                    lines[number] = lines[number][:start].ljust(start) + line + lines[number][start + len(line):]
        return "\n".join(lines)
    return source


def hits(path, source, ruled_out):
    """Yields a line for each phrase in a file."""
    lines = source.split("\n")
    for number, line in enumerate(prose(path, source).split("\n"), 1):
        for pattern, advice in ruled_out:
            if (match := pattern.search(line)) and not ALLOWED.search(lines[number - 1]):
                yield f"{path}:{number}: “{match[0].strip()}”. Write: {advice}."


def self_test():
    ruled_out = phrases("# a comment\n\\btold\\b\treported\n(?<!there )\\bis no\\b\t\"is not a …\"")

    def count(path, source):
        return len(list(hits(path, source, ruled_out)))

    assert count("a.swift", "/// What was told.\nlet told = 1\n") == 1
    assert count("a.swift", 'throw Bad("\\(name) is no ISBN")') == 1
    assert count("a.swift", 'let text = """\nis no\n"""') == 1
    assert count("a.js", "told(`It is no\\` list`); // there is no list") == 1
    assert count("a.py", 'told = "told"  # told\n') == 1
    assert count("a.py", '"""One.\n\nWhat was told."""\ntold = 1\n') == 1
    assert count("a.py", "told = 1\n") == 0
    assert count("a.md", "`told` [a](told.md)\n```\ntold\n```\ntold\n") == 1
    assert count("a.sh", "# is no file\n# is no file (phrase: quotes another program)\n") == 1
    assert next(hits("a.md", "a\nTold.", ruled_out)) == "a.md:2: “Told”. Write: reported."


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    ruled_out = phrases((ROOT / "Scripts/phrases.txt").read_text(encoding="utf-8"))
    found = []
    for path in project_files():
        if path in EXCEPT or not (pathlib.PurePath(path).suffix in KINDS or path in NAMES):
            continue
        file = ROOT / path
        if file.is_file():
            found += hits(path, file.read_text(encoding="utf-8"), ruled_out)
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    if found:
        sys.exit(1)


if __name__ == "__main__":
    main()
