"""Compares what a scan reports with labels of the books in the photos; Benchmarks/README.md describes both.

usage: scoring.py --self-test
"""
import collections
import dataclasses
import difflib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unicodedata

# Titles at least this similar are the same: it allows for one or two misread letters.
SAME_TITLE = 0.85
# A line of the photo has a title if it has this share of its words.
READ_SHARE = 0.6
# Boxes of the same spine overlap at least by this.
SAME_BOX = 0.5
# Reports that begin or end this near the photo's edge are of spines that the photo cuts.
EDGE = 0.01
ARTICLES = {"the", "a", "an", "el", "la", "los", "las", "les", "l", "un", "una", "der", "die", "das", "ein", "eine", "le"}
SUBTITLE_MARKS = (":", ";", " - ", " – ", " — ", "(", "/")


def words(text):
    """Returns the words of a text in lower case, without accents."""
    plain = unicodedata.normalize("NFKD", (text or "").lower()).replace("&", " and ")
    return re.findall(r"[^\W_]+", "".join(letter for letter in plain if not unicodedata.combining(letter)))


def _without_article(text):
    found = words(text)
    while len(found) > 1 and found[0] in ARTICLES:
        del found[0]
    return " ".join(found)


def _readings(title):
    """Returns the title whole, and cut at each mark of a subtitle: pairs of main title and subtitle."""
    cuts = {(_without_article(title), "")}
    for mark in SUBTITLE_MARKS:
        main, found, subtitle = (title or "").partition(mark)
        if found:
            cuts.add((_without_article(main), _without_article(subtitle)))
    return [cut for cut in cuts if cut[0]]


def _likeness(one, other):
    """0...1, with or without the spaces."""
    def ratio(a, b):
        return difflib.SequenceMatcher(None, a, b).ratio()
    return max(ratio(one, other), ratio(one.replace(" ", ""), other.replace(" ", "")))


def title_similarity(one, other):
    """0...1; subtitles and numbers, such as of volumes, must not contradict each other."""
    best = 0.0
    for main, subtitle in _readings(one):
        for other_main, other_subtitle in _readings(other):
            if subtitle and other_subtitle and _likeness(subtitle, other_subtitle) < 0.5:
                continue
            numbers, other_numbers = (set(re.findall(r"\d+", text)) for text in (main, other_main))
            if not numbers or not other_numbers or numbers == other_numbers:
                best = max(best, _likeness(main, other_main))
    return best


def _differs_by_one(one, other):
    """Whether the words are equal but for one letter that is missing, added or another."""
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    rest, other_rest = one[same:], other[same:]
    return rest[1:] == other_rest[1:] or rest == other_rest[1:] or rest[1:] == other_rest


def same_author(one, other):
    """Whether the names have a word in common, not counting initials; one letter of five may be wrong."""
    names, others = ([word for word in words(name) if len(word) > 2] or words(name) for name in (one, other))
    return any(a == b or len(a) >= 5 and _differs_by_one(a, b) for a in names for b in others)


