"""The queue holds everything that waits for a person: one test for each kind, against the real server."""
import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import conftest
import pytest
import standin
from playwright.sync_api import expect

pytestmark = [pytest.mark.limit(600), pytest.mark.sizes("phone", "desktop")]

BOOKS = standin.TRUTH["books"]
# The book that the second photo of the shelf does not show.
GONE = "Faust"
LIST = "Title,Author\nDune,Frank Herbert\n,Ann Other\n"


def send(app, method, path, body=None):
    """Sends a request as the signed-in user, and returns the answer."""
    return app.evaluate(
        """async ([method, path, body]) => {
            const options = { method, ...(body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {}) };
            const answer = await fetch(`/api/v1${path}`, options);
            return answer.status === 204 ? null : answer.json();
        }""", [method, path, body])


def wait(app, path, condition):
    """Waits until the answer of a path fulfils a condition, an expression of `answer`."""
    app.evaluate(
        """async (path) => {
            const isMet = (answer) => CONDITION;
            while (!isMet(await (await fetch(`/api/v1${path}`)).json())) await new Promise((resolve) => setTimeout(resolve, 100));
        }""".replace("CONDITION", condition), path)


def add(app, title, author):
    return send(app, "POST", "/library", {"title": title, "authors": [author], "duplicates": "addCopy"})


def counts(app):
    return send(app, "GET", "/review/counts")


def titles(app):
    return sorted(b["title"] for b in send(app, "GET", "/library?limit=500")["items"])


def import_list(app, text):
    job = app.evaluate(
        """async (text) => {
            const api = await import('/lib/api.js');
            const job = await api.importFile(new File([text], 'books.csv', { type: 'text/csv' }));
            await api.startImport(job.id, {});
            return job.id;
        }""", text)
    wait(app, f"/imports/{job}", "answer.status === 'completed'")


def cards(app):
    return app.locator(".queue-card.other")


def undo(app):
    app.locator(".undo").get_by_role("button", name="Undo").click()


def test_duplicate_questions_are_answered_on_their_card(real_app):
    for _ in range(2):
        add(real_app, "Emma", "Jane Austen")
    real_app.open("/review")
    card = cards(real_app)
    expect(card).to_have_count(1)
    expect(card).to_contain_text("In your library")
    expect(real_app.get_by_role("link", name="Review").first).to_contain_text("1")
    card.get_by_role("button", name="Same book").click()
    expect(cards(real_app)).to_have_count(0)
    assert titles(real_app) == ["Emma"]
    undo(real_app)
    expect(cards(real_app)).to_have_count(1)
    assert titles(real_app) == ["Emma", "Emma"]
    cards(real_app).get_by_role("button", name="Different book").click()
    expect(real_app.locator(".all-done")).to_be_visible()
    assert titles(real_app) == ["Emma", "Emma"] and counts(real_app)["total"] == 0
    assert real_app.errors == []


def test_rows_that_failed_wait_with_the_reason_also_after_a_restart(real_app, real):
    import_list(real_app, LIST)
    port = real.port
    real.stop()
    real.port = port
    real.start()
    real_app.open("/review")
    card = cards(real_app)
    expect(card).to_contain_text("Ann Other")
    expect(card).to_contain_text("books.csv, line 3")
    card.get_by_role("button", name="Dismiss").click()
    expect(cards(real_app)).to_have_count(0)
    undo(real_app)
    expect(cards(real_app)).to_have_count(1)
    cards(real_app).get_by_role("button", name="Add by hand").click()
    expect(real_app.get_by_role("searchbox")).to_have_value("Ann Other")


@pytest.fixture
def gap(real_app, real):
    """A shelf whose second scan misses a book; returns its title."""
    real.give_catalog([(b["title"], b["author"], b["isbn"]) for b in BOOKS])
    real_app.reload()
    shelf = send(real_app, "POST", "/shelves", {"name": "Hall"})["id"]
    x, y, width, height = next(b["box"] for b in BOOKS if b["title"] == GONE)
    wall = f"drawbox=x=iw*{x}:y=ih*{y}:w=iw*{width}:h=ih*{height}:color=0x2a2018:t=fill,eq=brightness=0.02"
    for photo in (conftest.SHELF, conftest.made(f"without-{GONE}-once.jpg", "-vf", wall, "-q:v", "3")):
        job = real_app.evaluate(
            """async ([bytes, shelf]) => {
                const form = new FormData();
                form.append('shelf', shelf);
                form.append('import', 'true');
                form.append('photo', new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], 'a.jpg', { type: 'image/jpeg' }));
                return (await (await fetch('/api/v1/scans', { method: 'POST', body: form })).json()).jobId;
            }""", [base64.b64encode(photo.read_bytes()).decode(), shelf])
        wait(real_app, f"/scans/{job}/events?after=0", "answer.done")
    return GONE


