"""The default way: sure books of a scan are added at once, unsure ones wait in the queue."""
import re

import pytest
import steps
from conftest import ALL, SHELF, picture, poor_photo
from playwright.sync_api import expect
from test_real_walk import covered

pytestmark = [pytest.mark.at_once, pytest.mark.sizes("phone")]

# Counts taps and clicks of a person, also over a reload.
COUNT_TAPS = """addEventListener("click", (e) => {
  if (e.isTrusted) sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, true);"""


def library(app):
    """Returns the server's books: title, author and state by ID."""
    return {b["id"]: (b["title"], b["author"], b["reviewStatus"]) for b in app.server.books()}


def scan(app, server, photo=None):
    """Reads a photo with a source that knows its books, and returns how many are sure and unsure."""
    server.give_catalog(ALL)
    steps.read_shelf(app, photo or poor_photo())
    return counted(app)


def counted(app):
    states = [status for _, _, status in library(app).values()]
    return len(states) - states.count("needsReview"), states.count("needsReview")


def add_by_hand(app, title):
    app.server.add(title=title, authors=["A. Writer"])


def undo_adding(app):
    steps.more(app, "Undo adding these books")
    expect(app.locator("#live")).to_contain_text("Undone.")


def reopen(app):
    """Leaves the results and opens them again from the list of scans."""
    app.open("/scans")
    app.locator(".scan-list a").first.click()
    expect(app.locator(".results-panel h1")).to_contain_text("spines found")


def show(app, title):
    """Chooses a book of the results by its title."""
    steps.more(app, "Show as a list")
    app.get_by_role("dialog").get_by_role("button", name=re.compile(re.escape(title))).first.click()
    expect(app.locator(".book-card h1")).to_contain_text(title)


@pytest.mark.sizes("phone", "desktop")
def test_sure_books_are_added_at_once_and_undo_takes_the_scan_back(app, server):
    add_by_hand(app, "A book of before")
    before = library(app)
    sure, unsure = scan(app, server)
    sure -= 1
    assert sure > 5 and unsure > 0
    expect(app.locator(".undo")).to_contain_text(f"{sure} added, {unsure} to check.")
    assert covered(app) == []
    expect(app.locator(".nav .badge [aria-hidden]")).to_have_text(str(unsure))
    app.locator(".undo").get_by_role("button", name="Undo").click()
    expect(app.locator("#live")).to_contain_text("Undone.")
    assert library(app) == before
    # The books wait with their scan, and can be added again.
    expect(app.get_by_role("button", name=re.compile("^Add .* ready"))).to_be_visible()
    app.get_by_role("button", name=re.compile("^Add .* ready")).click()
    app.locator("dialog .btn.main").click()
    expect(app.locator(".undo")).to_contain_text("in your library")
    assert len(library(app)) > len(before)
    assert app.refused == []


def test_a_scan_is_taken_back_after_a_restart_of_the_server(app, server):
    scan(app, server)
    add_by_hand(app, "A book of after")
    server.stop()
    server.start()
    app.reload()
    expect(app.locator(".results-panel h1")).to_contain_text("spines found")
    expect(app.locator(".undo")).to_have_count(0)
    undo_adding(app)
    assert [title for title, _, _ in library(app).values()] == ["A book of after"]
    # It cannot be undone twice.
    app.locator(".results-top").get_by_role("button", name="More").click()
    expect(app.get_by_role("button", name="Undo adding these books")).to_have_count(0)


@pytest.mark.touched
def test_what_was_taken_back_on_a_later_visit_is_not_undone_again(app, server):
    scan(app, server)
    expect(app.locator(".undo")).to_be_visible()
    reopen(app)
    undo_adding(app)
    assert library(app) == {}
    expect(app.get_by_role("button", name=re.compile("^Add .* ready"))).to_be_visible()
    expect(app.locator(".undo").get_by_role("button", name="Undo")).to_have_count(0)
    assert app.refused == []


