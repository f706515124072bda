#!/usr/bin/env python3
"""Reads exports of the library with the readers of other projects: RIS with rispy, BibTeX with pybtex, MARCXML with pymarc and by
the rules of its schema, CSL-JSON against the variables and types of the Citation Style Language, CSV and labels (HTML) with
Python's readers. Every value has to arrive as the JSON export has it, also special characters of each format between marks
that make them a part of longer characters.

usage: check.py [--books 200] [--seed 1]
"""
import argparse
import csv
import importlib.util
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree

import pymarc
import rispy

from marked import MARKED_SHELF, check_bibtex, check_csv, check_goodreads, check_labels, escaped, full_title, marked_texts

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHELFLIST_BINARY", str(ROOT / ".build/release/shelflist"))
#: What formats, separators and markup are made of, and letters of several scripts.
PIECES = [
    "Emma", "the", "Der", "L’Étranger", "O'Brien", "Γκρίς", "Преступление", "戦争と平和", "الأيام", "ספר", "e\u0301", "𝔄", "📚",
    "&", "<b>", "]]>", "&amp;", "\"", "'", "{", "}", "\\", "|", "$a", "#1", "%", "@", "~", "…", "TY  - BOOK", "ER  -", "KW  - x",
    ": ", "; ", ", ", " / ", " - ", "--", "(2)", "1984", "\u00a0", "\u200f", "\ufffe", "\u2028", "\u0085"]
NAMES = [
    "Jane Austen", "Homer", "Simone de Beauvoir", "Martin Luther King Jr.", "Ursula K. Le Guin", "村上春樹", "Gabriel García Márquez",
    "O'Brien, Edna", "Johann Wolfgang von Goethe", "ACME; Sons", "A & B <C>", "Лев Толстой", "Madonna"]
ROLES = ["author", "editor", "translator", "illustrator", "contributor"]
#: The values of a name in CSL.
NAME_PARTS = {"family", "given", "suffix", "literal", "non-dropping-particle", "dropping-particle"}


def run(*arguments):
    """Runs the program, and returns what it printed."""
    return subprocess.run([PROGRAM, *arguments], check=True, stdout=subprocess.PIPE).stdout.decode()


def isbn(number):
    digits = f"978{number:09}"
    return digits + str(-sum(int(digit) * (3 if i % 2 else 1) for i, digit in enumerate(digits)) % 10)


def library(columns, count, chance):
    """Returns books as a list of our own: some have every value, some only a title, some have several copies."""
    def text(least=1, most=6):
        return " ".join(chance.choices(PIECES, k=chance.randint(least, most)))

    def some(value):
        return value if chance.random() < 0.6 else ""

    file = io.StringIO()
    rows = csv.DictWriter(file, columns)
    rows.writeheader()
    for number in range(count):
        names = chance.sample(NAMES, chance.randint(0, 4))
        row = {
            "title": f"{text()} {number}", "subtitle": some(text()), "series": some(text(1, 3)),
            "series_number": chance.choice(["", "3", "2.5", "1-3"]), "authors": "; ".join(escaped(name) for name in names),
            "author_roles": some("; ".join(chance.choice(ROLES) for _ in names)), "isbn": some(isbn(number)), "publisher": some(text(1, 3)),
            "year": some(chance.randint(1000, 2100)), "pages": some(chance.randint(1, 5000)),
            "language": chance.choice(["", "eng", "de", "ger", "en-GB"]), "ownership": chance.choice(["owned", "owned", "wishlist"]),
            "shelf": some(chance.choice(["Hall", "Home / Study & <b>", "ספר"])), "tags": some("; ".join({escaped(text(1, 2)) for _ in range(2)})),
            "notes": some("\n".join(text() for _ in range(chance.randint(1, 3)))), "call_number": some(text(1, 2)),
            "barcode": some(f"B-{number}")}
        rows.writerow({key: value for key, value in row.items() if key in columns})
    for number, marked in enumerate(marked_texts()):
        rows.writerow({
            "title": f"{marked} {number}", "subtitle": marked, "series": marked, "publisher": marked, "tags": escaped(marked), "shelf": MARKED_SHELF,
            "notes": f"{marked}\n{marked}", "call_number": f"{marked}{number}"})
    return file.getvalue()


def words(name):
    """What a name consists of, whatever its order is."""
    return sorted(re.findall(r"[^\s,]+", name))


def same(found, expected):
    """Whether a text arrived, but for white space at line ends and the form of combined letters."""
    def plain(text):
        return unicodedata.normalize("NFC", "\n".join(line.strip() for line in (text or "").split("\n"))).strip()
    return plain(found) == plain(expected)


class Comparison:
    def __init__(self):
        self.problems, self.values = [], 0

    def equal(self, what, found, expected):
        self.values += 1
        isSame = same(found, expected) if isinstance(expected, str) else found == expected
        if not isSame:
            self.problems.append(f"{what}: {found!r} instead of {expected!r}")


def references(books):
    """Returns the copies of each edition, in the order of their first."""
    found = {}
    for book in books:
        found.setdefault((book["work"]["id"], book.get("edition", {}).get("id")), []).append(book)
    return list(found.values())


