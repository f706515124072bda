"""The default way against the real server: sure books of a scan are added at once, unsure ones wait in the queue."""
import re

import conftest
import pytest
import steps
from playwright.sync_api import expect
from test_real_walk import ALL, another_photo, covered

pytestmark = [pytest.mark.limit(600), pytest.mark.at_once, pytest.mark.sizes("phone")]

# Counts taps and clicks of a person, also over a reload.
COUNT_TAPS = """addEventListener("click", (e) => {
  if (e.isTrusted) sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, true);"""


def library(app):
    """Returns the server's books: title, author and state by ID."""
    page = app.evaluate("fetch('/api/v1/library?limit=500').then((r) => r.json())")
    return {b["id"]: (b["title"], b["author"], b["reviewStatus"]) for b in page["items"]}


def scan(app, real, photo=None):
    """Reads a photo with a source that knows its books, and returns how many are sure and unsure."""
    real.give_catalog(ALL)
    steps.read_shelf(app, photo or conftest.poor_photo())
    return counted(app)


def counted(app):
    states = [status for _, _, status in library(app).values()]
    return len(states) - states.count("needsReview"), states.count("needsReview")


def add_by_hand(app, title):
    app.evaluate("""(title) => fetch('/api/v1/library', {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title, authors: ['A. Writer'] }) })""", title)


def undo_adding(app):
    app.locator(".results-top").get_by_role("button", name="More").click()
    app.get_by_role("button", name="Undo adding these books").click()
    expect(app.locator("#live")).to_contain_text("Undone.")


def reopen(app):
    """Leaves the results and opens them again from the list of scans."""
    app.open("/scans")
    app.locator(".scan-list a").first.click()
    expect(app.locator(".results-panel h1")).to_contain_text("spines found")


def show(app, title):
    """Chooses a book of the results by its title."""
    app.locator(".results-top").get_by_role("button", name="More").click()
    app.get_by_role("button", name="Show as a list").click()
    app.get_by_role("dialog").get_by_role("button", name=re.compile(re.escape(title))).first.click()
    expect(app.locator(".book-card h1")).to_contain_text(title)


@pytest.mark.sizes("phone", "desktop")
def test_sure_books_are_added_at_once_and_undo_takes_the_scan_back(real_app, real):
    add_by_hand(real_app, "A book of before")
    before = library(real_app)
    sure, unsure = scan(real_app, real)
    sure -= 1
    assert sure > 5 and unsure > 0
    expect(real_app.locator(".undo")).to_contain_text(f"{sure} added, {unsure} to review.")
    assert covered(real_app) == []
    expect(real_app.locator(".nav .badge [aria-hidden]")).to_have_text(str(unsure))
    real_app.locator(".undo").get_by_role("button", name="Undo").click()
    expect(real_app.locator("#live")).to_contain_text("Undone.")
    assert library(real_app) == before
    # The books wait with their scan, and can be added again.
    expect(real_app.get_by_role("button", name=re.compile("^Add .* ready"))).to_be_visible()
    real_app.get_by_role("button", name=re.compile("^Add .* ready")).click()
    real_app.locator("dialog .btn.main").click()
    expect(real_app.locator(".undo")).to_contain_text("in your library")
    assert len(library(real_app)) > len(before)
    assert real_app.errors == []


def test_a_scan_is_taken_back_after_a_restart_of_the_server(real_app, real):
    scan(real_app, real)
    add_by_hand(real_app, "A book of after")
    real.stop()
    real.start()
    real_app.reload()
    expect(real_app.locator(".results-panel h1")).to_contain_text("spines found")
    expect(real_app.locator(".undo")).to_have_count(0)
    undo_adding(real_app)
    assert [title for title, _, _ in library(real_app).values()] == ["A book of after"]
    # It cannot be undone twice.
    real_app.locator(".results-top").get_by_role("button", name="More").click()
    expect(real_app.get_by_role("button", name="Undo adding these books")).to_have_count(0)


def test_a_scan_with_a_book_that_was_changed_since_is_not_taken_back(real_app, real):
    sure, unsure = scan(real_app, real)
    title = next(t for t, _, status in library(real_app).values() if status != "needsReview")
    assert real_app.evaluate("""async () => {
        const page = await (await fetch('/api/v1/library?limit=500')).json();
        const book = page.items.find((b) => b.reviewStatus !== 'needsReview');
        const headers = { 'content-type': 'application/json', 'if-match': `"${book.etag}"` };
        const answer = await fetch(`/api/v1/library/${book.id}`, { method: 'PATCH', headers, body: JSON.stringify({ notes: 'mine' }) });
        return answer.status;
    }""") == 200
    real_app.reload()
    real_app.locator(".results-top").get_by_role("button", name="More").click()
    real_app.get_by_role("button", name="Undo adding these books").click()
    expect(real_app.locator(".undo")).to_contain_text("a later action changed the same books")
    assert counted(real_app) == (sure, unsure)
    assert title in [t for t, _, _ in library(real_app).values()]
    assert all(e.startswith("409 POST") for e in real_app.errors)


