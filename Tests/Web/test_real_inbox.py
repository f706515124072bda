"""The queue holds everything that waits for a person: one test for each kind."""
import open_library as stand_in
import pytest
from conftest import ALL, SHELF, picture, small_photo
from pictures import GONE
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone")]

LIST = "Title,Author\nDune,Frank Herbert\n,Ann Other\n"


def counts(app):
    return app.server.call("GET", "/review/counts")


def titles(app):
    return sorted(b["title"] for b in app.server.books())


def import_list(app, text):
    app.open("/library")
    app.evaluate(
        """async (text) => {
            const api = await import('/lib/api.js');
            const job = await api.importFile(new File([text], 'books.csv', { type: 'text/csv' }));
            await api.startImport(job.id, {});
            while ((await (await fetch(`/api/v1/imports/${job.id}`)).json()).status !== "completed") {
                await new Promise((resolve) => setTimeout(resolve, 50));
            }
        }""", text)


def cards(app):
    return app.locator(".queue-card.other")


def undo(app):
    with app.expect_response(lambda answer: answer.request.method == "POST" and "/undo" in answer.url):
        app.locator(".undo").get_by_role("button", name="Undo").click()


def test_duplicate_questions_are_answered_on_their_card(app):
    for _ in range(2):
        app.server.add(title="Emma", authors=["Jane Austen"])
    app.open("/review")
    card = cards(app)
    expect(card).to_have_count(1)
    expect(card).to_contain_text("In your library")
    expect(app.get_by_role("link", name="Review").first).to_contain_text("1")
    card.get_by_role("button", name="Same book").click()
    expect(cards(app)).to_have_count(0)
    assert titles(app) == ["Emma"]
    undo(app)
    expect(cards(app)).to_have_count(1)
    assert titles(app) == ["Emma", "Emma"]
    cards(app).get_by_role("button", name="Different book").click()
    expect(app.locator(".all-done")).to_be_visible()
    assert titles(app) == ["Emma", "Emma"] and counts(app)["total"] == 0
    assert app.refused == []


def test_rows_that_failed_wait_with_the_reason_also_after_a_restart(app, server):
    import_list(app, LIST)
    server.stop()
    server.start()
    app.open("/review")
    card = cards(app)
    expect(card).to_contain_text("Ann Other")
    expect(card).to_contain_text("books.csv, line 3")
    card.get_by_role("button", name="Dismiss").click()
    expect(cards(app)).to_have_count(0)
    undo(app)
    expect(cards(app)).to_have_count(1)
    cards(app).get_by_role("button", name="Add by hand").click()
    expect(app.get_by_role("searchbox")).to_have_value("Ann Other")


@pytest.fixture
def gap(server):
    """A shelf whose second scan misses a book; returns its title."""
    server.give_catalog(ALL)
    shelf = server.call("POST", "/shelves", {"name": "Hall"})["id"]
    for photo in (SHELF, picture("without.jpg")):
        server.scan(photo, shelf=shelf, **{"import": "true"})
    return GONE


def show_missing(app):
    """Opens the queue with the missing books alone; where it has no other rows, there is nothing to choose."""
    app.open("/review")
    found = counts(app)
    if found["total"] > found["missing"]:
        app.locator(".chip", has_text="Missing").click()


def test_a_book_that_a_new_scan_misses_is_found_lent_or_removed(app, gap):
    missing = counts(app)["missing"]
    assert 1 <= missing <= 3, "the book, and at most two that the reader read otherwise"
    show_missing(app)
    card = cards(app).filter(has_text=gap)
    expect(card).to_contain_text("Hall")
    expect(card.locator("canvas.drawn")).to_be_visible()
    card.get_by_role("button", name="Found").click()
    expect(card).to_have_count(0)
    assert counts(app)["missing"] == missing - 1
    undo(app)
    if missing == 1:
        show_missing(app)
    expect(card).to_have_count(1)
    card.get_by_role("button", name="What happened").click()
    menu = app.get_by_role("dialog")
    for name in ("Found", "Lent", "Moved to", "Remove"):
        expect(menu.get_by_role("button", name=name)).to_be_visible()
    menu.get_by_role("button", name="Remove").click()
    expect(card).to_have_count(0)
    assert gap not in titles(app)
    undo(app)
    assert counts(app)["missing"] == missing
    assert gap in titles(app) and app.refused == []


