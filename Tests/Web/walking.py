"""A random walk through the app: taps and types as the seed says, and collects what is wrong on each screen."""
import random
import re
from collections import Counter
from pathlib import Path

import steps
from conftest import ALL, FAILED_REQUEST, SHELF, picture, poor_photo, small_photo
from playwright.sync_api import Error

LOOKS = (Path(__file__).parent / "looks.js").read_text()
# Print dialogs and windows outside of the app would end the walk.
STUBS = "window.print = () => {}; window.open = () => null; navigator.share = async () => {};"
# Taps after which the walk begins at another screen, so that it comes to all of them.
LEG = 9
# What is not tapped, by the key of its label: the walk would be signed out.
FORBIDDEN = ["settings.signOut"]
# The labels of what leaves a screen, a sheet or a selection.
EXITS = ["common.back", "common.close", "common.cancel", "common.done", "scan.leave"]
# Answers with an error that are part of a conversation: another password is asked for, a form is refused with a reason,
# the same book was changed elsewhere, or removed by an Undo; the view finder asks as often as the server likes; the servers of
# the dumps cannot be reached.
CONVERSATION = {401: "/session", 403: "", 404: "", 409: "", 422: "", 429: "/preview", 503: "/catalog/download/estimate"}
WORDS = ["Middlemarch", "9780141439518", "Ursula K. Le Guin", "Zürich", "12", "Der Zauberberg", "2024-05-01", "ספר"]
TEXT = {"text", "search", "textarea", "url", "email", "tel"}


def furnish(server):
    """Fills a library: books without a photo, books of a scan, unsure ones, a second copy, gaps, shelves in shelves, loans."""
    house = server.call("POST", "/shelves", {"name": "House"})["id"]
    long = "Wohnzimmer, das lange Regal hinter dem Sofa an der Wand zum Treppenhaus"
    server.call("POST", "/shelves", {"name": long, "parent": house})
    server.give_catalog(ALL[:20])
    hall = server.call("POST", "/shelves", {"name": "Hall shelf", "parent": house})["id"]
    for photo in (SHELF, picture("without.jpg")):
        server.scan(photo, shelf=hall, **{"import": "true"})
    server.scan(poor_photo(), **{"import": "true"})
    server.scan(small_photo())
    books = server.books()
    server.add(title="Donaudampfschifffahrtsgesellschaftskapitän", authors=["Karl-Theodor von Schwarzenfels"], correction={"series": "Flüsse, #1"})
    server.add(title="Das große Buch der Verwaltungsverfahrensvorschriften in der Praxis", authors=["A. Person"], correction={"series": "Flüsse, #4"})
    server.call("POST", "/library/bulk", {"ids": [books[0]["id"]], "readingStatus": "read"})
    return hall, books[1]["id"]


def routes(server, hall, book):
    """The screens of the app at which legs begin."""
    scans = [job["id"] for job in server.call("GET", "/scans?limit=10")["items"]]
    waiting = [item["id"] for item in server.call("GET", "/review?limit=50")["items"] if item["kind"] == "detection"]
    return ["/library", "/search", f"/library/{book}", "/shelves", f"/shelves/{hall}", "/series", "/stocktakes", "/stats", "/import", "/add", "/own",
            "/scan", "/scans", *(f"/results/{scan}" for scan in scans), "/review", "/review/automatic", *(f"/review/{one}" for one in waiting[:2]),
            "/settings", *(f"/settings/{page}" for page in ("account", "reading", "library", "server", "catalog"))]


def is_navigation(error):
    """Whether the browser left the page while it was asked."""
    return any(sign in str(error) for sign in ("navigation", "Execution context", "destroyed"))


