"""Stocktakes: starting, progress, barcodes, copies on other shelves, closing with Undo, and the report."""
import pytest
import steps
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone")]


@pytest.fixture
def hall(app):
    """A shelf with two books, beside another one with one."""
    shelf = app.server.call("POST", "/shelves", {"name": "Home / Hall"})
    attic = app.server.call("POST", "/shelves", {"name": "Attic"})
    app.server.add(title="Dune", authors=["Frank Herbert"], shelf=shelf["id"])
    app.server.add(title="Emma", authors=["Jane Austen"], shelf=shelf["id"])
    app.server.add(title="Babel", authors=["R. F. Kuang"], shelf=attic["id"])
    return shelf


def started(app, hall):
    """Starts a stocktake of the shelf by request, and opens it."""
    stocktake = app.server.call("POST", "/stocktakes", {"name": "Spring", "shelves": [hall["id"]]})
    app.open(f"/stocktakes/{stocktake['id']}")
    expect(app.get_by_role("heading", name="Spring")).to_be_visible()
    return stocktake


def progress(app, words):
    expect(app.locator("sl-stocktake .shelf-sub")).to_have_text(words)


@pytest.mark.sizes("phone", "desktop")
def test_a_stocktake_of_a_shelf_is_started_from_the_library(app, hall):
    app.open("/library")
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("dialog", name="More").get_by_role("button", name="Stocktake").click()
    expect(app.get_by_text("No stocktake yet.")).to_be_visible()
    app.locator(".topbar").get_by_role("button", name="New stocktake").click()
    form = app.get_by_role("dialog", name="New stocktake")
    form.get_by_label("Name").fill("Spring")
    form.get_by_label("Home / Hall").check()
    form.get_by_role("button", name="Start").click()
    progress(app, "0 of 2 seen")
    left = app.get_by_role("region", name="Left to photograph")
    expect(left.get_by_text("Home / Hall")).to_be_visible()
    left.get_by_role("link", name="Scan this shelf").click()
    expect(app.locator("sl-scan")).to_be_visible()
    assert app.refused == []


@pytest.mark.touched
@pytest.mark.sizes("phone", "desktop")
def test_a_stocktake_of_selected_books_is_started_from_the_library(app, hall):
    app.server.add(title="Solaris", authors=["Stanisław Lem"], ownership="wishlist")
    app.open("/library")
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("dialog", name="More").get_by_role("button", name="Select books").click()
    tool = app.locator(".bulk").get_by_role("button", name="Stocktake")
    expect(tool).to_be_disabled()
    app.locator(".cell").filter(has_text="Solaris").get_by_role("button").first.click()
    tool.click()
    expect(app.locator(".undo")).to_contain_text("Books on the wish list are not part of a stocktake.")
    for title in ("Dune", "Babel"):
        app.locator(".cell").filter(has_text=title).get_by_role("button").first.click()
    tool.click()
    form = app.get_by_role("dialog", name="Start a stocktake of these 2 books")
    form.get_by_label("Name").fill("Lem and others")
    form.get_by_role("button", name="Start").click()
    expect(app.get_by_role("heading", name="Lem and others")).to_be_visible()
    progress(app, "0 of 2 seen")
    stocktake = app.server.call("GET", "/stocktakes")["items"][0]
    copies = app.server.call("GET", f"/stocktakes/{stocktake['id']}/copies")["items"]
    assert sorted(copy["title"] for copy in copies) == ["Babel", "Dune"]
    assert app.refused == []


@pytest.mark.touched
def test_a_stocktake_of_the_books_that_a_search_found_is_started_from_the_library(app, hall):
    app.open("/search")
    expect(app.locator(".cell a")).to_have_count(3)
    app.get_by_role("button", name="More").first.click()
    menu = app.get_by_role("dialog", name="More")
    expect(menu.get_by_role("button", name="Stocktake", exact=True)).to_be_visible()
    expect(menu.get_by_role("button", name="Start a stocktake")).to_have_count(0)  # of everything there is a better way
    app.keyboard.press("Escape")
    app.get_by_role("searchbox", name="Search the library").fill("herbert")
    expect(app.locator(".cell a")).to_have_count(1)
    app.get_by_role("button", name="More").first.click()
    menu.get_by_role("button", name="Start a stocktake of this book").click()
    app.get_by_role("dialog", name="Start a stocktake of this book").get_by_role("button", name="Start").click()
    progress(app, "0 of 1 seen")
    assert app.refused == []


def test_a_barcode_and_a_tap_make_books_seen_and_closing_is_undone(app, hall):
    stocktake = started(app, hall)
    books = app.server.call("GET", "/library?sort=title")["items"]
    dune = next(book for book in books if book["title"] == "Dune")
    code = app.get_by_label("Barcode")
    code.fill(dune["id"])
    code.press("Enter")
    expect(app.get_by_text("Seen: Dune")).to_be_visible()
    progress(app, "1 of 2 seen")
    expect(code).to_be_focused()
    code.fill("999")
    code.press("Enter")
    expect(app.locator(".note[role=alert]")).to_contain_text("no copy has the barcode")
    app.get_by_role("button", name="Seen: Emma").click()
    progress(app, "2 of 2 seen")
    steps.undone(app)
    progress(app, "1 of 2 seen")
    app.locator(".topbar").get_by_role("button", name="More").click()
    app.get_by_role("dialog", name="More").get_by_role("button", name="Close stocktake").click()
    sure = app.get_by_role("dialog", name="Close Spring?")
    expect(sure).to_contain_text("1 book was not seen.")
    sure.get_by_role("button", name="Close stocktake").click()
    expect(app.get_by_text("Closed. 1 book is missing.", exact=True)).to_be_visible()
    expect(app.get_by_label("Barcode")).to_have_count(0)
    assert [b["title"] for b in app.server.call("GET", "/library?missing=true")["items"]] == ["Emma"]
    steps.undone(app)
    expect(app.get_by_label("Barcode")).to_be_visible()
    assert app.server.call("GET", f"/stocktakes/{stocktake['id']}")["closedAt"] is None


@pytest.mark.touched
def test_a_book_on_another_shelf_is_put_back_or_stays_there(app, hall):
    stocktake = started(app, hall)
    shelves = app.server.call("GET", "/shelves")["items"]
    attic = next(shelf for shelf in shelves if shelf["name"] == "Attic")
    dune = app.server.call("GET", "/library?q=dune")["items"][0]
    app.server.call("POST", f"/stocktakes/{stocktake['id']}/seen", {"copies": [dune["id"]], "shelf": attic["id"]})
    app.reload()
    progress(app, "1 of 2 seen · 1 misplaced")
    place = app.get_by_role("region", name="On another shelf")
    expect(place).to_contain_text("Seen on Attic")
    place.get_by_role("button", name="It belongs there now").click()
    progress(app, "1 of 2 seen")
    steps.undone(app)
    place.get_by_role("button", name="I put it back").click()
    progress(app, "1 of 2 seen")
    expect(place).to_have_count(0)


def test_the_progress_of_another_phone_is_shown(app, hall):
    app.clock.install()
    stocktake = started(app, hall)
    progress(app, "0 of 2 seen")
    emma = app.server.call("GET", "/library?q=emma")["items"][0]
    app.server.call("POST", f"/stocktakes/{stocktake['id']}/seen", {"copies": [emma["id"]]})
    app.clock.fast_forward(16_000)
    progress(app, "1 of 2 seen")
