"""Sheets: Back closes them, and what was typed is not lost."""
import pytest
from playwright.sync_api import expect

import steps
from conftest import wait_for_history
from test_real_library import whole_books

pytestmark = [pytest.mark.books(3), pytest.mark.sizes("phone")]
DISCARD = "Discard what you typed?"


def edit(app):
    """Opens the form of a book, from the library."""
    steps.open_book(app)
    return form(app)


def form(app):
    app.locator(".dock").get_by_role("button", name="Edit").click()
    return app.get_by_role("dialog", name="Edit")


@pytest.mark.sizes("phone", "desktop")
def test_back_closes_a_sheet_and_then_leaves_the_screen(app):
    sheet = edit(app)
    book = app.url
    app.go_back()
    expect(app.get_by_role("dialog")).to_have_count(0)
    assert app.url == book
    wait_for_history(app)
    app.go_back()
    app.wait_for_url("**/#/library*")
    expect(app.locator(".cell a").first).to_be_visible()
    assert sheet.count() == 0


def test_back_on_the_first_screen_closes_the_sheet_instead_of_leaving_the_app(app, server):
    app.goto(f"{server.address}/#/library/{server.books()[0]['id']}")
    app.reload()
    form(app)
    app.go_back()
    expect(app.get_by_role("dialog")).to_have_count(0)
    expect(app.locator("main h1")).to_be_visible()


@pytest.mark.sizes("phone", "desktop")
def test_what_was_typed_is_asked_about_before_it_goes(app):
    sheet = edit(app)
    sheet.get_by_label("Notes").fill("signed by the author")
    layer = app.evaluate("history.state.layer")

    def keep():
        app.get_by_role("dialog", name=DISCARD).get_by_role("button", name="Keep editing").click()
        expect(app.get_by_role("dialog")).to_have_count(1)
        expect(sheet.get_by_label("Notes")).to_have_value("signed by the author")
        # The next question comes once this one has left the history.
        app.wait_for_function("(layer) => history.state.layer === layer", arg=layer)

    app.go_back()
    keep()
    app.keyboard.press("Escape")
    keep()
    app.mouse.click(5, 5)
    keep()
    sheet.get_by_role("button", name="Close").click()
    keep()
    app.go_back()
    app.get_by_role("dialog", name=DISCARD).get_by_role("button", name="Discard").click()
    expect(app.get_by_role("dialog")).to_have_count(0)
    assert not any("notes" in book for book in whole_books(app))
    # One more goes back to the library: no entries are left over.
    wait_for_history(app)
    app.go_back()
    app.wait_for_url("**/#/library*")


def test_after_saving_back_leaves_the_screen(app):
    sheet = edit(app)
    sheet.get_by_label("Notes").fill("signed")
    sheet.get_by_role("button", name="Save").click()
    expect(app.get_by_role("dialog")).to_have_count(0)
    app.go_back()
    app.wait_for_url("**/#/library*")
    assert [book["notes"] for book in whole_books(app) if "notes" in book] == ["signed"]


def test_an_unchanged_form_closes_without_a_question(app):
    sheet = edit(app)
    notes = sheet.get_by_label("Notes")
    notes.fill("x")
    notes.fill("")
    app.mouse.click(5, 5)
    expect(app.get_by_role("dialog")).to_have_count(0)


def test_sheets_that_close_at_the_same_time_all_leave_the_history(app):
    edit(app).get_by_role("textbox", name="Title").fill("Another title")
    book = app.url
    app.keyboard.press("Escape")
    expect(app.get_by_role("dialog", name=DISCARD)).to_be_visible()
    app.evaluate("document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close())")
    expect(app.get_by_role("dialog")).to_have_count(0)
    wait_for_history(app)
    assert app.url == book
    app.go_back()
    app.wait_for_url("**/#/library*")


def test_a_sheet_that_was_open_at_a_reload_does_not_keep_the_next_one(app):
    edit(app)
    app.reload()
    form(app)
    app.go_back()
    expect(app.get_by_role("dialog")).to_have_count(0)
    expect(app.locator(".work-head h1")).to_be_visible()


def test_a_screen_opened_from_a_sheet_goes_back_to_where_the_sheet_was(app, server):
    shelf = server.call("POST", "/shelves", {"name": "Attic"})["id"]
    app.open(f"/shelves/{shelf}")
    app.get_by_role("button", name="Check for missing books").click()
    app.get_by_role("dialog").get_by_role("link", name="Scan this shelf").click()
    app.wait_for_url("**/#/scan*")
    expect(app.get_by_role("dialog")).to_have_count(0)
    app.go_back()
    app.wait_for_url(f"**/#/shelves/{shelf}*")
    expect(app.get_by_role("dialog")).to_have_count(0)


def test_a_screen_that_replaces_the_one_below_a_sheet_stays(app):
    edit(app)
    app.evaluate("""async () => (await import("./lib/router.js")).go("/settings/reading", { replace: true })""")
    expect(app.get_by_role("dialog")).to_have_count(0)
    expect(app.get_by_label("Ask before adding")).to_be_visible()
    # A screen that came back instead would show by now.
    app.reload()
    expect(app.get_by_label("Ask before adding")).to_be_visible()


# The picture is red above and blue below; with its text from bottom to top it is read from the blue end.
TURNED = """async (direction) => {
  const { spine } = await import("./elements/spine.js");
  const picture = Object.assign(document.createElement("canvas"), { width: 20, height: 200 });
  const context = picture.getContext("2d");
  context.fillStyle = "#f00";
  context.fillRect(0, 0, 20, 100);
  context.fillStyle = "#00f";
  context.fillRect(0, 100, 20, 100);
  const file = await new Promise((resolve) => picture.toBlob(resolve));
  const canvas = spine({ source: URL.createObjectURL(file), direction }, { lie: true, long: 200 });
  document.body.append(canvas);
  await canvas.drawSoon();
  const [red, , blue] = canvas.getContext("2d").getImageData(5, canvas.height / 2, 1, 1).data;
  return red > blue ? "red" : "blue";
}"""


def test_a_spine_lies_so_that_it_can_be_read(app):
    app.open("/library")
    ends = [app.evaluate(TURNED, direction) for direction in (None, "topToBottom", "bottomToTop")]
    assert ends == ["red", "red", "blue"]
