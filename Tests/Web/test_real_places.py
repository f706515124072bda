"""Shelves inside of shelves: the tree, paths, moving, filters, lists, and what a home without them sees."""
import re

import pytest
import steps
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone")]


def add(app, path):
    """Creates a shelf by its path, and returns it."""
    return app.server.call("POST", "/shelves", {"name": path})


def paths(app):
    return [shelf["path"] for shelf in app.server.call("GET", "/shelves")["items"]]


def open_shelf(app, shelf):
    app.open(f"/shelves/{shelf['id']}")
    expect(app.locator("sl-shelf h1")).to_have_text(shelf["name"])


def more(app, name):
    app.locator("sl-shelf .topbar").get_by_role("button", name="More").click()
    app.get_by_role("dialog", name="More").get_by_role("button", name=name, exact=True).click()


@pytest.mark.touched
@pytest.mark.sizes("phone", "desktop")
def test_shelves_that_are_in_no_other_look_as_without_a_tree(app):
    for name in ("Hall", "Study"):
        add(app, name)
    app.open("/shelves")
    expect(app.locator(".shelf-row")).to_have_count(2)
    expect(app.locator(".shelf-line button")).to_have_count(0)
    app.locator(".shelf-row").first.click()
    expect(app.locator("sl-shelf h1")).to_have_text("Hall")
    expect(app.locator(".shelf-around a")).to_have_count(0)
    expect(app.get_by_role("heading", name="Shelves inside")).to_have_count(0)


def test_a_path_creates_the_shelves_around_it_and_says_so_before(app):
    app.open("/shelves")
    app.locator(".topbar").get_by_role("button", name="New shelf").click()
    form = app.get_by_role("dialog", name="New shelf")
    form.get_by_label("Name").fill("Home / Study / Board 10")
    expect(form.get_by_role("status")).to_have_text("Creates 3 shelves: Home, Study, Board 10")
    form.get_by_role("button", name="Create shelf").click()
    expect(app.locator(".shelf-row .shelf-name")).to_have_text(["Home", "Study", "Board 10"])
    # From the page of a shelf.
    app.get_by_role("link", name=re.compile("^Study")).click()
    more(app, "New shelf inside")
    form = app.get_by_role("dialog", name="New shelf in Study")
    form.get_by_label("Name").fill("Board 2")
    form.get_by_role("button", name="Create shelf").click()
    inside = app.locator("sl-shelf .shelf-row .shelf-name")
    expect(inside).to_have_text(["Board 2", "Board 10"])
    assert paths(app) == ["Home", "Home / Study", "Home / Study / Board 2", "Home / Study / Board 10"]
    # One click leads around it again.
    inside.first.click()
    around = app.get_by_role("navigation", name="Where this shelf is")
    expect(around.get_by_role("link")).to_have_text(["Home", "Study"])
    around.get_by_role("link", name="Home").click()
    expect(app.locator("sl-shelf h1")).to_have_text("Home")
    assert app.refused == []


@pytest.mark.touched
def test_the_tree_opens_and_closes_by_keyboard(app):
    add(app, "Home / Study / Board 1")
    add(app, "Attic")
    app.open("/shelves")
    names = app.locator(".shelf-row .shelf-name")
    expect(names).to_have_text(["Attic", "Home", "Study", "Board 1"])
    home = app.get_by_role("button", name="Shelves in Home")
    expect(home).to_have_attribute("aria-expanded", "true")
    home.focus()
    app.keyboard.press("Enter")
    expect(names).to_have_text(["Attic", "Home"])
    expect(home).to_be_focused()
    expect(home).to_have_attribute("aria-expanded", "false")
    app.keyboard.press("Enter")
    expect(names).to_have_count(4)


def test_a_shelf_is_moved_and_the_move_is_undone(app):
    board = add(app, "Home / Study / Board 1")
    add(app, "Attic")
    app.server.add(title="Dune", authors=["Frank Herbert"], shelf=board["id"])
    open_shelf(app, board)
    more(app, "Move shelf")
    choices = app.get_by_role("dialog", name="Move shelf")
    expect(choices.get_by_role("button", name="Home / Study / Board 1")).to_have_count(0)  # not into itself
    choices.get_by_role("button", name="Attic", exact=True).click()
    expect(app.locator(".undo")).to_contain_text("Board 1 is in Attic now.")
    expect(app.locator(".shelf-around a")).to_have_text(["Attic"])
    assert "Attic / Board 1" in paths(app)
    steps.undone(app)
    expect(app.locator(".shelf-around a")).to_have_text(["Home", "Study"])
    more(app, "Move shelf")
    app.get_by_role("dialog", name="Move shelf").get_by_role("button", name="In no other shelf").click()
    expect(app.locator(".shelf-around a")).to_have_count(0)
    assert "Board 1" in paths(app)


@pytest.mark.touched
def test_a_filter_on_a_shelf_includes_what_is_inside_it(app):
    board, attic = add(app, "Home / Study / Board 1"), add(app, "Attic")
    app.server.add(title="Dune", authors=["Frank Herbert"], shelf=board["id"])
    app.server.add(title="Emma", authors=["Jane Austen"], shelf=attic["id"])
    app.open("/library")
    expect(app.locator(".cell a")).to_have_count(2)
    app.get_by_role("button", name="Home", exact=True).click()
    expect(app.locator(".cell a")).to_have_count(1)
    # The shelves inside are offered then.
    app.get_by_role("button", name="Study", exact=True).click()
    expect(app.get_by_role("link", name="Dune, by Frank Herbert")).to_be_visible()
    app.get_by_role("link", name="Dune, by Frank Herbert").click()
    expect(app.locator("sl-work")).to_contain_text("Home / Study / Board 1")
    app.open("/shelves")
    expect(app.get_by_role("link", name=re.compile("^Home"))).to_contain_text("1 book")