def show_missing(app):
    """Opens the queue with the missing books alone."""
    app.open("/review")
    app.locator(".chip", has_text="Missing").click()


def test_a_book_that_a_new_scan_misses_is_found_lent_or_removed(real_app, gap):
    missing = counts(real_app)["missing"]
    assert 1 <= missing <= 3, "the book, and at most two that the reader read otherwise"
    show_missing(real_app)
    card = cards(real_app).filter(has_text=gap)
    expect(card).to_contain_text("Hall")
    expect(card.locator("canvas.drawn")).to_be_visible()
    card.get_by_role("button", name="Found").click()
    expect(card).to_have_count(0)
    assert counts(real_app)["missing"] == missing - 1
    undo(real_app)
    if missing == 1:
        show_missing(real_app)
    expect(card).to_have_count(1)
    card.get_by_role("button", name="What happened").click()
    menu = real_app.get_by_role("dialog")
    for name in ("Found", "Lent", "Moved to", "Remove"):
        expect(menu.get_by_role("button", name=name)).to_be_visible()
    menu.get_by_role("button", name="Remove").click()
    expect(card).to_have_count(0)
    assert gap not in titles(real_app)
    undo(real_app)
    wait(real_app, "/review/counts", f"answer.missing === {missing}")
    assert gap in titles(real_app) and real_app.errors == []


class OpenLibrary(BaseHTTPRequestHandler):
    """Open Library, which knows only “Emma”, without a cover."""

    def do_GET(self):
        known = "emma" in self.path.lower()
        docs = [{"key": "/works/OL1W", "title": "Emma", "author_name": ["Jane Austen"], "first_publish_year": 1815, "isbn": ["9780141439587"], "cover_i": 7,
                 "publisher": ["Penguin"], "number_of_pages_median": 512}] if known and "/search" in self.path else []
        if self.path.startswith("/b/id/"):
            return self.reply("image/jpeg", conftest.small_photo().read_bytes())
        self.reply("application/json", json.dumps({"numFound": len(docs), "docs": docs}).encode())

    def reply(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def open_library(monkeypatch):
    front = ThreadingHTTPServer(("127.0.0.1", 0), OpenLibrary)
    threading.Thread(target=front.serve_forever, daemon=True).start()
    monkeypatch.setenv("SHELFLIST_OPENLIBRARY_URL", f"http://127.0.0.1:{front.server_address[1]}")
    yield
    front.shutdown()
    front.server_close()


def test_all_books_without_a_record_are_found_with_one_tap(open_library, real, page):
    app = conftest.entered(page, real, "Ask Open Library online")
    add(app, "Emma", "Jane Austen")
    add(app, "Zzyzx Unheard Of", "Ann Other")
    app.open("/review")
    line = app.locator(".changed-line", has_text="2 books without")
    expect(line).to_be_visible()
    assert counts(app)["total"] == 0, "they do not nag"
    line.get_by_role("button", name="Find for all").click()
    expect(app.locator(".undo")).to_contain_text("of 2", timeout=60_000)
    [emma] = [b for b in send(app, "GET", "/library")["items"] if b["title"] == "Emma"]
    assert emma["year"] == 1815
    undo(app)
    expect(line).to_be_visible()
    [emma] = [b for b in send(app, "GET", "/library")["items"] if b["title"] == "Emma"]
    assert emma["year"] is None and app.errors == []


def test_without_a_source_the_line_offers_to_turn_one_on(real_app):
    add(real_app, "Emma", "Jane Austen")
    real_app.open("/review")
    real_app.get_by_role("button", name="Find for all").click()
    expect(real_app.locator(".no-source")).to_contain_text("No source is on")
    expect(real_app.get_by_role("button", name="Turn one on")).to_be_visible()
    assert real_app.errors == []


def test_kinds_are_filtered(real_app):
    import_list(real_app, LIST)
    for _ in range(2):
        add(real_app, "Emma", "Jane Austen")
    real_app.open("/review")
    expect(cards(real_app)).to_have_count(2)
    real_app.locator(".chip", has_text="Failed rows").click()
    expect(cards(real_app)).to_have_count(1)
    expect(cards(real_app)).to_contain_text("Ann Other")
    real_app.locator(".chip", has_text="Failed rows").click()
    expect(cards(real_app)).to_have_count(2)
    assert real_app.errors == []
