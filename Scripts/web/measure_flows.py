#!/usr/bin/env python3
"""Measures how long a person with a phone needs from a shelf to right books: the real server, the real reader, the
labelled photos, and the stated pauses of a human being. Run it by Scripts/web/measure.sh flows."""
import contextlib
import json
import re
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Web"), str(ROOT / "Benchmarks")]
import clearing  # noqa: E402
import conftest  # noqa: E402
import scoring  # noqa: E402
from measuring import BENCH  # noqa: E402
from online import environment, open_library  # noqa: E402
from playwright.sync_api import expect, sync_playwright  # noqa: E402

# Seconds to stand before the next part of a shelf and hold the phone still. Our own, generous estimate.
AIM = 5.0
# The longest time of one reading with all its lookups, in milliseconds.
PATIENCE = 120_000


class Shelves:
    """The labelled photos in turn, and the labels of those that were read."""

    def __init__(self):
        self.labels = [json.loads(path.read_text()) for path in sorted((BENCH / "labels").glob("*.json"))]
        self.jobs = {}

    def photo(self, label):
        return BENCH / "photos" / label["photo"]

    def truth(self, label, item):
        """Returns the labelled book at the place of an item, or None."""
        box = scoring.box_of(item)
        if not box:
            return None
        best = max(label["books"], key=lambda book: scoring.overlap(book["box"], box))
        return best if scoring.overlap(best["box"], box) > 0.4 else None

    def is_ignored(self, label, item):
        """Whether the item is in a part of the photo that is not labelled."""
        box = scoring.box_of(item)
        return bool(box) and any(scoring.is_within(box, area) for area in label.get("ignore", []))

    def is_right(self, truth, title, author):
        return scoring.similarity(truth, {"title": title, "author": author}) > 0


def names(book):
    return {"title": book["title"], "author": book["author"]}


WAYS = {"yes", "candidate", "not a book", "typed"}


