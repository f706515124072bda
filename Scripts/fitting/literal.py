"""The text of the one string literal of a Swift file that a script writes."""
OPENING, CLOSING = '#"""\n', '\n"""#'


def parts(path):
    before, rest = path.read_text(encoding="utf-8").split(OPENING)
    text, after = rest.split(CLOSING)
    return before, text, after


def read(path):
    return parts(path)[1]


def write(path, text):
    before, _, after = parts(path)
    path.write_text(before + OPENING + text.rstrip("\n") + CLOSING + after, encoding="utf-8")
