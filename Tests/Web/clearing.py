"""Simulates a person who reviews ten books on a phone: without pauses in the tests, with human pauses in
Scripts/web/measure.sh review."""
import re
import unicodedata

import steps
from pictures import TRUTH
from playwright.sync_api import expect

# Seconds. Typing: 36.2 words a minute on a phone (Palin et al., MobileHCI 2019). Deciding: 1.35 s of mental preparation
# (Card, Moran and Newell, 1980). The others are our own, generous estimates.
LOOK, DECIDE, TAP, SWIPE, KEY = 3.0, 1.35, 0.5, 0.7, 60 / (36.2 * 5)


class Person:
    """Touches, and pauses where `sleep` is given. `human` adds up the pauses of a human being, in seconds; `taps` and
    `letters` are counted."""

    def __init__(self, page, sleep=None):
        self.page, self.sleep, self.human = page, sleep, 0.0
        self.taps = self.letters = 0
        self.touch = page.context.new_cdp_session(page)

    def pause(self, seconds):
        self.human += seconds
        if self.sleep:
            self.sleep(seconds)

    def look_and_decide(self):
        self.pause(LOOK + DECIDE)

    def tap(self, target):
        self.pause(TAP)
        self.taps += 1
        target.tap()

    def type(self, field, text):
        """Replaces the text of a field, key by key."""
        self.tap(field)
        self.pause(TAP)  # a second, longer touch selects all
        field.press("ControlOrMeta+a")
        for character in text:
            self.pause(KEY)
            self.letters += 1
            self.page.keyboard.insert_text(character)

    def swipe(self, card, by):
        """Swipes a card sideways by CSS px."""
        self.pause(SWIPE)
        self.taps += 1
        card.scroll_into_view_if_needed()
        box = card.bounding_box()
        x, y = box["x"] + box["width"] / 2 - by / 2, box["y"] + 24

        now = self.page.evaluate("Date.now()") / 1000

        def send(kind, after, *points):
            self.touch.send("Input.dispatchTouchEvent", {
                "type": kind, "timestamp": now + after, "touchPoints": [{"x": px, "y": y} for px in points]})
        send("touchStart", 0, x)
        for step in range(1, 9):
            send("touchMove", step * 0.01, x + by * step / 8)
        # Rests before lifting: the browser would treat the next tap as the end of a fling.
        send("touchMove", 0.3, x + by)
        send("touchEnd", 0.5)


def plain(text):
    text = unicodedata.normalize("NFKD", text or "").casefold()
    return " ".join(re.findall(r"\w+", "".join(c for c in text if not unicodedata.combining(c))))


def truth_of(item):
    """Returns the real book at this place, or None."""
    def shared(book):
        (x, y, w, h), box = book["box"], item["boundingBox"]
        wide = min(x + w, box["x"] + box["width"]) - max(x, box["x"])
        high = min(y + h, box["y"] + box["height"]) - max(y, box["y"])
        both = max(0, wide) * max(0, high)
        return both / (w * h + box["width"] * box["height"] - both)
    best = max(TRUTH["books"], key=shared)
    return best if shared(best) > 0.4 else None


def is_right(item, truth):
    return plain(item["title"]) == plain(truth["title"]) and plain(item["author"]) == plain(truth["author"])


def queue(page):
    return page.evaluate("fetch('/api/v1/review?limit=200').then((r) => r.json())")["items"]


def clear(page, books, sleep=None):
    """Decides the first `books` of the queue, the most certain first. Returns the decisions and the pauses.

    Books read correctly are verified, by swipe and by button in turns; others are corrected by hand and by a match
    in turns; what is not a book is rejected.
    """
    person, done = Person(page, sleep), []
    page.locator(".queue-card[data-item]").wait_for()
    for _ in range(books):
        waiting = queue(page)
        card = page.locator(".queue-card").first
        here = card.get_attribute("data-item")
        item = next(i for i in waiting if i["id"] == here)
        truth = truth_of(item)
        person.look_and_decide()
        said = sum(d["how"] in ("swipe", "button") for d in done)
        mended = sum(d["how"] in ("typed", "match") for d in done)
        if not truth:
            how = "not a book"
            person.swipe(card, -180)
        elif is_right(item, truth):
            how = "button" if said % 2 else "swipe"
            if said % 2:
                person.tap(page.locator(".thumb-dock [data-key=yes]"))
            else:
                person.swipe(card, 180)
        elif mended % 2:
            how = "match"
            match(person, truth)
        else:
            how = "typed"
            correct(person, truth)
        expect(page.locator(f'.queue-card[data-item="{here}"]')).to_have_count(0)
        expect(page.locator(".nav .badge [aria-hidden]")).to_have_text(str(len(waiting) - 1))
        done.append({"how": how, "entry": item["entryId"], "read": [item["title"], item["author"]], "truth": truth and [truth["title"], truth["author"]]})
        steps.settled(page)
    return done, person.human


def correct(person, truth, fields=("title", "author"), is_right=None):
    """Types the fields. A missing author is taken from a line that was read, where `is_right(line)`."""
    page = person.page
    person.tap(page.locator(".thumb-dock [data-key=edit]"))
    form = page.locator(".correct-form")
    for field in fields:
        box, lines = form.get_by_role("textbox", name=field.capitalize(), exact=True), form.locator(".read-word")
        useful = [n for n, line in enumerate(lines.all_inner_texts()) if is_right and is_right(line.rstrip(" ·"))]
        if field == "author" and useful and not box.input_value():
            person.tap(lines.nth(useful[0]))
        else:
            person.type(box, truth[field])
    person.tap(page.get_by_role("button", name=re.compile("^Save")))
    expect(page.locator(".undo")).to_contain_text("Saved: ")
    leave(page)


def leave(page):
    """Returns to the queue from the next book, or stays there after the last one."""
    back, queue = page.get_by_role("button", name="Back"), page.get_by_role("heading", level=1, name="Review")
    expect(back.or_(queue)).to_be_visible()
    if back.is_visible():
        back.tap()
    expect(queue).to_be_visible()


def match(person, truth):
    page = person.page
    person.tap(page.locator(".thumb-dock [data-key=edit]"))
    person.tap(page.get_by_role("button", name="Find a match"))
    sheet = page.get_by_role("dialog", name="Find a match")
    row = sheet.locator(".match-row", has_text=truth["title"]).first
    # Searches for the text read; if nothing is found, types what the spine says.
    expect(sheet.locator(".match-row:not(.ghost), .match-list > p").first).to_be_visible()
    if not row.is_visible():
        person.type(sheet.get_by_role("searchbox", name="Search for"), truth["title"])
    person.pause(DECIDE)
    person.tap(row)
    person.pause(LOOK)  # what will change
    person.tap(sheet.get_by_role("button", name="Use this match"))
    expect(page.locator(".undo")).to_contain_text("Matched: ")
    person.pause(TAP)
    leave(page)
