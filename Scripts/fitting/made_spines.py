"""Spines made of catalog entries, in the layouts that shelves show, with what readers of them get wrong.

A photo shows some spines, a catalog has thousands of titles: made spines teach the language of titles and names, and how
both are set beside each other, beside imprints, notes and labels. A line is a dictionary as `matching-features roles` reads
it: text, height in pixels, and where they differ from the usual score, gap, isAcross and isBeside.

The shares are guesses by eye. Only that of titles without an author was compared: of 0 to 0.3, 0.07 to 0.15 are best.
"""
import csv
import random

from fitting import BENCH

SHARES = {"popular_books": 0.35, "library_books": 0.45, "crossing_books": 0.2}
IMPRINTS = """
    Penguin, Puffin, Vintage, Picador, Knopf, Random House, HarperCollins, Scholastic, Bloomsbury, Faber, Orbit, Tor, Bantam,
    Signet, Viking, Crown, Oxford, Cambridge, Princeton, Springer, Wiley, O'Reilly, Pearson, McGraw-Hill, Routledge, Norton,
    Basic Books, Farrar Straus Giroux, dtv, rororo, Fischer, Suhrkamp, Reclam, Diogenes, Hanser, Heyne, Goldmann, Piper, Knaur,
    Ullstein, Gallimard, folio, Seuil, Flammarion, Le Livre de Poche, Planeta, Anagrama, Alfaguara, Tusquets, Edicions 62,
    Columna, Paidotribo, Einaudi, Adelphi, Mondadori
""".replace("\n", " ").split(",")
NOTES = ["A NOVEL", "Roman", "Krimi", "novela", "Second Edition", "THIRD EDITION", "2nd Edition", "BESTSELLER", "FANTASY",
         "Thriller", "USED", "with a new afterword", "Volume 1", "2", "Clásicos", "Essay", "Memoir", "Poems", "Stories",
         "Edición especial", "ANNIVERSARY EDITION", "New York Times Bestseller"]
BETWEEN_NAMES = [", ", " & ", " · ", " / ", " and ", " • ", "; "]
LIKE_LETTERS = "eoacinrtlu"
HEIGHT = 60


def spines(count):
    """Pairs of a book with title and author and the lines of its spine, always the same."""
    rng, books = random.Random(1), []
    for name, share in SHARES.items():
        books += entries(name, rng)[:round(count * share)]
    rng.shuffle(books)
    return [(book, layout(book, rng)) for book in books]


def entries(name, rng):
    """The entries of a catalog that have a short title and full names of their authors, shuffled."""
    rows, found = list(csv.DictReader((BENCH / f"catalog/{name}.csv").open(newline=""))), []
    rng.shuffle(rows)
    for row in rows:
        title, _, subtitle = (part.strip(" .,") for part in row["title"].split(" / ")[0].split("(")[0].partition(":"))
        authors = [part.strip() for part in row["author"].split(",") if part.strip()]
        if name == "library_books":  # Surname, Forename, dates
            authors = [f"{authors[1]} {authors[0]}"] if len(authors) > 1 and authors[1][0].isalpha() else []
        if 0 < len(title) <= 60 and authors and all(" " in author for author in authors[:3]):
            found.append({"title": title, "subtitle": subtitle if len(subtitle) < 90 else "",
                          "author": ", ".join(authors[:3]), "authors": authors[:3]})
    return found


def layout(book, rng):
    casing = rng.random()
    title_case = str.upper if casing < 0.55 else str
    author_case = str.upper if casing < 0.4 or 0.75 < casing < 0.9 else str
    small = HEIGHT * min(2.2, max(0.3, rng.lognormvariate(-0.3, 0.45)))
    is_across, is_author_first = rng.random() < 0.15, rng.random() < 0.5
    authors = [author_case(name) for name in printed(book["authors"], rng)]
    if rng.random() < 0.07:
        lines = title_lines(book, title_case, is_across, rng)
    elif len(authors) == 1 and not is_across and rng.random() < 0.27:
        both = [authors[0], title_case(book["title"])]
        lines = [line(" ".join(both if is_author_first else both[::-1]), HEIGHT)]
    else:
        title = title_lines(book, title_case, is_across, rng)
        author = author_lines(authors, small, is_across or rng.random() < 0.08, rng)
        lines = author + title if is_author_first else title + author
    return [misread(line, rng) for line in surrounded(lines, book, rng)]


def line(text, height, **more):
    return {"text": text, "height": height, **more}


def far(rng):
    return rng.choice([0.6, 1.5, 1.5, 3, 6])


def printed(authors, rng):
    """The names as a spine has them: surnames alone, initials, not all of them."""
    if len(authors) > 1 and rng.random() < 0.5:
        authors = authors[:2]
    if rng.random() < 0.35:
        return [name.split()[-1] for name in authors]
    if rng.random() < 0.12:
        return [" ".join([given[0] + "." for given in name.split()[:-1]] + name.split()[-1:]) for name in authors]
    return authors


