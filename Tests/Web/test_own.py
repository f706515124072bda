"""Do I own it?: by text, ISBN and barcode, with and without a connection, and by a photo of a shelf."""
import base64

import pytest
import steps
from conftest import SHELF
from playwright.sync_api import expect

DUNE = {"title": "Dune", "authors": ["Frank Herbert"], "isbn": "9780441172719"}
HINT = "ISBN, title or author"
LEFT = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split()
PARITY = "LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL".split()
DRAW = """(bars) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 480, height: 200 });
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, 480, 200);
  context.fillStyle = "black";
  [...bars].forEach((bar, i) => bar === "1" && context.fillRect(80 + 3 * i, 30, 3, 140));
  return canvas.toDataURL().split(",")[1];
}"""


def barcode(app, isbn):
    """Returns a picture of an EAN-13."""
    flip = str.maketrans("01", "10")
    left = [code if kind == "L" else code.translate(flip)[::-1] for kind, code in
            zip(PARITY[int(isbn[0])], (LEFT[int(digit)] for digit in isbn[1:7]))]
    right = [LEFT[int(digit)].translate(flip) for digit in isbn[7:]]
    png = app.evaluate(DRAW, "".join(["101", *left, "01010", *right, "101"]))
    return {"name": "barcode.png", "mimeType": "image/png", "buffer": base64.b64decode(png)}


def read_barcode(app, isbn):
    app.get_by_role("button", name="Scan barcode").click()
    with app.expect_file_chooser() as chooser:
        app.get_by_role("button", name="Use a photo").click()
    chooser.value.set_files(barcode(app, isbn))
    expect(app.locator("dialog[open]")).to_have_count(0)
    expect(app.get_by_role("searchbox", name=HINT)).to_have_value(isbn)


def ask(app, text):
    app.get_by_role("searchbox", name=HINT).fill(text)


def test_a_title_is_answered_with_its_copies(app, server):
    shelf = server.call("POST", "/shelves", {"name": "Hall"})["id"]
    server.add(**DUNE, shelf=shelf)
    server.add(title="Emma", authors=["Jane Austen"], ownership="wishlist")
    app.open("/own")
    rows = app.locator(".own-answer .could-row")
    ask(app, "herbert")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("You have it")
    expect(rows).to_contain_text("Hall")
    ask(app, "emma")
    expect(rows).to_contain_text("On your wish list")
    ask(app, "Middlemarch")
    expect(app.get_by_role("heading", name="Not yours")).to_be_visible()
    expect(rows).to_have_count(0)


def test_another_edition_is_found_by_the_record_of_its_isbn_and_a_new_book_is_wished_for(app, server):
    server.give_catalog([("Dune", "Frank Herbert", "9780340960196"), ("Emma", "Jane Austen", "9780141439587")])
    server.add(**DUNE)
    app.open("/own")
    ask(app, "978-0-340-96019-6")
    expect(app.get_by_role("heading", name="You have another edition")).to_be_visible()
    expect(app.locator(".own-answer .could-row")).to_contain_text("9780441172719")
    ask(app, "9780141439587")
    expect(app.get_by_role("heading", name="Not yours")).to_be_visible()
    app.get_by_role("button", name="Add to wish list").click()
    expect(app.locator(".undo")).to_contain_text("Emma is on your wish list")
    assert [(b["title"], b["ownership"]) for b in server.books() if b["title"] == "Emma"] == [("Emma", "wishlist")]


def test_a_barcode_in_a_photo_is_read_without_a_reader_of_the_browser(app, server):
    server.add(**DUNE)
    app.add_init_script("delete globalThis.BarcodeDetector")
    app.open("/own")
    read_barcode(app, DUNE["isbn"])
    expect(app.get_by_role("heading", name="You have it")).to_be_visible()


def test_add_a_book_says_what_the_library_has_of_an_isbn(app, server):
    server.give_catalog([("Dune", "Frank Herbert", DUNE["isbn"])])
    server.add(**DUNE)
    app.add_init_script("delete globalThis.BarcodeDetector")
    app.open("/add")
    read_barcode(app, DUNE["isbn"])
    expect(app.get_by_role("heading", name="You have it")).to_be_visible()
    expect(app.locator(".own-answer .could-row")).to_have_count(1)


def add_volume(server, title, series):
    server.call("POST", "/library", {"title": title, "authors": ["Ann Guin"], "correction": {"series": series}})


def test_a_missing_volume_of_a_series_fills_a_gap(app, server):
    add_volume(server, "A Wizard", "Earthsea, #1")
    add_volume(server, "The Shore", "Earthsea, #3")
    app.open("/own")
    ask(app, "Earthsea 2")
    expect(app.get_by_role("heading", name="Fills a gap")).to_be_visible()
    app.get_by_role("link", name="Earthsea, volume 2").click()
    app.get_by_role("button", name="Volume 2 is missing. Put it on the wish list.").click()
    expect(app.locator(".undo")).to_contain_text("1 volume is on the wish list.")
    app.open("/own")
    ask(app, "Earthsea 2")
    expect(app.locator(".own-answer .could-row")).to_contain_text("On your wish list")
    assert app.refused == []