@pytest.fixture
def open_library(monkeypatch):
    with stand_in.running(monkeypatch, titles=["Emma"]) as running:
        running.gate.set()
        running.cover, running.publisher = small_photo().read_bytes(), "Penguin"
        yield


def test_all_books_without_a_record_are_found_with_one_tap(open_library, app, server):
    server.go_online()
    app.server.add(title="Emma", authors=["Jane Austen"])
    app.server.add(title="Zzyzx Unheard Of", authors=["Ann Other"])
    app.open("/review")
    line = app.locator(".changed-line", has_text="2 books without")
    expect(line).to_be_visible()
    assert counts(app)["total"] == 0, "they do not nag"
    line.get_by_role("button", name="Find for all").click()
    expect(app.locator(".undo")).to_contain_text("of 2")
    [emma] = [b["id"] for b in app.server.books() if b["title"] == "Emma"]
    assert server.call("GET", f"/library/{emma}")["publisher"] == "Penguin"
    undo(app)
    expect(line).to_be_visible()
    assert server.call("GET", f"/library/{emma}").get("publisher") is None and app.refused == []


def choose_all(app):
    app.open("/library")
    app.wait_for_selector(".cell a")
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Select books").click()
    app.get_by_role("button", name="Select all").click()


@pytest.mark.touched
def test_details_of_selected_books_are_found_and_undone_at_once(open_library, app, server):
    server.go_online()
    app.server.add(title="Emma", authors=["Jane Austen"])
    app.server.add(title="Zzyzx Unheard Of", authors=["Ann Other"])
    choose_all(app)
    app.locator(".bulk").get_by_role("button", name="Find details").click()
    expect(app.locator(".undo")).to_contain_text("Details found for 1 of 2.")
    expect(app.locator(".bulk")).to_be_hidden()
    [emma] = [b["id"] for b in app.server.books() if b["title"] == "Emma"]
    assert server.call("GET", f"/library/{emma}")["publisher"] == "Penguin"
    undo(app)
    assert server.call("GET", f"/library/{emma}").get("publisher") is None and app.refused == []


@pytest.mark.touched
def test_find_details_without_a_source_offers_to_turn_one_on(app):
    app.server.add(title="Emma", authors=["Jane Austen"])
    choose_all(app)
    app.locator(".bulk").get_by_role("button", name="Find details").click()
    expect(app.get_by_role("dialog").locator(".no-source")).to_contain_text("No source is on")
    assert app.refused == []


@pytest.mark.touched
def test_without_a_source_the_line_offers_to_turn_one_on(app):
    app.server.add(title="Emma", authors=["Jane Austen"])
    app.open("/review")
    app.get_by_role("button", name="Find for all").click()
    expect(app.locator(".no-source")).to_contain_text("No source is on")
    expect(app.get_by_role("button", name="Turn one on")).to_be_visible()
    assert app.refused == []


@pytest.mark.touched
def test_kinds_are_filtered(app):
    import_list(app, LIST)
    for _ in range(2):
        app.server.add(title="Emma", authors=["Jane Austen"])
    app.open("/review")
    expect(cards(app)).to_have_count(2)
    app.locator(".chip", has_text="Failed rows").click()
    expect(cards(app)).to_have_count(1)
    expect(cards(app)).to_contain_text("Ann Other")
    app.locator(".chip", has_text="Failed rows").click()
    expect(cards(app)).to_have_count(2)
    assert app.refused == []
