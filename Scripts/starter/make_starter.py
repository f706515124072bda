#!/usr/bin/env python3
"""Builds Data/starter.csv.gz, the list of well-known works that ships with Shelflist.

Usage:
    make_starter.py --wikidata FILE --wikidata-titles FILE --gutenberg FILE
                    --seattle FILE --gerdracor FOLDER --output FILE

docs/decisions/0018-starter-list.md describes the input files. The output depends only on the input. Another title of a
work is a row of its own.
"""

import argparse
import csv
import difflib
import gzip
import io
import os
import re
import struct
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections import defaultdict

MAX_TITLE = 120
MAX_WORKS = 60_000
MAX_AUTHORS = 4


class Work:
    """A work as one source lists it.

    `tier` orders the sources for the choice of spelling, lowest first.
    `score` orders the works when the list exceeds `MAX_WORKS`, highest first.
    """

    def __init__(self, title, authors, tier, score, year="", language="", also=()):
        self.title = title
        self.authors = authors
        self.tier = tier
        self.score = score
        self.year = year
        self.language = language
        self.also = list(also)
        self.double = False  # The title has the form "Title; or, Other Title".


# Normalisation

ARTICLES = {"the", "a", "an", "der", "die", "das", "le", "la", "les"}


def words(text):
    """Returns the lower-case words of `text` without accents and punctuation."""
    text = re.sub("['’ʼ‘`]", "", text.replace("ß", "ss").replace("&", " and "))
    text = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = text.replace("æ", "ae").replace("œ", "oe").replace("ø", "o").replace("ł", "l")
    return re.findall(r"\w+", text)


def title_key(title):
    """Returns the title's words, joined, without a leading article."""
    found = words(title)
    if len(found) > 1 and found[0] in ARTICLES:
        found = found[1:]
    return " ".join(found)


SUFFIXES = {"jr", "sr", "ii", "iii", "iv", "phd", "md"}


def surname_key(author):
    """Returns the consonants of the last name, so that transliterations agree."""
    found = [w for w in words(author) if w not in SUFFIXES]
    last = found[-1] if found else ""
    return re.sub("[aeiouy]", "", last) or last


def name_words(author):
    """Returns the words of a name that have four letters or more."""
    return {w for w in words(author) if len(w) >= 4}


def same_author(left, right):
    """Returns whether two author lists share an author.

    Compares surnames without vowels, then asks whether the surname of one
    occurs in the name of the other (Cervantes, Cervantes Saavedra), then
    whether the names differ by a misspelling.
    """
    if {surname_key(a) for a in left} & {surname_key(a) for a in right}:
        return True
    for a in left:
        for b in right:
            for one, other in ((a, b), (b, a)):
                found = [w for w in words(one) if w not in SUFFIXES]
                if found and len(found[-1]) >= 4 and found[-1] in name_words(other):
                    return True
            if words(a)[:1] == words(b)[:1] and difflib.SequenceMatcher(
                    None, " ".join(words(a)), " ".join(words(b))).ratio() >= 0.9:
                return True
    return False


# Filters