class Walk:
    """A walk of some taps. `findings` are the things that are wrong, with the taps before each."""

    def __init__(self, page, starts, seed):
        self.page, self.starts, self.chance = page, starts, random.Random(seed)
        self.findings, self.path, self.visits, self.taps = {}, [], Counter(), 0
        self.open_requests = set()
        for name in ("requestfinished", "requestfailed"):
            page.on(name, lambda r: self.open_requests.discard(r))  # Playwright notes an attribute on it
        # A stream does not end, and what a worker loads, as /vendor is, is not said to.
        page.on("request", lambda r: self.open_requests.add(r)
                if r.url.startswith("http") and not re.search("/events|/vendor/", r.url) and r.resource_type != "script" else None)
        page.add_init_script(f"{STUBS} globalThis.looks = {LOOKS}")

    # ---- what is wrong

    def found(self, what):
        screen = re.sub(r"[0-9A-Fa-f-]{20,}", "ID", self.page.url.split("#")[-1].split("?")[0])
        self.findings.setdefault(f"{screen}: {what}", list(self.path[-4:]))

    def look(self):
        """Checks the screen that is shown."""
        page = self.page
        # A module that is loaded only now may still draw: only what stays is a problem.
        for _ in range(20):
            self.settle()
            try:
                problems = page.evaluate(
                    "async (exits) => [...looks.covered(), ...looks.texts(), ...looks.dead(exits), ...await looks.unfinished()]", self.exits)
            except Error as error:
                if not is_navigation(error):
                    raise
                return self.look()
            if not problems:
                break
        for problem in problems:
            self.found(problem)
        for text in page.errors:
            if not any(sign in text for sign in FAILED_REQUEST):
                self.found(f"console: {text[:200]}")
        for answer in page.refused:
            status, method, url = answer.split(" ", 2)
            if CONVERSATION.get(int(status)) is None or CONVERSATION[int(status)] not in url:
                self.found(f"{status} {method} {re.sub(r'[0-9A-Fa-f-]{20,}', 'ID', url.split('/api/v1')[-1])}")
        for field in page.unknown:
            self.found(f"the server does not know the field {field}")
        page.errors.clear(), page.refused.clear(), page.unknown.clear()

    def settle(self):
        """Waits for answers and pictures, and ends what moves. A navigation begins it again."""
        for _ in range(5):
            try:
                steps.until(self.page, lambda: not self.open_requests)
                return steps.finish_animations(self.page)
            except AssertionError:
                self.found(f"no answer to {sorted(r.url for r in self.open_requests)}")
                self.open_requests.clear()
            except Error as error:
                if not is_navigation(error):
                    raise

    # ---- what is done

    def open(self, path):
        try:
            self.page.open(path)
        except Error as error:
            if "wait_for_function" not in str(error):
                raise
            self.found("a closed sheet stays in the history")
            self.page.goto(f"{self.page.server.address}/#{path}")

    def begin(self, path):
        self.open("/library")
        self.settle()
        self.open(path)
        self.path = [path]
        self.exits, self.forbidden = self.labels(EXITS), self.labels(FORBIDDEN)
        self.look()

    def labels(self, keys):
        """The words of the keys in every language: the walk may choose another one."""
        return self.page.evaluate("""async (keys) => {
          const names = ["first/en", "en", "first/de", "de"];
          const files = await Promise.all(names.map((name) => import(`/i18n/${name}.js`)));
          return files.flatMap(({ default: words }) => keys.map((key) => words[key])).filter(Boolean);
        }""", keys)

    def walk(self, taps):
        while self.taps < taps:
            self.begin(self.starts[self.taps // LEG % len(self.starts)])
            for _ in range(min(LEG, taps - self.taps)):
                self.step()
                self.look()

    def choose(self):
        """Returns a control, of those that were used least often."""
        controls = self.page.evaluate_handle("() => looks.controls()")
        described = controls.evaluate("(all) => all.map(looks.describe)")
        here = self.page.url.split("#")[-1].split("/")[1:2]
        open_ = [i for i, one in enumerate(described) if not any(word and word in one["name"] for word in self.forbidden)
                 and one["kind"] != "password" and not one["isNew"] and (not one["href"] or one["href"].startswith("#"))]
        if not open_:
            return None, None
        key = lambda i: (*here, re.sub(r"\d+", "n", described[i]["call"]))  # noqa: E731
        least = min(self.visits[key(i)] for i in open_)
        chosen = self.chance.choice([i for i in open_ if self.visits[key(i)] <= least + 1])
        self.visits[key(chosen)] += 1
        return controls.evaluate_handle("(all, i) => all[i]", chosen).as_element(), described[chosen]

    def step(self):
        """One tap, or one text, and now and then Back after it."""
        self.taps += 1
        element, what = self.choose()
        if not element:
            return self.back()
        self.path.append(what["call"])
        try:
            if what["kind"] == "tap":
                self.tap(element, what)
            else:
                self.enter(element, what)
        except Error as error:
            # A list that is drawn again has another element in this place.
            if "not attached" not in str(error) and not is_navigation(error):
                raise

    def tap(self, element, what):
        place = element.evaluate("(e) => looks.place(e)")
        if place["under"]:
            # A screen that was still being filled has covered or hidden it.
            self.settle()
            if not element.is_visible():
                return
            place = element.evaluate("(e) => looks.place(e)")
        if place["under"]:
            self.found(f"{what['call']} cannot be tapped: {place['under']} lies on it")
        elif self.page.viewport_size["width"] < 700:
            self.page.touchscreen.tap(place["x"], place["y"])
        else:
            self.page.mouse.click(place["x"], place["y"])

    def enter(self, element, what):
        kind = what["kind"]
        if kind == "select":
            options = element.evaluate("(e) => [...e.options].filter((o) => !o.disabled).map((o) => o.value)")
            element.select_option(self.chance.choice(options))
        elif kind == "range":
            element.press("ArrowRight")
        elif kind == "date":
            element.fill("2026-05-01")
        elif kind == "number":
            element.fill(str(self.chance.randint(0, 2000)))
        elif kind in TEXT:
            was = element.input_value()
            element.fill(self.chance.choice(WORDS))
            # What the field has room for. Where it was there before, nothing is lost. A code of an authenticator is over
            # within a minute.
            text = element.input_value()
            lasts = kind != "search" and text != was and element.get_attribute("autocomplete") != "one-time-code"
            if lasts and self.chance.random() < 0.5:
                self.leave_and_return(element, what, text)

    def back(self):
        self.path.append("Back")
        self.page.go_back()

    def leave_and_return(self, element, what, text):
        """Presses Back, and looks for the text: it is still there, or a question asks about it, or it comes back with
        its screen."""
        self.settle()
        self.back()
        self.settle()
        holds = "(text) => [...document.querySelectorAll('input, textarea')].some((e) => e.value.includes(text))"
        if self.page.evaluate(holds, text):
            return
        self.page.go_forward()
        self.settle()
        if not self.page.evaluate(holds, text):
            self.found(f"{what['call']} loses its text after Back")