def named(work, *roles):
    return [author["name"] for author in work["authors"] if author["role"] in roles]


def check_ris(text, books, compared):
    assert re.search("[^\r]\n|\r[^\n]", text) is None, "lines end with CR and LF"
    found = rispy.loads(text.replace("\r\n", "\n"))
    compared.equal("the number of RIS references", len(found), len(books))
    for read, [book, *_] in zip(found, books):
        work, edition, details = book["work"], book.get("edition", {}), book["entry"]["details"]
        where = f"RIS {read.get('id')}"
        compared.equal(f"{where} TY", read["type_of_reference"], "BOOK")
        for key, value in {
                "title": full_title(work), "secondary_title": work.get("series"), "note": work.get("seriesNumber"),
                "publisher": edition.get("publisher"), "year": edition.get("year"), "issn": edition.get("isbn"),
                "start_page": edition.get("pages"), "language": edition.get("language"),
                "call_number": details.get("callNumber")}.items():
            compared.equal(f"{where} {key}", read.get(key), None if value is None else str(value))
        compared.equal(f"{where} KW", read.get("keywords", []), details["tags"])
        # A line of notes is a value of its own.
        lines = [line.strip() for line in details.get("notes", "").split("\n")]
        compared.equal(f"{where} N1", "\n".join(filter(None, read.get("notes", []))), "\n".join(filter(None, lines)))
        people = {"AU": read.get("authors", []), "A4": read.get("subsidiary_authors", []),
                  "ED": read.get("unknown_tag", {}).get("ED", [])}
        roles = {"AU": ("author", "contributor"), "A4": ("translator",), "ED": ("editor",)}
        for tag, names in people.items():
            compared.equal(f"{where} {tag}", [*map(words, names)], [*map(words, named(work, *roles[tag]))])
        compared.equal(f"{where} unknown tags", set(read.get("unknown_tag", {})) - {"ED"}, set())


def quoted(name):
    """Returns the values that a schema of CSL lists."""
    # Only its files are used: the package itself needs others.
    folder = pathlib.Path(importlib.util.find_spec("citeproc").origin).parent / "data/schema/schemas/styles"
    return set(re.findall(r'[=|]\s*(?:#[^\n]*\s*)?"([^"]+)"', (folder / name).read_text()))


def check_csl(text, books, compared):
    variables, types = quoted("csl-variables.rnc"), quoted("csl-types.rnc")
    assert {"author", "title-short", "ISBN"} <= variables and "book" in types
    found = json.loads(text)
    compared.equal("the number of CSL items", len(found), len(books))
    compared.equal("CSL ids", len({item["id"] for item in found}), len(found))
    for item, [book, *_] in zip(found, books):
        work, edition, details = book["work"], book.get("edition", {}), book["entry"]["details"]
        where = f"CSL {item['id']}"
        compared.equal(f"{where} variables", set(item) - variables - {"id", "type"}, set())
        compared.equal(f"{where} type", item["type"] in types, True)
        for key, value in {
                "title": full_title(work), "collection-title": work.get("series"), "collection-number": work.get("seriesNumber"),
                "publisher": edition.get("publisher"), "ISBN": edition.get("isbn"), "number-of-pages": edition.get("pages"),
                "language": edition.get("language"), "call-number": details.get("callNumber"), "note": details.get("notes"),
                "keyword": ", ".join(details["tags"]) or None}.items():
            compared.equal(f"{where} {key}", item.get(key), value)
        year = edition.get("year")
        compared.equal(f"{where} issued", item.get("issued"), year and {"date-parts": [[year]]})
        for role in ROLES:
            names = item.get(role, [])
            compared.equal(f"{where} {role}", [words(" ".join(name.values())) for name in names], [*map(words, named(work, role))])
            compared.equal(f"{where} parts of names", {part for name in names for part in name} - NAME_PARTS, set())


#: What the schema of MARCXML, version 1.2 (loc.gov/standards/marcxml), says of each attribute and of the leader.
TAG = re.compile("0[1-9A-Z][0-9A-Z]|0[1-9a-z][0-9a-z]|[1-9A-Z][0-9A-Z]{2}|[1-9a-z][0-9a-z]{2}")
CONTROL_TAG = re.compile("00[1-9A-Za-z]")
INDICATOR = re.compile("[0-9a-z ]")
CODE = re.compile(r"[0-9A-Za-z!\"#$%&'()*+,\-./:;<=>?{}_^`~\[\]\\]")
LEADER = re.compile("[0-9 ]{5}[0-9A-Za-z ][0-9A-Za-z][0-9A-Za-z ]{3}[2 ][2 ][0-9 ]{5}[0-9A-Za-z ]{3}(4500|    )")
#: Elements in their order, each with its attributes.
ELEMENTS = {"leader": {}, "controlfield": {"tag": CONTROL_TAG}, "datafield": {"tag": TAG, "ind1": INDICATOR, "ind2": INDICATOR}}