PARTS = re.compile(
    r"(\b(vol|vols|volume|volumes|band|tome|tomo|deel|teil|osa|bd|pt|no|nos|nr|parts?)\b\.?\s*"
    r"(the\s+)?(\d+|[ivxlc]+\b|one|two|three|four|first|second|third|last|\())"
    r"|\b(books?|chapters?|number|issue|section|canto)\s+(\d+|[ivxlc]+\b)"
    r"|\bvolume\s+\w+\s+of\b|\(of \d+\)|\bv\. ?\d|#\d"
    r"|\b(first|second|third|fourth|fifth|erster|zweiter|dritter) (part|volume|band|teil|theil)\b"
    r"|\b(erster|zweiter|dritter) theil\b",
    re.IGNORECASE,
)
NOT_A_BOOK = re.compile(
    r"\b(magazine|quarterly|newsletter|periodical|gazette|etext|e-text|gutenberg|widger|"
    r"inaugural address|state of the union|amendments?|treaty|proclamation|royal commission|"
    r"federal register|census|human genome|chromosome|sheet music|songbook|soundtrack|"
    r"sound recording|audio ?book|audio (collection|cd)|videorecording|dvd|blu-?ray|season \d+|"
    r"boxed set|box set|bundle|sampler|starter kit|playaway|uncataloged|hotspot|"
    r"old[- ]time radio|radio (shows?|theat|classics|drama)|"
    r"transcript|hearings? before|annual report|white paper|list of|index of|index to|"
    r"quotes and images|hyphenation list|speech list|pronunciation list|thesaurus list|language lists|quotations from|entire|complete project)\b",
    re.IGNORECASE,
)
NOT_AN_AUTHOR = re.compile(
    r"\b(various|unknown|united states|great britain|commission|committee|department|"
    r"government|parliament|congress|council|ministry|human genome|"
    r"inc|ltd|llc|corporation|company|editors? of|staff|society|association|institute|"
    r"university|foundation|organization|library|bureau|agency|"
    r"radioclassics|radio|bbc|npr|disney|pimsleur|productions?|"
    r"wikipedia|wikimedia|project gutenberg|q\d{3,})\b|[©\d@:/]",
    re.IGNORECASE,
)


def usable_title(title):
    """Returns whether a title names one whole book."""
    if not 1 <= len(title) <= MAX_TITLE or not re.search(r"\w", title):
        return False
    if re.fullmatch(r"Q\d+", title) or "�" in title or re.search(r"[<>|\\_\[\]]|\w#\w", title):
        return False
    return not PARTS.search(title) and not NOT_A_BOOK.search(title)


def usable_author(author):
    """Returns whether a name is that of a person, or Anonymous."""
    return bool(author) and len(author) <= 60 and not NOT_AN_AUTHOR.search(author) \
        and len(words(author)) <= 8 and "�" not in author


# Authors

def spaced_initials(name):
    """Turns "P.G. Wodehouse" and "J R R Tolkien" into "P. G. Wodehouse" and "J. R. R. Tolkien"."""
    name = re.sub(r"(?<=\b[^\W\d_]\.)(?=[^\W\d_])", " ", name)
    return re.sub(r"(?<!\S)([A-Z])(?=\s\S)", r"\1.", name) if not re.search(r"\s[A-Z]$", name) else name


def natural_name(name):
    """Turns "White, E. B. (Elwyn Brooks), 1899-1985" into "E. B. White".

    Ranks such as "graf" or "Emperor of Rome" are dropped.
    """
    name = re.sub(r"\([^)]*\)|\[[^\]]*\]", "", name)
    parts = [p.strip() for p in name.split(",")]
    parts = [p for p in parts if p and not re.search(r"\d|\bBCE\b|^active\b|^approximately\b", p)]
    if not parts:
        return ""
    surname, rest = parts[0], parts[1:]
    ranks = r"(?i)(emperor|empress|king|queen|pope|saint|sir|dame|lady|lord|graf|baron|count|" \
            r"comte|duc|duke|earl|marquis|viscount|prince|princess|cardinal|bishop|abbot|" \
            r"of |the |von$|freiherr|mrs|mr|dr|rev|captain|colonel|general|major|sieur|" \
            r"seigneur|rabbi|swami|abb|vicomte|madame)"
    suffix = next((p for p in rest if words(p) and words(p)[0] in SUFFIXES - {"phd", "md"}), "")
    rest = [p for p in rest if not re.match(ranks, p) and words(p) and words(p)[0] not in SUFFIXES]
    given = rest[0] if rest else ""
    if given and words(given)[-len(words(surname)):] == words(surname):
        surname = ""
    name = " ".join(p for p in (given, surname, suffix) if p)
    return spaced_initials(re.sub(r"\s+", " ", name).strip(" ,"))


