"""Questions about labels in photos: the label of another shelf than the chosen one, and a code that no shelf has."""
import pytest
import steps
from pictures import make
from playwright.sync_api import expect

pytestmark = [pytest.mark.scripted, pytest.mark.sizes("phone")]

# On the edge of the upper board (pictures.py).
CODE = "SL-9C4JV"


def scan(app, **fields):
    """Has the server read the photo with a label and add its books, and opens the results."""
    job = app.server.scan(make() / "labelled.jpg", **{"import": "true", **fields})
    app.open(f"/results/{job}")
    app.locator(".results-panel h1", has_text="spines found").wait_for()
    return job


def shelves(app):
    """The numbers of books by the path of their shelf."""
    paths = [(book["shelf"] or {}).get("path") for book in app.server.books()]
    return {path: paths.count(path) for path in set(paths)}


def test_a_photo_asks_once_where_label_and_chosen_shelf_disagree(app):
    app.server.call("POST", "/shelves", {"name": "Home / Board 1", "code": CODE})
    attic = app.server.call("POST", "/shelves", {"name": "Attic"})["id"]
    job = scan(app, shelf=attic)
    everything = len(app.server.books())
    assert shelves(app) == {"Attic": everything}
    sheet = app.get_by_role("dialog", name="Which shelf?")
    expect(sheet).to_contain_text(f"the label {CODE} of Home / Board 1")
    sheet.get_by_role("button", name="Move to Board 1").click()
    expect(app.locator(".undo")).to_contain_text("Board 1 now")
    moved = shelves(app)
    assert 10 <= moved["Home / Board 1"] < everything, "the row above the label"
    steps.undone(app)
    assert shelves(app) == {"Attic": everything}
    # It asks only once by itself; the menu has the question as long as it is open.
    app.open("/library")
    app.open(f"/results/{job}")
    app.locator(".results-panel h1", has_text="spines found").wait_for()
    expect(app.get_by_role("dialog")).to_have_count(0)
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Labels in the photos").click()
    app.get_by_role("dialog", name="Which shelf?").get_by_role("button", name="Leave on Attic").click()
    expect(app.locator(".undo")).to_contain_text("stay where they are")
    assert shelves(app) == {"Attic": everything}
    assert app.server.call("GET", "/label-questions")["items"] == []
    assert app.refused == []


def test_a_code_that_no_shelf_has_becomes_a_shelf(app):
    scan(app)
    sheet = app.get_by_role("dialog", name="New label")
    sheet.get_by_label("Name").fill("Home / Board 7")
    sheet.get_by_role("button", name="Make this a shelf").click()
    expect(app.locator(".undo")).to_contain_text("Home / Board 7 now")
    assert shelves(app)["Home / Board 7"] >= 10
    assert app.server.call("GET", f"/shelves?code={CODE}")["items"][0]["path"] == "Home / Board 7"
    assert app.refused == []


def test_the_page_of_an_unknown_code_makes_a_shelf(app):
    app.open(f"/place/{CODE}")
    app.get_by_role("button", name="Make this a shelf").click()
    form = app.get_by_role("dialog", name="New shelf")
    form.get_by_label("Name").fill("Study")
    form.get_by_role("button", name="Create shelf").click()
    expect(app.locator("sl-shelf h1")).to_have_text("Study")
    assert app.server.call("GET", "/shelves")["items"][0]["code"] == CODE
    assert app.refused == []


def test_the_texts_of_spines_are_found_without_the_server(app):
    scan(app)
    app.keyboard.press("Escape")
    app.open("/search")
    search = app.get_by_role("searchbox", name="Search the library")
    spines = app.locator("section", has=app.get_by_role("heading", name="On spines"))
    search.fill("gallimrad")
    expect(spines.get_by_role("button").first).to_be_visible()
    app.wait_for_function("async () => (await (await import('/lib/words.js')).findWords('gallimrad')).length > 0")
    app.context.set_offline(True)
    search.fill("gallimar")
    # Without the server there is no photo to open.
    expect(spines.locator("li").first).to_contain_text("gallimard")
    expect(spines.get_by_role("button")).to_have_count(0)
    app.context.set_offline(False)