class Stocktaker:
    """A person who photographs shelves and works through the queue after each photo."""

    def __init__(self, page, shelves, sleep):
        self.page, self.shelves = page, shelves
        self.person = clearing.Person(page, sleep)
        self.began = time.perf_counter()
        self.ways = {}
        # Seconds and taps until the first photo was chosen.
        self.chose = None

    @property
    def seconds(self):
        return time.perf_counter() - self.began

    @contextlib.contextmanager
    def off_the_clock(self):
        """Keeps what only the script does out of the time."""
        before = time.perf_counter()
        try:
            yield
        finally:
            self.began += time.perf_counter() - before

    def counts(self):
        return ", ".join(f"{n} {way}" for way, n in sorted(self.ways.items())) or "no review"

    def photograph(self, labels, goal=None):
        """Takes up to five photos, and waits until they are read and the sources have answered, or the library has
        `goal` right books."""
        page, person = self.page, self.person
        known = self.jobs()
        self.leave_results()
        person.tap(page.locator(".nav").get_by_role("link", name="Scan"))
        if len(labels) > 1:
            person.tap(page.get_by_role("radio", name="Up to five"))
        for _ in labels:
            person.pause(AIM + clearing.TAP)
            person.taps += 1  # the shutter
        self.chose = self.chose or (self.seconds, person.taps)
        page.set_input_files("input[type=file]:not([capture])", [self.shelves.photo(label) for label in labels])
        agree = page.get_by_role("button", name="Use photo" if len(labels) == 1 else f"Read {len(labels)}")
        done = page.locator(".results-panel h1", has_text="spines found")
        expect(agree.or_(done)).to_be_visible(timeout=PATIENCE)
        if agree.is_visible():
            person.pause(clearing.DECIDE)
            person.tap(agree)
        while not (new := self.jobs() - known):
            page.wait_for_timeout(100)
        job = new.pop()
        self.shelves.jobs[job] = labels
        while not self.is_read(job) and not (goal and self.right()[0] >= goal):
            page.wait_for_timeout(100)
        if not goal:
            expect(done).to_be_visible(timeout=PATIENCE)
            person.pause(clearing.LOOK)

    def is_read(self, job):
        job = self.fetch(f"/api/v1/scans/{job}")
        return job["status"] == "completed" and not job.get("asking")

    def leave_results(self):
        if self.page.locator(".results-panel").is_visible():
            self.close_questions()
            # Where a question is open, the results have no link to the library.
            out = self.page.get_by_role("link", name="Open library")
            self.person.tap(out.or_(self.page.locator(".results-top").get_by_role("button", name="Back")).last)
            close = self.page.get_by_role("button", name="Close the camera")
            expect(close.or_(self.page.locator(".nav")).filter(visible=True)).to_have_count(1)
            if close.is_visible():
                self.person.tap(close)

    def close_questions(self):
        """Closes the sheets that ask about second copies or signs in the photo, as soon as they open; the questions stay."""
        sheet = self.page.locator("dialog[open]")
        while True:
            with self.off_the_clock():
                self.page.wait_for_timeout(1000)
                clearing.steps.still(self.page)
                if not sheet.count():
                    return
            self.person.tap(sheet.last.get_by_role("button", name=re.compile("^(Close|Cancel)$")).last)

    def jobs(self):
        return {scan["id"] for scan in self.fetch("/api/v1/scans?limit=200")["items"]}

    def fetch(self, path):
        return self.page.evaluate("(path) => fetch(path).then((answer) => answer.json())", path)

    def books(self, job):
        return self.fetch(f"/api/v1/scans/{job}/results")["books"]

    def right(self):
        """Returns the numbers of books that are in the library and not in the queue: labelled books that are right, and
        others."""
        right = wrong = 0
        for job, labels in self.shelves.jobs.items():
            seen = []
            for book in self.books(job):
                state, label = book["library"], labels[book["photo"] - 1]
                if state["state"] != "added" or self.shelves.is_ignored(label, book):
                    continue
                truth = self.shelves.truth(label, book)
                good = truth and truth not in seen and self.shelves.is_right(truth, state["title"], state["author"])
                right, wrong = right + bool(good), wrong + (not good)
                seen.append(truth)
        return right, wrong

    def truths(self):
        """Returns the labelled book of each detection in the queue, None for what is not a book."""
        return {book["library"]["detectionId"]: self.shelves.truth(labels[book["photo"] - 1], book)
                for job, labels in self.shelves.jobs.items() for book in self.books(job)}

    def confirm_together(self):
        """Looks at the list of what was read but not checked, unticks what is wrong, and confirms the others."""
        page, person = self.page, self.person
        self.open_review()
        with self.off_the_clock():
            truths, items = self.truths(), [item for item in clearing.queue(page) if item["tier"] == "notChecked"]
        person.look_and_decide()
        person.tap(page.locator("[data-key=together]").filter(has_text="These are right"))
        person.pause(clearing.LOOK)
        rows = page.locator("dialog .right-row")
        rows.first.wait_for()
        for row in rows.all():
            title = row.locator("[name=title]").input_value()
            item = items.pop(next(i for i, item in enumerate(items) if (item["title"] or "") == title))
            person.pause(clearing.DECIDE)
            truth, tick = truths.get(item["id"]), row.get_by_role("checkbox")
            is_right = truth and self.shelves.is_right(truth, item["title"], item["author"])
            if tick.is_checked() and not is_right:
                person.tap(tick)
            way = "ticked" if is_right else "unticked"
            self.ways[way] = self.ways.get(way, 0) + 1
        person.tap(page.locator("dialog .btn.main"))
        clearing.steps.settled(page)

    def open_review(self):
        self.leave_results()
        if not self.page.locator("sl-review").is_visible():
            self.person.tap(self.page.locator(".nav").get_by_role("link", name="Review"))
        expect(self.page.locator("sl-review[data-left]")).to_be_visible()

    def review(self, until=lambda: False, ways=WAYS):
        """Decides the queue's books in its order, until `until()`. A person skips a book that cannot be decided by its
        spine. With some `ways` only, the others are skipped off the clock."""
        page, person = self.page, self.person
        self.open_review()
        left = page.locator("sl-review[data-left]")
        skip = page.get_by_role("button", name="Skip")
        with self.off_the_clock():
            truths = self.truths()
        while int(left.get_attribute("data-left")):
            with self.off_the_clock():
                card = page.locator(".queue-card.big")
                if until() or not card.is_visible():
                    return  # only fragments are left
                here = card.get_attribute("data-item")
                item, truth = next(i for i in clearing.queue(page) if i["id"] == here), truths.get(here)
                way = self.way(item, truth)
            if way in ways:
                person.look_and_decide()
                self.decide(way, item, truth)
            elif skip.is_disabled():
                return
            elif ways == WAYS:
                person.look_and_decide()
                person.tap(skip)
            else:
                with self.off_the_clock():
                    skip.tap()
            expect(page.locator(f'.queue-card[data-item="{here}"]')).to_have_count(0)

    def way(self, item, truth):
        """Returns how a person decides a book; None if not by its spine."""
        if not truth:
            return "not a book"
        if item["author"] and self.shelves.is_right(truth, item["title"], item["author"]):
            return "yes"
        if self.candidate(item, truth) is not None:
            return "candidate"
        return "typed" if truth["legible"] and truth.get("author") else None

    def candidate(self, item, truth):
        """Returns the right one of the candidates shown."""
        shown = self.page.locator(".queue-card.big .alternative")
        titles = shown.locator(".title").all_text_contents()
        right = [match["title"] for match in item["matches"]
                 if match["title"] in titles and self.shelves.is_right(truth, match["title"], match["author"])]
        return shown.nth(titles.index(right[0])) if right else None

    def decide(self, way, item, truth):
        page, person, is_right = self.page, self.person, self.shelves.is_right
        if way == "not a book":
            person.tap(page.locator(".thumb-dock [data-key=not]"))
        elif way == "yes":
            person.tap(page.locator(".thumb-dock [data-key=yes]"))
        elif way == "candidate":
            person.tap(self.candidate(item, truth))
        else:
            # Only what is missing or wrong is typed.
            wrong = [field for field in ("title", "author")
                     if not item[field] or not is_right(truth, **{**names(truth), field: item[field]})]
            clearing.correct(person, truth, wrong, lambda line: is_right(truth, truth["title"], line))
        clearing.steps.settled(page)
        self.ways[way] = self.ways.get(way, 0) + 1