def plain_name(name):
    """Cleans a name that is already in natural order."""
    name = re.sub(r"\([^)]*\)|\[[^\]]*\]", "", name)
    name = re.sub(r"(,?\s*\b(Ph\.?\s?D|M\.?\s?D|M\.A|Psy\.?D|MBA|RN|R\.N|Esq|D\.O)\b\.?)+.*$", "", name)
    name = re.sub(r"^(Dr|Sir|Dame|Prof|Rev)\.? (?=\S+ \S)", "", name)
    name = re.sub(r"\s+", " ", name).strip(" ,;")
    if name.isupper() and len(name) > 4:
        name = name.title()
    name = spaced_initials(name)
    return "Anonymous" if name.lower() in {"anonymous", "anon", "anon."} else name


# Titles

def clean_title(title):
    """Collapses white space and removes trade mark signs and control characters."""
    title = re.sub(r"\s*[®™©]|</?sup>", "", title)
    return re.sub(r"[\s\x00-\x1f\u200b-\u200f\u2028-\u202e]+", " ", title).strip()


GENERIC = re.compile(
    r"(?i)^(an?|the) ([\w'’-]+ ){0,4}(novel|novella|memoir|mystery|thriller|story|stories|romance|"
    r"biography|autobiography|tale|play|comedy|tragedy)\b|\b(series|trilogy|quartet|saga|cycle|"
    r"mysteries|chronicles|duet),? book\b|^(poems|stories|essays|novel|roman|a novel)$")


DOUBLE_TITLE = re.compile(r"\s*[;:,.]\s+or(,|;|:| the\b(?=.{12}))\s*|\s*;\s*or\b,?\s*", re.IGNORECASE)


def split_title(title):
    """Returns the main title and the rest, cut at the first mark of a subtitle."""
    title = clean_title(title)
    double = DOUBLE_TITLE.search(title)
    if double and double.start() > 0:
        return title[:double.start()].strip(" ,;:"), title[double.end():].strip()
    found = re.search(r"\s*(\s:\s|:\s+|\s=\s|;\s+(?=[a-z])|\s[—–-]{1,2}\s)\s*", title)
    if not found or found.start() == 0:
        return title, ""
    return title[:found.start()].strip(" ,;:"), title[found.end():].strip()


def strip_label(title):
    """Removes a trailing note such as "(novel)" or "(1995 book)"."""
    return re.sub(r"\s*\((?:[^)]*\b)?(novel|book|novella|play|poem|memoir|novels|books|"
                  r"biography|autobiography|collection|anthology|essay|comics|story)\)$", "",
                  title, flags=re.IGNORECASE).strip()


SMALL_WORDS = {"a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "into", "nor", "of",
               "on", "or", "over", "the", "to", "up", "with"}


def headline_case(title):
    """Capitalises an English title that a library lists in sentence case."""
    found = title.split(" ")
    result = []
    for index, word in enumerate(found):
        if word.lower() in SMALL_WORDS and 0 < index < len(found) - 1:
            result.append(word.lower() if word.islower() else word)
        elif word.islower():
            result.append(re.sub(r"[^\W\d_]", lambda m: m.group().upper(), word, count=1))
        else:
            result.append(word)
    return " ".join(result)


def settle_subtitles(entries):
    """Chooses between main title and full title.

    `entries` is a list of (title, rest, work). Where one author has several
    works with the same main title, such as "Star Wars", the full title stays.
    """
    rests = defaultdict(set)
    for title, rest, work in entries:
        key = (title_key(title), surname_key(work.authors[0]))
        rests[key].add("" if GENERIC.search(rest) else " ".join(words(rest)[:3]))
    result = []
    for title, rest, work in entries:
        key = (title_key(title), surname_key(work.authors[0]))
        full = f"{title}{'; or, ' if work.double else ': '}{rest}" if rest else title
        distinct = rests[key] - {""}
        if rest and not work.double and len(distinct) > 1 and not GENERIC.search(rest):
            work.title = full
        else:
            work.title = title
            if rest and not GENERIC.search(rest) and len(full) <= MAX_TITLE:
                work.also.append(full)
        if usable_title(work.title):
            result.append(work)
    return result


# Sources