@pytest.mark.worker
def test_a_missing_volume_is_known_without_a_connection(app, server):
    add_volume(server, "A Wizard", "Earthsea, #1")
    add_volume(server, "The Shore", "Earthsea, #3")
    app.open("/library")
    expect(app.locator(".cell a")).to_have_count(2)
    kept = "import('/lib/store.js').then(({ get }) => get('meta', 'gaps')).then((list) => list?.length === 1)"
    steps.eventually(app, f"() => {kept}")
    steps.installed(app)
    app.context.set_offline(True)
    app.reload()
    app.evaluate("location.hash = '#/own'")
    ask(app, "earthsea, vol. 2")
    expect(app.get_by_role("heading", name="Fills a gap")).to_be_visible()
    expect(app.get_by_role("link", name="Earthsea, volume 2")).to_be_visible()
    ask(app, "earthsea 4")
    expect(app.get_by_role("heading", name="Not yours")).to_be_visible()
    app.context.set_offline(False)


@pytest.mark.worker
def test_titles_and_barcodes_are_answered_without_a_connection(app, server):
    server.add(**DUNE)
    app.add_init_script("delete globalThis.BarcodeDetector")
    app.open("/library")
    expect(app.locator(".cell a")).to_have_count(1)
    steps.installed(app)
    app.context.set_offline(True)
    app.reload()
    app.evaluate("location.hash = '#/own'")
    expect(app.get_by_text("The answers are from this device's copy")).to_be_visible()
    ask(app, "dune")
    expect(app.locator(".own-answer .could-row")).to_contain_text("You have it")
    read_barcode(app, DUNE["isbn"])
    expect(app.get_by_role("heading", name="You have it")).to_be_visible()
    ask(app, "9780141439587")
    expect(app.get_by_role("heading", name="Not sure")).to_be_visible()
    app.context.set_offline(False)


def kept(app, condition):
    """Waits until this browser has stored a list of questions for which a condition holds."""
    steps.eventually(
        app, f"() => import('/lib/store.js').then(({{ get }}) => get('meta', 'asked')).then((list = []) => {condition})")


@pytest.mark.worker
def test_an_isbn_that_needs_the_server_is_answered_when_the_connection_is_back(app, server):
    server.give_catalog([("Emma", "Jane Austen", "9780141439587")])
    server.add(**DUNE)
    app.open("/library")
    expect(app.locator(".cell a")).to_have_count(1)
    steps.installed(app)
    app.context.set_offline(True)
    app.reload()
    app.evaluate("location.hash = '#/own'")
    for text in ("9780141439587", "Middlemarch", DUNE["isbn"]):  # the copy answers the others
        ask(app, text)
        app.keyboard.press("Enter")
        expect(app.locator(".own-answer h2, .own-answer .could-row").first).to_be_visible()
    waiting = app.get_by_role("region", name="Asked without a connection")
    rows = waiting.get_by_role("listitem")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("9780141439587")
    expect(rows).to_contain_text("Answered when there is a connection")
    kept(app, "list.length === 1")
    app.reload()
    expect(rows).to_have_count(1)
    app.context.set_offline(False)
    expect(rows).to_contain_text("Emma")
    expect(rows).to_contain_text("Not yours")
    kept(app, "list[0].answer")
    app.reload()
    expect(rows).to_contain_text("Not yours")
    rows.get_by_role("button", name="Emma").first.click()
    expect(app.get_by_role("button", name="Add to wish list")).to_be_visible()
    waiting.get_by_role("button", name="Remove Emma").click()
    expect(waiting).to_have_count(0)
    kept(app, "!list.length")
    app.reload()
    expect(app.get_by_role("searchbox", name=HINT)).to_be_visible()
    expect(waiting).to_have_count(0)


def test_a_question_that_does_not_reach_the_server_is_kept(app, server):
    app.open("/own")
    app.route("**/api/v1/own?*", lambda route: route.abort())
    ask(app, "9780141439587")
    app.keyboard.press("Enter")
    rows = app.get_by_role("region", name="Asked without a connection").get_by_role("listitem")
    expect(rows).to_contain_text("9780141439587")
    app.unroute("**/api/v1/own?*")
    app.open("/library")
    app.open("/own")
    expect(rows).to_contain_text("Not sure")  # no source knows it


def test_a_late_answer_about_a_book_without_an_author_is_shown(app):
    app.open("/own")
    app.route("**/api/v1/own?*", lambda route: route.abort())
    ask(app, "9780141439587")
    app.keyboard.press("Enter")
    rows = app.get_by_role("region", name="Asked without a connection").get_by_role("listitem")
    expect(rows).to_contain_text("9780141439587")
    app.route("**/api/v1/own?*", lambda route: route.fulfill(json={
        "verdict": "notYours", "copies": [], "record": {"title": "Beowulf"}}))
    app.open("/library")
    app.open("/own")
    expect(rows).to_contain_text("Beowulf")


def test_a_photo_of_a_shelf_has_a_verdict_on_each_spine_and_leaves_nothing(app, server):
    server.add(title="Moby-Dick", authors=["Herman Melville"])
    app.open("/own")
    with app.expect_file_chooser() as chooser:
        app.get_by_role("button", name="Photograph a shelf").click()
    chooser.value.set_files(SHELF)
    rows = app.locator(".own-answer .could-row")
    expect(rows.first).to_be_visible()
    owned = rows.filter(has_text="Moby-Dick")
    expect(owned).to_contain_text("You have it")
    assert app.locator(".own-photo polygon").count() == rows.count() > 10
    assert [b["title"] for b in server.books()] == ["Moby-Dick"]
    app.wait_for_function("fetch('/api/v1/scans').then((a) => a.json()).then((page) => page.items.length === 0)")
    assert [file for file in (server.folder / "jobs").rglob("*") if file.is_file()] == []