def test_an_edit_a_match_and_not_a_book_stick(real_app, real):
    scan(real_app, real)
    before = library(real_app)
    sure = [t for t, _, status in before.values() if status != "needsReview"]
    edited, removed = sure[:2]
    show(real_app, edited)
    real_app.locator("[data-key=correct]").click()
    real_app.get_by_role("dialog").get_by_label("Title").fill("A title by hand")
    with real_app.expect_response(re.compile("/books/[^/]+$")):
        real_app.get_by_role("dialog").get_by_role("button", name="Save").click()
    show(real_app, removed)
    with real_app.expect_response(re.compile("/books/[^/]+$")):
        real_app.locator("[data-key=not]").click()
    # An unsure book gets the record of a book that the photo does not show.
    real_app.locator(".results-top .pill").click()
    expect(real_app.locator(".book-card [data-key=yes]")).to_be_visible()
    real_app.locator("[data-key=match]").click()
    sheet = real_app.get_by_role("dialog", name="Find a match")
    sheet.get_by_role("searchbox").fill(sure[2])
    row = sheet.locator(".match-row:not(.ghost)", has_text=sure[2]).first
    row.click()
    with real_app.expect_response(re.compile("/books/[^/]+$")):
        sheet.get_by_role("button", name="Use this match").click()
    after = library(real_app)
    titles = [t for t, _, _ in after.values()]
    assert "A title by hand" in titles and edited not in titles
    assert removed not in titles
    assert titles.count(sure[2]) == 2
    assert len(after) == len(before) - 1
    real_app.reload()
    show(real_app, "A title by hand")
    expect(real_app.locator(".book-card")).to_contain_text("In your library")
    real_app.locator(".results-top").get_by_role("button", name="More").click()
    real_app.get_by_role("button", name="Show as a list").click()
    rows = real_app.get_by_role("dialog").locator(".title")
    expect(rows.filter(has_text=removed)).to_have_count(0)
    expect(rows.filter(has_text=sure[2])).to_have_count(2)
    assert library(real_app) == after
    assert real_app.errors == []


def test_results_reopened_later_show_what_became_of_each_book(real_app, real):
    steps.review_more(real_app)
    steps.read_shelf(real_app, conftest.poor_photo())
    sure, unsure = counted(real_app)
    assert sure > 0 and unsure > 2
    spines = int(real_app.locator(".results-panel h1").text_content().split()[0])
    expect(real_app.locator(".results-panel")).to_contain_text(f"{unsure} need")
    real_app.open("/review")
    verified = real_app.locator(".queue-card h2").text_content().strip("“”")
    real_app.locator(".thumb-dock [data-key=yes]").click()
    steps.left(real_app, unsure - 1)
    real_app.locator(".thumb-dock [data-key=not]").click()
    steps.left(real_app, unsure - 2)
    steps.settled(real_app)
    real.stop()
    real.start()
    reopen(real_app)
    expect(real_app.locator(".results-panel h1")).to_have_text(f"{spines - 1} spines found")
    show(real_app, verified)
    expect(real_app.locator(".book-card")).to_contain_text("In your library")
    expect(real_app.locator(".book-card [data-key=yes]")).to_have_count(0)
    assert counted(real_app) == (sure + 1, unsure - 2)


def test_second_copies_are_asked_about_on_the_results(real_app, real):
    scan(real_app, real, conftest.SHELF)
    steps.read_shelf(real_app, another_photo())
    line = real_app.locator(".results-panel .changed-line", has_text="may be second copies")
    asked = int(line.text_content().split()[0])
    assert asked > 1
    before = library(real_app)
    # A closed sheet answers nothing, and the questions wait over a reload.
    line.get_by_role("button").click()
    sheet = real_app.get_by_role("dialog", name="Add second copies?")
    expect(sheet.locator("canvas.drawn").first).to_be_visible()
    real_app.keyboard.press("Escape")
    real_app.reload()
    expect(line).to_contain_text(f"{asked} books")
    line.get_by_role("button").click()
    sheet.get_by_role("checkbox").first.check()
    sheet.get_by_role("button", name="Done").click()
    expect(real_app.locator(".undo")).to_contain_text("questions answered.")
    expect(line).to_have_count(0)
    assert len(library(real_app)) == len(before) + 1
    steps.undone(real_app)
    expect(line).to_contain_text(f"{asked} books")
    assert library(real_app) == before
    assert real_app.errors == []


def test_sure_books_are_in_the_library_after_at_most_three_taps(real_app, real):
    real.give_catalog(ALL)
    real_app.open("/library")
    real_app.add_init_script(COUNT_TAPS)
    real_app.reload()
    expect(real_app.locator(".empty")).to_contain_text("No books yet")
    real_app.get_by_role("navigation", name="Main").get_by_role("link", name="Scan").tap()
    real_app.locator(".checks").wait_for()
    real_app.get_by_role("button", name="Take the photo").tap()
    steps.use_photo(real_app)
    expect(real_app.locator(".results-panel h1")).to_contain_text("spines found", timeout=120_000)
    assert 1 < int(real_app.evaluate("sessionStorage.taps")) <= 3
    assert counted(real_app)[0] > 5


def test_with_the_setting_nothing_is_added_before_the_answer(real_app, real):
    real_app.open("/settings")
    switch = real_app.get_by_label("Ask before adding")
    expect(switch).not_to_be_checked()
    with real_app.expect_response(re.compile("/settings$")):
        switch.check()
    assert scan(real_app, real) == (0, 0)
    expect(real_app.locator(".undo")).to_have_count(0)
    # The scan waits for an answer, also after a restart of the server.
    real.stop()
    real.start()
    reopen(real_app)
    steps.add_ready(real_app)
    assert counted(real_app)[0] > 5