def read_wikidata(path, titles_path):
    """Reads works, authors and the number of Wikipedia articles of each work.

    `titles_path` holds newer titles of the same items. A newer title that
    differs becomes another title of the work.
    """
    newer = {}
    with open(titles_path, encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            if len(row) == 2:
                newer.setdefault(row[0], row[1].strip())
    items = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            item = row["Wikidata item"].rsplit("/", 1)[-1]
            title, author = row["Title"].strip(), plain_name(row["Authorlabel"])
            if not title or not usable_author(author):
                continue
            _, authors, links = items.setdefault(item, (title, [], int(row["Linkcount"])))
            if author not in authors:
                authors.append(author)
    result = []
    for item, (title, authors, links) in items.items():
        title = clean_title(strip_label(title))
        if not usable_title(title) or len(authors) > MAX_AUTHORS:
            continue
        work = Work(title, sorted(authors), tier=0, score=links)
        other = clean_title(strip_label(newer.get(item, "")))
        if other and usable_title(other) and title_key(other) != title_key(title):
            work.also.append(other)
        result.append(work)
    heads = defaultdict(set)
    for work in result:
        heads[(title_key(split_title(work.title)[0]), surname_key(work.authors[0]))].add(work.title)
    for work in result:
        head, rest = split_title(work.title)
        same = heads[(title_key(head), surname_key(work.authors[0]))]
        if rest and len(words(head)) > 1 and len(same) == 1:
            work.also.append(head)
        if DOUBLE_TITLE.search(work.title) and usable_title(head):
            work.also.append(work.title)
            work.title = head
    return result


def read_gutenberg(path):
    """Reads Project Gutenberg's catalog, texts by named authors only."""
    entries = []
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            title, authors = row["Title"] or "", []
            if row["Type"] != "Text" or PARTS.search(title) or NOT_A_BOOK.search(title):
                continue
            if re.search(r"\b(AP|M|ML|MT)\b", row["LoCC"] or ""):
                continue
            for name in (row["Authors"] or "").split(";"):
                if re.search(r"\[(?!Author)", name):
                    continue
                name = natural_name(name)
                if usable_author(name):
                    authors.append("Anonymous" if name.lower() == "anonymous" else name)
            if not 0 < len(authors) <= MAX_AUTHORS:
                continue
            first = re.split(r"[\r\n]", title.strip())[0]
            first = re.sub(r"\s*[—–-]+\s*Complete$|, Complete$|\s*\((Illustrated|[^)]*edition)\)$", "",
                           first, flags=re.IGNORECASE)
            first = re.sub(r"\[[^\]]*\]", "", first).strip()
            head, rest = split_title(first)
            language = re.split(r"[;,]", row["Language"] or "")[0].strip()
            if head and not re.match(r"(?i)(the )?(complete )?works of\b|project ", head):
                work = Work("", authors, tier=1, score=8, language=language)
                work.double = bool(DOUBLE_TITLE.search(first))
                entries.append((head.rstrip("."), rest.rstrip("."), work))
    return settle_subtitles(entries)


def read_rds(path):
    """Returns the columns of a data frame in R's serialisation format, as lists."""
    with gzip.open(path) as file:
        data = file.read()
    if data[:2] != b"X\n":
        raise ValueError(f"`{path}` is not a binary RDS file.")
    position, references = 14, []

    def integer():
        nonlocal position
        position += 4
        return struct.unpack_from(">i", data, position - 4)[0]

    def pairs(flags):
        found = []
        while True:
            if flags & 0x200:
                item()
            tag = item() if flags & 0x400 else None
            found.append((tag, item()))
            flags = integer()
            if flags & 0xFF != 2:
                return dict(found)

    def item():
        nonlocal position
        flags = integer()
        kind = flags & 0xFF
        if kind in (254, 253, 242, 241):
            return None
        if kind == 255:
            return references[(flags >> 8 or integer()) - 1]
        if kind == 1:
            references.append(item())
            return references[-1]
        if kind == 2:
            return pairs(flags)
        length = integer()
        if kind == 9:
            if length < 0:
                return None
            position += length
            return data[position - length:position].decode("utf-8", "replace")
        if kind in (10, 13, 14):
            code, size = ("d", 8) if kind == 14 else ("i", 4)
            values = list(struct.unpack_from(f">{length}{code}", data, position))
            position += size * length
        elif kind in (16, 19):
            values = [item() for _ in range(length)]
        else:
            raise ValueError(f"`{path}` holds R type {kind}, which is not supported.")
        if flags & 0x200:
            return values, item()
        return values

    columns, attributes = item()
    names = attributes["names"]
    return {name: column[0] if isinstance(column, tuple) else column
            for name, column in zip(names, columns)}


def read_seattle(path, known_surnames):
    """Reads the titles that a public library lent most often.

    Printed books and e-books count. An audio edition counts where its author
    is in `known_surnames` or has a book in this source.
    """
    table = read_rds(path)
    rows = {}
    for usage, material, title, creator, count in zip(
            table["UsageClass"], table["Material"], table["Title"], table["Creator"],
            table["TotalCheckouts"]):
        if title and creator:
            key = (usage, material, title, creator)
            rows[key] = rows.get(key, 0) + int(count)
    entries, audio, surnames = [], [], set(known_surnames)
    for (usage, material, title, creator), count in rows.items():
        physical = usage == "Physical"
        author = plain_name(natural_name(creator) if physical else creator)
        if not usable_author(author) or len(words(author)) < 2 and author not in {"Homer", "Plato", "Avi"}:
            continue
        if re.search(r"(?i)sound recording", title):
            if material != "Audiobook":
                continue
        title = re.sub(r"(?i)\s*\((unabridged|abridged)[^)]*\)|\s*\[[^\]]*\]", "", title)
        if physical:
            title = re.split(r"\s+/\s*|\s+;\s+|;\s+(?=[a-z])", title)[0]
        title = re.sub(r"\s*\((?=[^)]*(edition|movie|bilingual|media|graphic))[^)]*\)", "", title,
                       flags=re.IGNORECASE)
        title = re.sub(r"(?i),( written)? by [^,]*$|,? written by [^,]*$|\[.*$", "", title) if physical else title
        title = re.sub(r"\s+", " ", title).strip(" .,;:/")
        head, rest = split_title(title)
        rest = re.sub(r"(?i)[:,]?\s*[^:]*\b(series|trilogy|quartet|saga|cycle|mysteries|chronicles), "
                      r"book [\d.]+.*$", "", rest).strip(" :,")
        if re.search(r"(?i)\b(vol|volume|part|disc)\b\.? ?\d", rest) or not head:
            continue
        if re.search(r"(?i)\bseries, (volume|issue|collection)|\bbooks \d+ ?(-|&|and|to)", title):
            continue
        if physical:
            head = headline_case(head)
        work = Work("", [author], tier=2 if not physical else 3, score=5 + min(count, 5000) / 1000)
        if material == "Audiobook":
            audio.append((head, rest, work))
        else:
            entries.append((head, rest, work))
            surnames.add(surname_key(author))
    entries += [e for e in audio if surname_key(e[2].authors[0]) in surnames]
    return settle_subtitles(entries)


def read_dracor(folder, language):
    """Reads title, author and year of plays in one language from TEI files."""
    space = "{http://www.tei-c.org/ns/1.0}"
    result = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".xml"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        header = re.search(r"<teiHeader>.*?</teiHeader>", text, re.DOTALL)
        events = re.search(r"<listEvent>.*?</listEvent>", text, re.DOTALL)
        root = ElementTree.parse(io.StringIO(
            '<TEI xmlns="http://www.tei-c.org/ns/1.0">' + header.group() + "</TEI>")).getroot()
        statement = root.find(f".//{space}titleStmt")
        title = " ".join("".join(statement.find(f"{space}title").itertext()).split()).rstrip(".")
        authors = []
        for author in statement.findall(f"{space}author"):
            person = author.find(f"{space}persName")
            if person is None:
                continue
            # A patronymic is a forename of this type; spines rarely have it.
            parts = [" ".join("".join(p.itertext()).split()) for p in person
                     if p.tag in {space + t for t in ("forename", "nameLink", "surname")}
                     and p.get("type") not in {"patronym", "patronymic"}]
            full = " ".join(parts) or " ".join("".join(person.itertext()).split())
            if usable_author(full):
                authors.append(full)
        years = [int(y) for y in re.findall(
            r'<event type="(?:print|premiere)"[^>]*when="(\d{4})', events.group() if events else "")]
        head, rest = split_title(title)
        if authors and usable_title(head):
            also = [f"{head}: {rest}"] if rest and len(head) + len(rest) + 2 <= MAX_TITLE else []
            result.append(Work(head, authors, tier=4, score=7, language=language, also=also,
                               year=str(min(years)) if years else ""))
    return result


# Merging

def merge(works):
    """Joins entries with the same title and author; the lowest tier gives the spelling."""
    groups = defaultdict(list)
    for work in sorted(works, key=lambda w: (w.tier, -w.score, w.title, w.authors)):
        group = groups[title_key(work.title)]
        for other in group:
            if same_author(other.authors, work.authors):
                other.score = max(other.score, work.score) + 1
                other.year = other.year or work.year
                other.language = other.language or work.language
                other.also += work.also
                break
        else:
            group.append(work)
    merged = [work for group in groups.values() for work in group]
    return drop_known_alternatives(merged)


def drop_known_alternatives(works):
    """Joins a work with another of the same author that lists its title in `also`."""
    by_key = defaultdict(list)
    for work in works:
        for other in work.also:
            by_key[title_key(other)].append(work)
    kept = []
    for work in works:
        holder = next((o for o in by_key[title_key(work.title)]
                       if o is not work and o.tier < work.tier
                       and same_author(o.authors, work.authors)), None)
        if holder:
            holder.score = max(holder.score, work.score)
            holder.language = holder.language or work.language
            holder.year = holder.year or work.year
        else:
            kept.append(work)
    return kept


def also_titles(work):
    """Returns the other titles of a work, without repetition, in source order."""
    seen, result = {title_key(work.title)}, []
    for title in work.also:
        title = title.replace("|", " ").strip()
        if title_key(title) not in seen and len(title) <= MAX_TITLE:
            seen.add(title_key(title))
            result.append(title)
    return result[:4]


def is_authors_name(title, authors):
    """Whether a title, without its subtitle, is only an author's name: that is on the spine of all books by that author."""
    main = re.split(r":|;| - ", title)[0]
    return any(set(words(main)) <= set(words(author)) for author in authors)


def main():
    parser = argparse.ArgumentParser(description="Builds the starter list.")
    for name in ("wikidata", "wikidata-titles", "gutenberg", "seattle", "gerdracor", "output"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()

    wikidata = read_wikidata(options.wikidata, options.wikidata_titles)
    gutenberg = read_gutenberg(options.gutenberg)
    surnames = {surname_key(a) for w in wikidata + gutenberg for a in w.authors}
    seattle = read_seattle(options.seattle, surnames)
    gerdracor = read_dracor(options.gerdracor, "de")
    works = merge(wikidata + gutenberg + seattle + gerdracor)
    works.sort(key=lambda w: (-w.score, title_key(w.title), w.title, w.authors))
    works = works[:MAX_WORKS]
    works.sort(key=lambda w: (title_key(w.title), w.title, w.authors))

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["title", "author", "year", "language"])
    written = 0
    for work in works:
        for title in [work.title, *also_titles(work)]:
            if not is_authors_name(title, work.authors):
                writer.writerow([title, "; ".join(work.authors), work.year, work.language])
                written += 1
    with open(options.output, "wb") as file:
        file.write(gzip.compress(text.getvalue().encode(), 9, mtime=0))
    print(f"wikidata {len(wikidata)}, gutenberg {len(gutenberg)}, seattle {len(seattle)}, "
          f"gerdracor {len(gerdracor)}, {len(works)} works, {written} titles written")


if __name__ == "__main__":
    main()