def overlap(one, other):
    """Intersection over union of two boxes [x, y, width, height]."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (one[2] * one[3] + other[2] * other[3] - width * height)


def box_of(report):
    """Returns the box [x, y, width, height] of a reported book, or None."""
    box = report.get("boundingBox")
    return box and [box[side] for side in ("x", "y", "width", "height")]


def is_within(box, area):
    """Whether the middle of the box is in the area."""
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    return area[0] <= x <= area[0] + area[2] and area[1] <= y <= area[1] + area[3]


def _is_cut(box):
    return min(box[:2]) < EDGE or box[0] + box[2] > 1 - EDGE or box[1] + box[3] > 1 - EDGE


def similarity(book, report):
    """Similarity of the titles if the report is of this book, else 0."""
    best = max(title_similarity(title, report.get("title")) for title in [book["title"], *book.get("also", [])])
    author, reported = book.get("author"), report.get("author")
    return best if best >= SAME_TITLE and (not author or not reported or same_author(author, reported)) else 0.0


def _pairs(books, reports):
    """Returns the labelled book of each report that is right: {report: book}. Each is used once, the most similar first."""
    candidates = []
    for i, book in enumerate(books):
        for j, report in enumerate(reports):
            likeness = similarity(book, report) if book.get("title") else 0
            if likeness:
                shared = overlap(book["box"], box_of(report)) if book.get("box") and box_of(report) else 0.0
                candidates.append((likeness + shared + 0.2 * (report.get("confidence") or 0), i, j))
    found = {}
    for _, i, j in sorted(candidates, reverse=True):
        if i not in found.values() and j not in found:
            found[j] = i
    return found


def _is_read(title, known, together):
    wanted = [word for word in words(title) if len(word) >= 4] or words(title)
    def is_known(word):
        return word in known or len(word) >= 5 and (word in together or any(_differs_by_one(word, other) for other in known))
    return bool(wanted) and sum(map(is_known, wanted)) >= READ_SHARE * len(wanted)


@dataclasses.dataclass
class PhotoScore:
    """What was reported of one photo, beside its labels."""
    legible: int = 0
    # Legible titles that some line of the photo has.
    read: int = 0
    # Of each legible book that was found: the report's confidence, overlap of the boxes and whether the author is right, the
    # last two None where the label lacks them.
    found: list = dataclasses.field(default_factory=list)
    # Of each report that counts: its confidence, and whether it is right.
    reports: list = dataclasses.field(default_factory=list)
    missed: list = dataclasses.field(default_factory=list)
    wrong: list = dataclasses.field(default_factory=list)


def score_photo(label, photo):
    """Returns the `PhotoScore` of a scan's photo.

    Wrong reports count only where the labels are complete: not on illegible books, ignored areas and spines that the
    photo's edge cuts.
    """
    books, reports = label["books"], photo.get("books", [])
    lines = [line for book in reports for line in book.get("text", [])] + photo.get("otherText", [])
    known = {word: None for line in lines for word in words(line["text"])}
    together = "".join(known)
    unknown = [book["box"] for book in books if not book["legible"] and book.get("box")] + label.get("ignore", [])
    pairs, score = _pairs(books, reports), PhotoScore()
    for j, report in enumerate(reports):
        box = box_of(report)
        if j in pairs or not box or not (_is_cut(box) or any(is_within(box, area) for area in unknown)):
            score.reports.append((report.get("confidence") or 0, j in pairs))
            if j not in pairs:
                score.wrong.append(report)
    reported = {i: reports[j] for j, i in pairs.items()}
    for i, book in enumerate(books):
        if not book["legible"]:
            continue
        score.legible += 1
        score.read += _is_read(book["title"], known, together)
        if i not in reported:
            score.missed.append(book["title"])
            continue
        report = reported[i]
        shared = overlap(book["box"], box_of(report)) if book.get("box") and box_of(report) else None
        author = same_author(book["author"], report.get("author") or "") if book.get("author") else None
        score.found.append((report.get("confidence") or 0, shared, author))
    return score


def scores(photos, labels):
    """Returns the score of each photo of a scan's output, in the same order.

    `labels` is a folder with NAME.json for each photo NAME. Raises ValueError for a label that cannot be used.
    """
    result = []
    for photo in photos:
        file = pathlib.Path(labels) / f"{pathlib.Path(photo['path']).stem}.json"
        try:
            result.append(score_photo(json.loads(file.read_text(encoding="utf-8")), photo))
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise ValueError(f"{file} is not a label: {type(error).__name__} {error}") from error
    return result


def _share(of, whole):
    return of / whole if whole else float("nan")


def figures(photos, threshold=0.60):
    """Returns the figures of several `PhotoScore`s; README.md explains them."""
    legible = sum(photo.legible for photo in photos)
    found = [book for photo in photos for book in photo.found]
    reports = [report for photo in photos for report in photo.reports]
    accepted = [right for confidence, right in reports if confidence >= threshold]
    boxes = [shared for _, shared, _ in found if shared is not None]
    authors = [right for _, _, right in found if right is not None]
    return {
        "lines": _share(sum(photo.read for photo in photos), legible), "recall": _share(len(found), legible),
        "precision": _share(sum(right for _, right in reports), len(reports)),
        "accepted_recall": _share(sum(confidence >= threshold for confidence, _, _ in found), legible),
        "accepted_precision": _share(sum(accepted), len(accepted)),
        "box": _share(sum(shared >= SAME_BOX for shared in boxes), len(boxes)), "overlap": _share(sum(boxes), len(boxes)),
        "author": _share(sum(authors), len(authors)), "ece": _calibration_error(reports), "legible": legible,
        "reported": len(reports), "augrc": augrc(reports),
    }


def _calibration_error(reports):
    """Expected calibration error with ten bins of equal width (Guo et al., ICML 2017)."""
    bins = collections.defaultdict(list)
    for confidence, right in reports:
        bins[min(int(confidence * 10), 9)].append(min(max(confidence, 0), 1) - right)
    return _share(sum(abs(sum(bin)) for bin in bins.values()), len(reports))


def _thresholds(reports):
    """Returns (reports, wrong reports) at or above each confidence, from the highest."""
    counts, points = collections.defaultdict(lambda: [0, 0]), []
    for confidence, right in reports:
        counts[confidence][0] += 1
        counts[confidence][1] += not right
    total, wrong = 0, 0
    for confidence in sorted(counts, reverse=True):
        total, wrong = total + counts[confidence][0], wrong + counts[confidence][1]
        points.append((total, wrong))
    return points


def augrc(reports):
    """Area under the generalised risk coverage curve (Traub et al., NeurIPS 2024): the mean share of reports that are
    accepted and wrong over all thresholds, 0...0.5; less is better."""
    area, before = 0.0, (0, 0)
    for point in _thresholds(reports):
        area += (point[0] - before[0]) * (point[1] + before[1]) / 2
        before = point
    return _share(area, len(reports) ** 2)


def coverage(reports, risk=0.01):
    """Returns the largest share of reports that a threshold accepts with at most this share of them wrong."""
    return max((total for total, wrong in _thresholds(reports) if wrong <= risk * total), default=0) / max(1, len(reports))


def coverage_interval(photos, risk=0.01, samples=2000):
    """Returns the 95 % interval of `coverage` by drawing photos with replacement (percentile bootstrap)."""
    draw, values = random.Random(1), []
    for _ in range(samples):
        values.append(coverage([report for photo in draw.choices(photos, k=len(photos)) for report in photo.reports], risk))
    values.sort()
    return values[int(0.025 * samples)], values[int(0.975 * samples) - 1]


def interval(right, count):
    """Returns the 95 % interval of a share (Wilson, 1927)."""
    if not count:
        return 0.0, 1.0
    z, share = 1.959964, right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * (share * (1 - share) / count + z * z / (4 * count * count)) ** 0.5
    return middle - half, middle + half


def _self_test():
    assert title_similarity("The Secret History", "Secret History: A Novel") == 1
    assert title_similarity("Dune 2", "Dune 3") == 0 and title_similarity("Emma", "Persuasion") < SAME_TITLE
    assert title_similarity("Rome: A History", "Rome: The Cookbook") < 1
    assert same_author("J. R. R. Tolkien", "TOLKIEN") and same_author("Dostoevsky", "Dostoevski")
    assert not same_author("Jane Austen", "Paul Theroux") and not same_author("Anna Funder", "Fund")
    assert overlap([0, 0, 2, 2], [1, 0, 2, 2]) == 1 / 3 and overlap([0, 0, 1, 1], [1, 1, 1, 1]) == 0
    box = {"x": 0.4, "y": 0.4, "width": 0.1, "height": 0.2}
    label = {"photo": "a.jpg", "ignore": [[0.8, 0.8, 0.1, 0.1]], "books": [
        {"title": "Emma", "author": "Jane Austen", "legible": True, "box": [0.4, 0.4, 0.1, 0.11]},
        {"title": "Walden", "legible": True}, {"title": None, "legible": False, "box": [0.6, 0.4, 0.1, 0.2]}]}
    photo = {"path": "x/a.jpg", "otherText": [{"text": "WALDFN"}], "books": [
        {"title": "Emma", "author": "Austen", "confidence": 0.9, "boundingBox": box, "text": [{"text": "EMMA"}]},
        {"title": "Emma", "confidence": 0.7, "boundingBox": {**box, "x": 0.2}},
        {"title": "Unlabelled", "confidence": 0.8, "boundingBox": {**box, "x": 0.6}},
        {"title": "Ignored", "confidence": 0.8, "boundingBox": {**box, "x": 0.8, "y": 0.75}},
        {"title": "Cut", "confidence": 0.8, "boundingBox": {**box, "x": 0.9}}]}
    score = score_photo(label, photo)
    assert (score.legible, score.read, score.missed) == (2, 2, ["Walden"])
    [(confidence, shared, right)] = score.found
    assert (confidence, right) == (0.9, True) and abs(shared - 0.55) < 1e-9
    assert score.reports == [(0.9, True), (0.7, False)] and [book["confidence"] for book in score.wrong] == [0.7]
    result = figures([score])
    assert (result["recall"], result["precision"], result["box"], result["author"]) == (0.5, 0.5, 1, 1)
    assert abs(result["ece"] - (0.1 + 0.7) / 2) < 1e-9
    # One of two is wrong, with the lower confidence: the areas are 0 and half of a quarter.
    assert augrc([(0.9, True), (0.7, False)]) == 1 / 8 and augrc([(0.9, False), (0.7, True)]) == 3 / 8
    assert augrc([(0.5, False)] * 4) == 1 / 2
    many = [(0.9, True)] * 150 + [(0.8, False)] + [(0.7, True)] * 48 + [(0.6, False)] * 2
    assert coverage(many) == 199 / 201 and coverage([(0.9, False), (0.8, True)]) == 0
    assert coverage_interval([score] * 5) == (0.5, 0.5)
    assert all(abs(a - b) < 5e-4 for a, b in zip(interval(9, 10), (0.5958, 0.9821)))


def _compare(bench):
    """Checks that the figures are those of the script of the labelled photos, on reports that are made from its labels."""
    photos = []
    for file in sorted((bench / "labels").glob("*.json")):
        label = json.loads(file.read_text(encoding="utf-8"))
        reports = []
        for i, book in enumerate(book for book in label["books"] if book.get("title") and book.get("box")):
            title, (x, y, width, height) = book["title"], book["box"]
            shown = [title, title[1:], title + ": a novel", title[::-1], ""][i * 7 % 5]
            reports.append({"title": shown, "author": [book.get("author"), "Jane Doe", None][i % 3], "confidence": i * 37 % 100 / 100,
                            "boundingBox": {"x": x, "y": y + 0.2 * height * (i % 4), "width": width, "height": height},
                            "text": [{"text": shown}]})
        photos.append({"path": label["photo"], "books": reports, "otherText": []})
    with tempfile.NamedTemporaryFile("w", suffix=".json") as results:
        json.dump({"photos": photos}, results)
        results.flush()
        output = subprocess.run([sys.executable, bench / "evaluate.py", bench / "labels", results.name], check=True,
                                capture_output=True, text=True).stdout
    theirs, own = json.loads(output.strip().splitlines()[-1]), figures(scores(photos, bench / "labels"))
    shared = {name: (value, theirs[name]) for name, value in own.items() if name in theirs}
    assert len(shared) == 10 and all(abs(a - b) < 1e-4 for a, b in shared.values()), shared


if __name__ == "__main__":
    if sys.argv[1:] != ["--self-test"]:
        sys.exit(__doc__)
    _self_test()
    shared = pathlib.Path(os.environ.get("SHELFLIST_SHARED") or pathlib.Path(__file__).resolve().parents[2] / "shared")
    if (shared / "bench/evaluate.py").exists():
        _compare(shared / "bench")
    else:
        print(f"Not compared with the score of the labelled photos: there is no {shared / 'bench'}.")
