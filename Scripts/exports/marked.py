"""Reads CSV, BibTeX and labels (HTML) of a library, and makes texts with the special characters of all formats."""
import csv
import html.parser
import io
import re
import unicodedata

import pybtex.database.input.bibtex

#: What the formats escape, and marks: the first two join what follows, the others what is before. U+0D4E is a letter.
SPECIALS = "&<>\"',;\\{}~^$#_%=+-@|"
MARKS = ["", "\u0600", "\u0d4e", "\u0301", "\u200d", "\ufe0f"]
MARKED_SHELF = "Marks"


def marked_texts():
    """Every special character, between each pair of marks: alone, before a formula and in a command."""
    for before in MARKS:
        for after in MARKS:
            yield "x" + " ".join(f"{before}{special}{after}" for special in SPECIALS)
            yield "x" + "".join(f"{before}{special}{after}=1+1" for special in ";\"\\<{}")


def escaped(item):
    return item.replace("\\", "\\\\").replace(";", "\\;")


def full_title(work):
    return ": ".join(filter(None, [work["title"], work.get("subtitle")]))


#: Where spreadsheets may start a cell, and what they compute.
CELL_ENDS, FORMULAS = "([;\t\n\r\x0b\x0c\x85\u2028\u2029])", tuple("=+-@＝＋－＠")


def check_cells(where, row, columns, compared):
    """Returns the fields of a row of CSV without the apostrophes before what would be formulas."""
    compared.equal(f"{where} cells", len(row), columns)
    fields = []
    for field in row:
        parts = re.split(CELL_ENDS, field)
        for index, part in enumerate(parts):
            isFormula = part.lstrip("' \"").startswith(FORMULAS)
            compared.equal(f"{where} formula {part!r}", isFormula and not part.startswith("'"), False)
            if isFormula:
                parts[index] = part[1:]
        fields.append("".join(parts))
    return fields


def check_csv(text, books, compared):
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    compared.equal("the number of rows of CSV", len(rows), len(books))
    for row, book in zip(rows, books):
        work, edition, details = book["work"], book.get("edition", {}), book["entry"]["details"]
        where = f"CSV {book['entry']['id']}"
        found = dict(zip(header, check_cells(where, row, len(header), compared)))
        for key, value in {
                "title": work["title"], "subtitle": work.get("subtitle"), "series": work.get("series"), "publisher": edition.get("publisher"),
                "notes": details.get("notes"), "call_number": details.get("callNumber"), "shelf": book.get("shelfName"),
                "tags": "; ".join(map(escaped, details["tags"])), "authors": "; ".join(escaped(author["name"]) for author in work["authors"])}.items():
            compared.equal(f"{where} {key}", found[key], value or "")


def check_goodreads(text, books, compared):
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    numbers = [header.index(name) for name in ("ISBN", "ISBN13")]
    compared.equal("the number of rows of Goodreads", len(rows), len(books))
    for row, book in zip(rows, books):
        # Goodreads marks numbers as text with ="…".
        plain = [re.sub('^="([0-9X]*)"$', r"\1", field) if place in numbers else field for place, field in enumerate(row)]
        found = dict(zip(header, check_cells(f"Goodreads {book['entry']['id']}", plain, len(header), compared)))
        compared.equal(f"Goodreads {book['entry']['id']} title", found["Title"], full_title(book["work"]))


#: The commands in place of characters, as LaTeX prints them.
COMMANDS = {"textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}", "textasciitilde": "~", "textasciicircum": "^"}


def plain_tex(value):
    """Returns what TeX prints; fails for a command that is not for one character."""
    return re.sub(r"\\([a-z]+)\{\}|\\(.)|([{}~^$&#_%])", lambda match: COMMANDS[match[1]] if match[1] else "&#_%$"[[*"&#_%$"].index(match[2])], value)


def check_bibtex(text, books, compared):
    def fail(error):
        raise error

    found = [*pybtex.database.input.bibtex.LowLevelParser(text, handle_error=fail)]
    compared.equal("the number of BibTeX entries", len(found), len(books))
    compared.equal("BibTeX keys", len({key for _, (key, _) in found}), len(found))
    for (kind, (key, fields)), book in zip(found, books):
        work, edition, details = book["work"], book.get("edition", {}), book["entry"]["details"]
        read = {name: " ".join(plain_tex("".join(parts)).split()) for name, parts in fields}
        compared.equal(f"BibTeX {key} names", len(read), len(fields))
        for name, value in {
                "title": work["title"], "subtitle": work.get("subtitle"), "series": work.get("series"), "publisher": edition.get("publisher"),
                "keywords": ", ".join(details["tags"]), "note": details.get("notes")}.items():
            compared.equal(f"BibTeX {key} {name}", read.get(name, ""), " ".join((value or "").split()))


class Labels(html.parser.HTMLParser):
    """The texts of elements and the names of all elements."""

    def __init__(self, text):
        super().__init__()
        self.names, self.texts, self.path = set(), {}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.names.add(tag)
        # Elements without an end.
        if tag not in ("br", "meta"):
            self.path.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        while self.path and self.path.pop() != tag:
            pass

    def handle_data(self, data):
        if self.path:
            self.texts[self.path[-1]][-1] += data


def without_spaces(values):
    return sorted(re.sub(r"\s", "", unicodedata.normalize("NFC", value)) for value in values)


def check_labels(books, labels, compared):
    """Checks the labels of the marked copies, of their spines and of their shelf, as files.

    `labels` returns the page of a kind of labels of a shelf.
    """
    marked = [book for book in books if book.get("shelfName") == MARKED_SHELF]
    compared.equal("the number of marked books", len(marked), len([*marked_texts()]))
    expected = {
        "copy": ("span", [book["work"]["title"] for book in marked]), "place": ("span", [MARKED_SHELF]),
        "spine": ("p", [" ".join(book["entry"]["details"]["callNumber"].split()) for book in marked])}
    own = {"html", "head", "meta", "title", "style", "body", "p", "section", "ol", "li", "b", "span", "svg", "path", "i", "br", "rect"}
    for kind, (element, texts) in expected.items():
        page = Labels(labels(kind, MARKED_SHELF))
        compared.equal(f"elements of {kind} labels", page.names - own, set())
        found = [text for text in page.texts[element] if text and text not in ("100 mm",) and "A4." not in text]
        compared.equal(f"{kind} labels", without_spaces(found), without_spaces(texts))