@pytest.mark.touched
def test_a_scan_with_a_book_that_was_changed_since_is_not_taken_back(app, server):
    sure, unsure = scan(app, server)
    title = next(t for t, _, status in library(app).values() if status != "needsReview")
    book = next(b for b in server.books() if b["reviewStatus"] != "needsReview")
    server.call("PATCH", f"/library/{book['id']}", {"notes": "mine"}, If_Match='"%s"' % book["etag"])
    app.reload()
    steps.more(app, "Undo adding these books")
    expect(app.locator(".undo")).to_contain_text("a later action changed the same books")
    assert counted(app) == (sure, unsure)
    assert title in [t for t, _, _ in library(app).values()]
    assert all(e.startswith("409 POST") for e in app.refused)


def test_an_edit_a_match_and_not_a_book_stick(app, server):
    scan(app, server)
    before = library(app)
    sure = [t for t, _, status in before.values() if status != "needsReview"]
    edited, removed = sure[:2]
    show(app, edited)
    app.locator("[data-key=edit]").click()
    app.get_by_role("dialog").get_by_label("Title").fill("A title by hand")
    with app.expect_response(re.compile("/books/[^/]+$")):
        app.get_by_role("dialog").get_by_role("button", name="Save").click()
    show(app, removed)
    with app.expect_response(re.compile("/books/[^/]+$")):
        app.locator("[data-key=not]").click()
    # An unsure book gets the record of a book that the photo does not show.
    app.locator(".results-top .pill").click()
    expect(app.locator(".book-card [data-key=yes]")).to_be_visible()
    app.locator("[data-key=match]").click()
    sheet = app.get_by_role("dialog", name="Find a match")
    sheet.get_by_role("searchbox").fill(sure[2])
    row = sheet.locator(".match-row:not(.ghost)", has_text=sure[2]).first
    row.click()
    with app.expect_response(re.compile("/books/[^/]+$")):
        sheet.get_by_role("button", name="Use this match").click()
    after = library(app)
    titles = [t for t, _, _ in after.values()]
    assert "A title by hand" in titles and edited not in titles
    assert removed not in titles
    assert titles.count(sure[2]) == 2
    assert len(after) == len(before) - 1
    app.reload()
    show(app, "A title by hand")
    expect(app.locator(".book-card")).to_contain_text("In your library")
    steps.more(app, "Show as a list")
    rows = app.get_by_role("dialog").locator(".title")
    expect(rows.filter(has_text=removed)).to_have_count(0)
    expect(rows.filter(has_text=sure[2])).to_have_count(2)
    assert library(app) == after
    assert app.refused == []


def test_results_reopened_later_show_what_became_of_each_book(app, server):
    steps.review_more(app)
    steps.read_shelf(app, poor_photo())
    sure, unsure = counted(app)
    assert sure > 0 and unsure > 2
    spines = int(app.locator(".results-panel h1").text_content().split()[0])
    expect(app.locator(".results-panel")).to_contain_text(f"{unsure} to check")
    app.open("/review")
    verified = app.locator(".queue-card h2").text_content().strip("“”")
    app.locator(".thumb-dock [data-key=yes]").click()
    steps.left(app, unsure - 1)
    app.locator(".thumb-dock [data-key=not]").click()
    steps.left(app, unsure - 2)
    steps.settled(app)
    server.stop()
    server.start()
    reopen(app)
    expect(app.locator(".results-panel h1")).to_have_text(f"{spines - 1} spines found")
    show(app, verified)
    expect(app.locator(".book-card")).to_contain_text("In your library")
    expect(app.locator(".book-card [data-key=yes]")).to_have_count(0)
    assert counted(app) == (sure + 1, unsure - 2)


def test_second_copies_are_asked_about_on_the_results(app, server):
    scan(app, server, SHELF)
    steps.read_shelf(app, picture("again.jpg"))
    line = app.locator(".results-panel .changed-line", has_text="may be second copies")
    asked = int(line.text_content().split()[0])
    assert asked > 1
    before = library(app)
    # A closed sheet answers nothing, and the questions wait over a reload.
    line.get_by_role("button").click()
    sheet = app.get_by_role("dialog", name="Add second copies?")
    expect(sheet.locator("canvas.drawn").first).to_be_visible()
    boxes = sheet.get_by_role("checkbox")
    expect(boxes).to_have_count(asked)
    size = boxes.first.bounding_box()
    assert size["width"] >= 22 and size["height"] >= 22
    sheet.get_by_role("button", name=re.compile("^Add all")).click()
    assert all(box.is_checked() for box in boxes.all())
    sheet.get_by_role("button", name="Add none").click()
    assert not any(box.is_checked() for box in boxes.all())
    app.keyboard.press("Escape")
    app.reload()
    expect(line).to_contain_text(f"{asked} books")
    line.get_by_role("button").click()
    boxes.first.check()
    sheet.get_by_role("button", name="Done").click()
    expect(app.locator(".undo")).to_contain_text("questions answered.")
    expect(line).to_have_count(0)
    assert len(library(app)) == len(before) + 1
    steps.undone(app)
    expect(line).to_contain_text(f"{asked} books")
    assert library(app) == before
    assert app.refused == []