@contextlib.contextmanager
def newcomer(play, answer, sleep=time.sleep):
    """Starts a server without books and the app on a phone, creates the owner, and yields the person."""
    with tempfile.TemporaryDirectory() as folder:
        server = conftest.RealServer(Path(folder) / "data")
        browser = play.chromium.launch(**conftest.chromium())
        try:
            page = browser.new_context(**conftest.PHONE, locale="en-GB", service_workers="block", permissions=["camera"]).new_page()
            me = Stocktaker(page, Shelves(), sleep)
            person = me.person
            page.goto(f"{server.address}/#/library")
            person.pause(clearing.LOOK)
            person.type(page.get_by_label("Name"), "Ada")
            person.type(page.get_by_label("Password"), "a shelf of one's own")
            person.tap(page.get_by_role("button", name="Create account"))
            person.look_and_decide()
            # Hashing the password takes seconds on a busy machine.
            page.get_by_role("button", name=answer).wait_for(timeout=60_000)
            person.tap(page.get_by_role("button", name=answer))
            page.locator(".empty").wait_for()
            yield me
        finally:
            browser.close()
            server.close()


def row(what, measured, wanted):
    print(f"| {what} | {measured} | {wanted} |", flush=True)


def figures(me):
    right, wrong = me.right()
    person = me.person
    seconds, taps = me.chose
    return (f"{me.seconds:.0f} s, {person.taps} taps and {person.letters} letters for {right} right books ({wrong} wrong; {me.counts()}); "
            f"of these {me.seconds - seconds:.0f} s and {person.taps - taps} taps after the first photo was chosen")


def main(play):
    print("| what | measured | wanted |\n| --- | --- | --- |")
    labels = Shelves().labels
    homes = [label for label in labels if label["photo"].startswith("home")]
    with newcomer(play, "Work offline") as me:
        me.photograph(homes[:2])  # 42 books
        me.confirm_together()
        if me.right()[0] < 25:
            me.review(lambda: me.right()[0] >= 25)
        row("newcomer without catalog and network, two photos of a home", figures(me), "25 right books, 60 s and 12 taps after the photo")
    with tempfile.TemporaryDirectory() as folder, open_library(folder) as (address, _), \
            environment(SHELFLIST_OPENLIBRARY_URL=address):
        # Without a contact the server sends one request a second.
        with newcomer(play, "Use Open Library") as me:
            me.photograph(homes, goal=25)
            row("newcomer with a source, one request a second, three photos of a home", figures(me), "25 right books, 30 s and 5 taps after the photo")
        with environment(SHELFLIST_CONTACT="benchmark@example.org"), newcomer(play, "Use Open Library", sleep=None) as me:
            for first in range(0, len(labels), 5):
                me.photograph(labels[first:first + 5])
            me.person.sleep, began, right, human = time.sleep, me.seconds, me.right()[0], me.person.human
            me.review(lambda: sum(me.ways.values()) >= 10, ways={"yes", "candidate"})
            row("reviews of books that are read or offered rightly", f"{sum(me.ways.values())} in {me.seconds - began:.0f} s ({me.counts()})",
                "10 in under 60 s")
            me.person.sleep = None
            me.review()
            (books, wrong), seconds = me.right(), me.person.human
            row(f"a person's time for 1,000 right books, extrapolated from {len(labels)} photos, with a review of all",
                f"{seconds / books / 60 * 1000:.0f} min ({seconds:.0f} s for {books}, {wrong} wrong; {right} were added by themselves in "
                f"{human:.0f} s; {me.counts()})", "under 60 min")
    print(f"\nHuman times: {clearing.LOOK:g} s of looking and {clearing.DECIDE:g} s of deciding a book, only that for a row of a list, {clearing.TAP:g} s a tap, "
          f"{clearing.KEY:.2f} s a letter, {AIM:g} s to aim the phone.")


with sync_playwright() as driver:
    main(driver)
