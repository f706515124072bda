"""Books that Open Library identifies after the result was shown: real server, real reader, and a server with Open
Library's rules."""
import csv
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import conftest
import pytest
import steps
from playwright.sync_api import expect
from standin import TRUTH

pytestmark = [pytest.mark.limit(600), pytest.mark.sizes("phone")]
STUB = Path(os.environ.get("SHELFLIST_SHARED", conftest.ROOT.parent / "shared")) / "bench/open_library_stub.py"


class Gate(BaseHTTPRequestHandler):
    """Passes requests on to another server, and waits with each until the gate is open: at most 7 s, because Shelflist waits
    for 8."""
    behind: str
    open: threading.Event

    def do_GET(self):
        self.open.wait(7)
        asked = urllib.request.Request(self.behind + self.path, headers={"User-Agent": self.headers.get("User-Agent", "")})
        try:
            answer = urllib.request.urlopen(asked, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            status, body = answer.status, answer.read()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def open_library(tmp_path, monkeypatch):
    """Open Library with the books of the example; answers once the event that this returns is set."""
    if not STUB.exists():
        pytest.skip("there is no ../shared/bench/open_library_stub.py; SHELFLIST_SHARED may name the folder shared")
    books = tmp_path / "books.csv"
    with books.open("w", newline="", encoding="utf-8") as file:
        rows = [{"title": b["title"], "author": b["author"]} for b in TRUTH["books"]]
        writer = csv.DictWriter(file, ["title", "author"])
        writer.writeheader()
        writer.writerows(rows)
    stub = subprocess.Popen([sys.executable, STUB, books, "--latency", "0.05"], stdout=subprocess.PIPE, text=True)
    address = stub.stdout.readline().strip()
    gate = type("Gate", (Gate,), {"behind": address, "open": threading.Event()})
    front = ThreadingHTTPServer(("127.0.0.1", 0), gate)
    threading.Thread(target=front.serve_forever, daemon=True).start()
    monkeypatch.setenv("SHELFLIST_OPENLIBRARY_URL", f"http://127.0.0.1:{front.server_address[1]}")
    yield gate.open
    gate.open.set()
    front.shutdown()
    front.server_close()
    stub.kill()
    stub.wait(20)


def test_answers_reach_results_library_and_person_also_after_a_reload(open_library, real, page):
    app = conftest.entered(page, real, "Ask Open Library online", asks=False)
    steps.review_more(app)
    steps.read_shelf(app, conftest.poor_photo())
    panel = app.locator(".results-panel")
    expect(panel).to_contain_text("Asking the sources")
    app.reload()
    expect(panel.locator("h1")).to_contain_text("spines found")
    expect(panel).to_contain_text("Asking the sources")
    unsure = app.evaluate("fetch('/api/v1/review/counts').then((r) => r.json()).then((c) => c.total)")
    assert unsure > 0
    open_library.set()
    expect(panel).to_contain_text("Open Library identified", timeout=60_000)
    expect(panel).not_to_contain_text("Asking the sources", timeout=60_000)
    # The server settles the books while the results are open: what waits there is what waits in the library.
    states = app.evaluate("""async () => {
        const json = (path) => fetch(`/api/v1/scans${path}`).then((answer) => answer.json());
        const { books } = await json(`/${(await json("")).items[0].id}/results`);
        return books.map((book) => book.library.state);
    }""")
    assert "open" not in states
    expect(panel.locator("[data-key=add]")).to_have_count(0)
    review = panel.locator("[data-key=review]")
    if waiting := states.count("review"):
        expect(review).to_have_text(f"Review {waiting}")
    else:
        expect(review).to_have_count(0)
    panel.locator("a.changed-line").click()
    cards = app.locator(".change-card")
    verified = cards.filter(has_text="Verified")
    expect(verified.first).to_contain_text("Open Library")
    titles = {b["title"] for b in TRUTH["books"]}
    for card in verified.all():
        card.scroll_into_view_if_needed()
        expect(card.locator("canvas.drawn")).to_be_visible()
        assert card.locator(".title").text_content() in titles
    count, left = cards.count(), app.evaluate("fetch('/api/v1/review/counts').then((r) => r.json()).then((c) => c.total)")
    assert left < unsure
    title = verified.first.locator(".title").text_content()
    verified.first.get_by_role("button").click()
    expect(cards).to_have_count(count - 1)
    expect(app.locator("#live")).to_contain_text("Undone:")
    app.open("/review")
    steps.left(app, left + 1)
    if count > 1:
        app.locator("a.changed-line").click()
        app.get_by_role("button", name="Mark as seen").click()
        expect(app.get_by_role("region", name="Earlier").locator(".change-card")).to_have_count(count - 1)
    app.reload()
    expect(app.locator(".change-card, .queue-card, .empty").first).to_be_visible()
    assert title and app.errors == []
