#!/usr/bin/env python3
"""Write the MARC fixtures beside this file, and what pymarc reads in them.

usage: make_marc_fixtures.py          (needs PyPI's pymarc 5)

utf8.mrc, marc8.mrc and records.xml hold the same kind of records in three
encodings; expected.json says for each record what pymarc, an independent
implementation, finds in field 245 $a and $b, 100 $a, 020 $a and 260/264 $b.
"""
import io, json, os, unicodedata
import pymarc
from pymarc import Field, Indicators, Record, Subfield

HERE = os.path.dirname(os.path.abspath(__file__))


def field(tag, *pairs):
    return Field(tag=tag, indicators=Indicators(" ", " "), subfields=[Subfield(c, v) for c, v in pairs])


def record(title, author=None, isbn=None, subtitle=None, publisher=None, year=None, pages=None, series=None, added=(),
           part=None, language="spa", imprint="264"):
    r = Record(force_utf8=True)
    r.leader = pymarc.Leader("00000nam a2200000 a 4500")
    r.add_field(Field(tag="001", data="1"))
    r.add_field(Field(tag="008", data=f"200101s{year or '    '}    sp a     b    001 0 {language} d"))
    if isbn:
        r.add_field(field("020", ("a", isbn)))
    if author:
        r.add_field(field("100", *[(c, v) for c, v in zip("ad", author)]))
    pairs = [("a", title)] + ([("n", part)] if part else []) + ([("b", subtitle)] if subtitle else []) + [("c", "someone.")]
    r.add_field(field("245", *pairs))
    if publisher:
        r.add_field(field(imprint, ("a", "Barcelona :"), ("b", publisher), ("c", f"c{year}.")))
    if pages:
        r.add_field(field("300", ("a", pages), ("c", "24 cm")))
    if series:
        r.add_field(field("490", *zip("av", series)))
    for name in added:
        r.add_field(field("700", ("a", name)))
    return r


RECORDS = [
    record("Bulos científicos :", ("López-Borrull, Alexandre.",), "9788441543072 (rúst.)", "de la tierra plana al coronavirus /",
           "Oberon,", "2020", "xii, 228 p. :", ("Colección Álbum ;", "14")),
    record("Les Llengües del món /", ("Tusón, Jesús,", "1939-2017"), "84-8256-000-0", None, "Empúries,", "1990", "312 p.",
           language="cat", imprint="260"),
    record("Œuvres complètes.", ("Beauvoir, Simone de,", "1908-1986."), None, None, "Gallimard,", "1972", part="Tome 2",
           language="fre", added=("Sartre, Jean-Paul,",)),
    record("Война и мир /", ("Толстой, Лев,",), None, language="rus"),
    record("Łódź, Ørsted & Þór : ßtraße", ("Kuang, R. F.",), "0-8044-2957-X"),
]

# The same text in MARC-8: accents before their letters, ESC sequences for Cyrillic.
E = b"\x1b"
MARC8 = [
    (b"Bulos cient\xe2ificos :", b"L\xe2opez-Borrull, Alexandre."),
    (b"Les Lleng\xe8ues del m\xe2on /", b"Tus\xe2on, Jes\xe2us, 1939-2017"),
    (b"\xa6uvres compl\xe1etes.", b"Beauvoir, Simone de"),
    (E + b"(N" + b"w(OJNA I MIR" .replace(b"(", b"O") + E + b"(B /", E + b"(NtOLSTOJ" + E + b"(B"),
    (b"\xa1\xe2od\xe2z, \xa2rsted & \xa4\xe2or : \xc7tra\xc7e", b"Kuang, R. F."),
    (b"Se\xe4nor, \xc5qu\xe2e? \xf0Ca \xf2a \xe5o \xeav", b"Dvo\xe9r\xe2ak, Anton\xe2in"),
    (E + b"(2" + b"`ab" + E + b"(B", E + b"(S" + b"abd" + E + b"(B x"),
    (b"Water H" + E + b"b2" + E + b"sO", E + b"ga" + E + b"s-helix"),
]


def raw_marc8(fields):
    """ISO 2709 by hand, since pymarc writes UTF-8 only."""
    directory, data = b"", b""
    for tag, value in fields:
        directory += tag.encode() + b"%04d%05d" % (len(value) + 1, len(data))
        data += value + b"\x1e"
    base = 24 + len(directory) + 1
    total = base + len(data) + 1
    return b"%05dnam  22%05d a 4500" % (total, base) + directory + b"\x1e" + data + b"\x1d"


def summary(r):
    def first(tag, code):
        for f in r.get_fields(*tag.split("/")):
            for value in f.get_subfields(code):
                return unicodedata.normalize("NFC", value)
        return None
    return {"title": first("245", "a"), "subtitle": first("245", "b"), "author": first("100", "a"), "isbn": first("020", "a"),
            "publisher": first("260/264", "b")}


def main():
    utf8 = b"".join(r.as_marc() for r in RECORDS)
    open(os.path.join(HERE, "utf8.mrc"), "wb").write(utf8)
    marc8 = b"".join(raw_marc8([("100", b"1 \x1fa" + a), ("245", b"10\x1fa" + t)]) for t, a in MARC8)
    open(os.path.join(HERE, "marc8.mrc"), "wb").write(marc8)
    xml = io.BytesIO()
    writer = pymarc.XMLWriter(xml)
    for r in RECORDS:
        writer.write(r)
    writer.close(close_fh=False)
    open(os.path.join(HERE, "records.xml"), "wb").write(xml.getvalue())
    expected = {
        "utf8.mrc": [summary(r) for r in pymarc.MARCReader(utf8)],
        "marc8.mrc": [summary(r) for r in pymarc.MARCReader(marc8, to_unicode=True)],
        "records.xml": [summary(r) for r in pymarc.parse_xml_to_array(io.BytesIO(xml.getvalue()))],
    }
    json.dump(expected, open(os.path.join(HERE, "expected.json"), "w", encoding="utf8"), ensure_ascii=False, indent=1)
    print({k: len(v) for k, v in expected.items()})


if __name__ == "__main__":
    main()