def title_lines(book, case, is_across, rng):
    words, is_beside = case(book["title"]).split(), rng.random() < 0.3
    if is_across and len(words) > 1 and len(book["title"]) > 10:
        return [line(word, HEIGHT * rng.uniform(0.5, 0.8) if len(word) < 4 else HEIGHT * rng.uniform(0.9, 1.1),
                     gap=0.25, isAcross=True) for word in words]
    if len(words) > 2 and rng.random() < 0.5:
        cuts = sorted(rng.sample(range(1, len(words)), min(len(words) - 1, rng.choice([1, 1, 2, 3]))))
        rows, gap = [words[start:end] for start, end in zip([0, *cuts], [*cuts, len(words)])], rng.choice([0.4, 0.8, 1.5])
    elif len(words) == 2 and rng.random() < 0.3:
        rows, gap = [[word] for word in words], 0.6
    else:
        rows, gap = [words], 1.5
    lines = []
    for row in rows:
        # Small words between the others are often printed smaller.
        is_small = len(rows) > 2 and len(row) == 1 and len(row[0]) < 4
        height = HEIGHT * (rng.uniform(0.4, 0.7) if is_small else rng.uniform(0.6, 1.2) if len(rows) > 1 else 1)
        lines.append(line(" ".join(row), height, gap=gap, isBeside=is_beside and bool(lines)))
    if book["subtitle"] and not is_across and rng.random() < 0.6:
        lines += subtitle_lines(book["subtitle"], rng)
    return lines


def subtitle_lines(subtitle, rng):
    words = (subtitle.upper() if rng.random() < 0.4 else subtitle).split()
    height, is_beside = HEIGHT * rng.uniform(0.25, 0.65), rng.random() < 0.3
    middle = len(words) // 2 if len(words) > 5 and rng.random() < 0.4 else 0
    return [line(" ".join(part), height, isBeside=is_beside) for part in (words[:middle], words[middle:]) if part]


def author_lines(names, height, is_across, rng):
    is_beside, given_and_surname = rng.random() < 0.3, names[0].rpartition(" ")
    if len(names) == 1 and given_and_surname[0] and rng.random() < 0.35:
        given, _, surname = given_and_surname
        is_across = is_across and len(surname) <= 12
        return [line(given, height * rng.uniform(0.7, 1), gap=far(rng), isAcross=is_across),
                line(surname, height, gap=rng.choice([0.3, 0.6, 1]), isAcross=is_across,
                     isBeside=is_beside and not is_across)]
    if len(names) > 1 and rng.random() < 0.6:
        ends = [" &" if rng.random() < 0.3 else "" for _ in names[1:]] + [""]
        return [line(name + end, height, gap=0.5 if place else far(rng), isBeside=is_beside and place > 0)
                for place, (name, end) in enumerate(zip(names, ends))]
    text = rng.choice(BETWEEN_NAMES).join(names)
    return [line(text, height, gap=far(rng), isAcross=is_across and len(text) <= 12)]


def surrounded(lines, book, rng):
    """The lines with an imprint, a note, a library's label and specks that look like text, or without any."""
    if rng.random() < 0.5:
        name = imprint(book, rng)
        if rng.random() < 0.06:
            lines[-1]["text"] += " " + name
        else:
            foot = line(name, HEIGHT * rng.uniform(0.2, 0.55), gap=rng.choice([1.5, 4, 8]),
                        isAcross=len(name) < 9 and rng.random() < 0.4)
            lines.insert(len(lines) if rng.random() < 0.85 else 0, foot)
    if rng.random() < 0.12:
        note = line(rng.choice(NOTES), HEIGHT * rng.uniform(0.2, 0.5), gap=far(rng))
        lines.insert(rng.choice([len(lines), len(lines), 0, rng.randrange(len(lines) + 1)]), note)
    if rng.random() < 0.06:
        number = f"{rng.randint(0, 999)}.{rng.randint(1, 99)} {book['authors'][0].split()[-1][:3].title()}"
        label = line(number, HEIGHT * rng.uniform(0.3, 0.6), gap=1, isAcross=True)
        lines.insert(rng.choice([len(lines), 0]), label)
    if rng.random() < 0.2:
        letters = "".join(rng.choice("abcdefghiklmnorstuvwz        ") for _ in range(rng.choice([2, 3, 4, 5, 8, 11])))
        speck = line(rng.choice([str.upper, str, str])(letters.strip() or "x"), HEIGHT * rng.uniform(0.2, 0.8),
                     score=rng.uniform(0.3, 0.85), gap=far(rng))
        lines.insert(rng.choice([len(lines), 0, rng.randrange(len(lines) + 1)]), speck)
    return lines


def imprint(book, rng):
    kind = rng.random()
    if kind < 0.7:
        name = rng.choice(IMPRINTS).strip()
    elif kind < 0.85:
        name = book["authors"][0].split()[-1] + rng.choice([" Verlag", " Press", " Books", " Editores"])
    else:
        name = "".join(rng.choice("bcdfglmnprst") + rng.choice("aeiou") for _ in range(rng.randint(2, 3)))
    return rng.choice([str.upper, str.upper, str])(name)


def misread(line, rng):
    """The line as it may have been read: other letters, a lost start or end, and a lower score for most of that."""
    rate, text = rng.choice([0, 0, 0.01, 0.03]), ""
    for letter in line["text"]:
        if not letter.isalpha() or rng.random() >= rate:
            text += letter
            continue
        other = rng.choice(LIKE_LETTERS)
        text += rng.choice([other.upper() if letter.isupper() else other] * 3 + ["", letter + other])
    if len(text) > 8 and rng.random() < 0.04:
        text = text[rng.randint(1, 3):] if rng.random() < 0.6 else text[:-rng.randint(1, 3)]
    score = rng.choice([0.999, 0.999, 0.995, 0.98, 0.96]) if text == line["text"] else rng.uniform(0.75, 0.99)
    return {"score": score, **line, "text": text, "height": line["height"] * rng.lognormvariate(0, 0.06)}