@pytest.mark.touched
def test_a_shelf_with_others_inside_is_not_removed(app):
    add(app, "Home / Study")
    home = next(s for s in app.server.call("GET", "/shelves")["items"] if s["name"] == "Home")
    open_shelf(app, home)
    more(app, "Remove shelf")
    app.get_by_role("dialog", name="Remove Home?").get_by_role("button", name="Remove shelf").click()
    expect(app.locator(".undo")).to_contain_text("There are other shelves in “Home”.")
    assert paths(app) == ["Home", "Home / Study"]


@pytest.mark.touched
def test_code_and_note_are_changed_and_a_wrong_code_is_refused(app):
    hall = add(app, "Hall")
    open_shelf(app, hall)
    more(app, "Order, code and note")
    form = app.get_by_role("dialog", name="Order, code and note")
    expect(form.get_by_label("Code", exact=True)).to_have_value(hall["code"])
    form.get_by_label("Code", exact=True).fill("SL-AAAAC")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("is not a valid code")
    form.get_by_label("Code", exact=True).fill("sl aaaaa")
    form.get_by_label("Note", exact=True).fill("By the window")
    form.get_by_role("button", name="Save").click()
    expect(app.locator(".shelf-note")).to_have_text("By the window")
    [changed] = app.server.call("GET", "/shelves?code=SL-AAAAA")["items"]
    assert changed["id"] == hall["id"]


def test_a_list_of_shelves_is_imported_and_undone(app, tmp_path):
    for name in ("Hall", "Study"):
        add(app, name)
    file = tmp_path / "shelves.csv"
    file.write_text("path,code,note\nSchool / Room 1 / Board 1,SL-AAAAA,\nHall,,entrance\n")
    app.open("/shelves")
    expect(app.locator(".shelf-row")).to_have_count(2)
    app.locator(".topbar").get_by_role("button", name="New shelf").click()
    with app.expect_file_chooser() as chooser:
        app.get_by_role("dialog", name="New shelf").get_by_role("button", name="Import shelves").click()
    chooser.value.set_files(str(file))
    expect(app.locator(".undo")).to_contain_text("3 shelves added, 1 changed.")
    expect(app.locator(".shelf-row .shelf-name")).to_have_text(["Hall", "School", "Room 1", "Board 1", "Study"])
    steps.undone(app)
    expect(app.locator(".shelf-row .shelf-name")).to_have_text(["Hall", "Study"])


@pytest.mark.touched
def test_a_long_list_of_shelves_is_searched_by_path_or_code(app):
    for n in range(20):
        add(app, f"Room / Board {n}")
    board = next(s for s in app.server.call("GET", "/shelves")["items"] if s["name"] == "Board 7")
    app.server.add(title="Dune", authors=["Frank Herbert"])
    app.open("/library")
    app.get_by_role("link", name="Dune, by Frank Herbert").click()
    app.get_by_role("button", name=re.compile("^Shelf")).click()
    sheet = app.get_by_role("dialog", name="Shelf")
    sheet.get_by_role("searchbox").fill(board["code"])
    expect(sheet.locator(".menu button:visible")).to_have_count(1)
    sheet.get_by_role("searchbox").fill("room 7")
    sheet.get_by_role("button", name="Room / Board 7", exact=True).click()
    expect(app.locator("sl-work")).to_contain_text("Room / Board 7")


@pytest.mark.touched
def test_labels_of_books_are_printed_in_a_size_of_ones_own(app):
    hall = add(app, "Hall")
    book = app.server.add(title="Emma", shelf=hall["id"])
    open_shelf(app, hall)
    more(app, "Print labels")
    form = app.get_by_role("dialog", name="Print labels")
    form.get_by_label("For").select_option("copy")
    expect(form).to_contain_text("barcode of each book")
    form.get_by_label("Sheet of labels").select_option("own")
    form.get_by_label("Width in mm").fill("62.5")
    with app.context.expect_page() as opened:
        form.get_by_role("button", name="Open page").click()
    page = opened.value
    expect(page.locator("li .copy")).to_contain_text("Emma")
    expect(page.locator("li .copy i")).to_have_text(book["id"])
    width = page.locator("li").first.evaluate("e => e.getBoundingClientRect().width")
    assert abs(width - 62.5 / 25.4 * 96) < 1
    page.close()
    assert app.refused == []


def test_labels_of_a_shelf_are_printed_and_their_code_opens_it(app):
    hall = add(app, "Home / Hall")
    home = next(s for s in app.server.call("GET", "/shelves")["items"] if s["name"] == "Home")
    open_shelf(app, home)
    more(app, "Print labels")
    form = app.get_by_role("dialog", name="Print labels")
    expect(form).to_contain_text("2 labels")
    form.get_by_label("Sheet of labels").select_option("L7651")
    form.get_by_label("First free label").fill("3")
    with app.context.expect_page() as opened:
        form.get_by_role("button", name="Open page").click()
    page = opened.value
    expect(page.locator("li")).to_have_count(4)
    expect(page.locator("li b")).to_have_text([home["code"], hall["code"]])
    expect(page.locator("li svg")).to_have_count(2)
    page.close()
    app.open(f"/place/{hall['code']}")
    expect(app.locator("sl-shelf h1")).to_have_text("Hall")
    app.open("/place/SL-AAAAA")
    expect(app.locator("sl-place")).to_contain_text("No shelf has the code SL-AAAAA.")
    assert app.refused == []