def test_answers_about_second_copies_are_taken_back_if_one_is_refused(app, server):
    scan(app, server, SHELF)
    steps.read_shelf(app, picture("again.jpg"))
    line = app.locator(".results-panel .changed-line", has_text="may be second copies")
    asked, before, sent = int(line.text_content().split()[0]), library(app), []

    def refuse_second(route):
        sent.append(route)
        if len(sent) == 1:
            route.continue_()
        else:
            route.fulfill(status=503, body="{}", content_type="application/problem+json")
    app.route("**/api/v1/duplicates/decide", refuse_second)
    line.get_by_role("button").click()
    sheet = app.get_by_role("dialog", name="Add second copies?")
    sheet.get_by_role("checkbox").first.check()
    sheet.get_by_role("button", name="Done").click()
    expect(app.locator(".undo")).to_contain_text("unknown error")
    expect(line).to_contain_text(f"{asked} books")
    assert len(sent) == 2
    assert library(app) == before
    # The first one cannot be taken back either. Undo does that later.
    sent.clear()
    app.route("**/api/v1/undo", lambda route: route.abort())
    line.get_by_role("button").click()
    sheet.get_by_role("checkbox").first.check()
    sheet.get_by_role("button", name="Done").click()
    expect(app.locator(".undo")).to_contain_text("Only a part was saved.")
    assert len(library(app)) == len(before) + 1
    app.unroute("**/api/v1/undo")
    steps.undone(app)
    expect(line).to_contain_text(f"{asked} books")
    assert library(app) == before


def test_an_undo_whose_answer_was_lost_is_shown_when_it_is_tried_again(app, server):
    scan(app, server)
    before = library(app)

    def lose_answer(route):
        route.fetch()
        route.abort()
    app.route("**/api/v1/undo", lose_answer, times=1)
    bar = app.locator(".undo")
    bar.get_by_role("button", name="Undo").click()
    expect(bar).to_contain_text("Cannot reach the server.")
    assert before and library(app) == {}
    steps.undone(app)
    expect(app.get_by_role("button", name=re.compile("^Add .* ready"))).to_be_visible()


@pytest.mark.touched
def test_undo_on_a_later_visit_is_shown_there(app, server):
    scan(app, server)
    reopen(app)
    app.keyboard.press("u")
    expect(app.get_by_role("button", name=re.compile("^Add .* ready"))).to_be_visible()
    assert library(app) == {}


@pytest.mark.touched
def test_sure_books_are_in_the_library_after_at_most_three_taps(app, server):
    server.give_catalog(ALL)
    app.open("/library")
    app.add_init_script(COUNT_TAPS)
    app.reload()
    expect(app.locator(".empty")).to_contain_text("No books yet")
    app.get_by_role("navigation", name="Main").get_by_role("link", name="Scan").tap()
    app.locator(".checks").wait_for()
    app.get_by_role("button", name="Take the photo").tap()
    steps.use_photo(app)
    expect(app.locator(".results-panel h1")).to_contain_text("spines found")
    assert 1 < int(app.evaluate("sessionStorage.taps")) <= 3
    assert counted(app)[0] > 5


@pytest.mark.touched
def test_with_the_setting_nothing_is_added_before_the_answer(app, server):
    app.open("/settings/reading")
    switch = app.get_by_label("Ask before adding")
    expect(switch).not_to_be_checked()
    with app.expect_response(re.compile("/settings$")):
        switch.check()
    assert scan(app, server) == (0, 0)
    expect(app.locator(".undo")).to_have_count(0)
    # The scan waits for an answer, also after a restart of the server.
    server.stop()
    server.start()
    reopen(app)
    steps.add_ready(app)
    assert counted(app)[0] > 5