def check_structure(text, compared):
    """Checks elements, their order and their attributes as the schema of MARCXML does."""
    def name(element):
        space, _, local = element.tag.partition("}")
        return local if space == "{http://www.loc.gov/MARC21/slim" else element.tag

    def matches(element, patterns):
        return set(element.attrib) == set(patterns) and all(pattern.fullmatch(element.get(key)) for key, pattern in patterns.items())

    root = xml.etree.ElementTree.fromstring(text.encode())
    compared.equal("MARCXML root", name(root), "collection")
    for number, record in enumerate(root):
        where, order = f"MARCXML record {number}", [*map(name, record)]
        compared.equal(f"{where} elements", (name(record), order), ("record", sorted(order, key=[*ELEMENTS].index)))
        compared.equal(f"{where} leader", order.count("leader") == 1 and LEADER.fullmatch(record[0].text) is not None, True)
        for field in record:
            inner = [name(part) for part in field]
            compared.equal(f"{where} {field.attrib}", matches(field, ELEMENTS[name(field)]), True)
            compared.equal(f"{where} {field.attrib}, subfields", inner, ["subfield"] * len(inner))
            compared.equal(f"{where} {field.attrib} has some", bool(inner), name(field) == "datafield")
            compared.equal(f"{where} {field.attrib}, codes", all(matches(part, {"code": CODE}) for part in field), True)


def check_marcxml(text, books, compared):
    check_structure(text, compared)
    found = pymarc.parse_xml_to_array(io.StringIO(text), strict=True)
    compared.equal("the number of MARC records", len(found), len(books))
    compared.equal("MARC numbers", len({record["001"].data for record in found}), len(found))
    for record, copies in zip(found, books):
        # As a library system stores it.
        [again] = pymarc.MARCReader(record.as_marc(), to_unicode=True, force_utf8=True)
        check_record(again, copies, compared)


def check_record(record, copies, compared):
    work, edition = copies[0]["work"], copies[0].get("edition", {})
    where = f"MARC {record['001'].data}"
    missing = {0xFFFE: None, 0xFFFF: None}  # XML has no such characters

    def values(tag, code):
        return [value for field in record.get_fields(tag) for value in field.get_subfields(code)]

    compared.equal(f"{where} leader", len(str(record.leader)), 24)
    compared.equal(f"{where} 008", len(record["008"].data), 40)
    for tag, code, value in [
            ("020", "a", edition.get("isbn")), ("245", "a", work["title"]), ("245", "b", work.get("subtitle")),
            ("264", "b", edition.get("publisher")), ("264", "c", edition.get("year")),
            ("300", "a", f"{edition['pages']} pages" if "pages" in edition else None),
            ("490", "a", work.get("series")), ("490", "v", work.get("seriesNumber"))]:
        expected = [] if value is None else [str(value).translate(missing).strip()]
        compared.equal(f"{where} {tag} ${code}", [one.strip() for one in values(tag, code)], expected)
    skipped = int(record["245"].indicator2)
    compared.equal(f"{where} 245, second indicator", skipped == 0 or work["title"][skipped:][:1].isalnum(), True)
    people = sorted(words(name) for name in values("100", "a") + values("700", "a"))
    compared.equal(f"{where} people", people, sorted(words(author["name"]) for author in work["authors"]))
    tags = [tag.translate(missing).strip() for tag in copies[0]["entry"]["details"]["tags"]]
    compared.equal(f"{where} 653", [tag.strip() for tag in values("653", "a")], tags)
    places = [
        [value and value.translate(missing).strip() for value in (copy.get("shelfName"), *map(copy["entry"]["details"].get, ("callNumber", "barcode", "notes")))]
        for copy in copies if copy["entry"]["details"]["ownership"] != "wishlist"]
    compared.equal(f"{where} 852", [[field.get(code) and field[code].strip() for code in "bhpx"] for field in record.get_fields("852")],
                   [place for place in places if any(place)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--books", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    compared = Comparison()
    with tempfile.TemporaryDirectory() as work:
        data, file = f"{work}/data", pathlib.Path(work, "books.csv")
        columns = run("library", "export", "--data", data).strip().split(",")
        file.write_text(library(columns, options.books, random.Random(options.seed)), encoding="utf-8")
        run("library", "import", str(file), "--offline", "--no-lookup", "--duplicates", "different", "--data", data)
        copies = json.loads(run("library", "export", "--as", "json", "--data", data))["books"]
        books = references(copies)
        assert len(books) > options.books / 2, "the list was not imported"
        for form, check in {"ris": check_ris, "csl": check_csl, "marcxml": check_marcxml}.items():
            check(run("library", "export", "--as", form, "--data", data), books, compared)
        for form, check in {"csv": check_csv, "goodreads": check_goodreads, "bibtex": check_bibtex}.items():
            check(run("library", "export", "--as", form, "--data", data), copies, compared)
        check_labels(copies, lambda kind, shelf: run("library", "labels", "--kind", kind, "--shelf", shelf, "--data", data), compared)
    print(f"{len(books)} books, {compared.values} values compared; {len(compared.problems)} problems", *compared.problems[:20], sep="\n")
    sys.exit(1 if compared.problems else 0)


if __name__ == "__main__":
    main()
