"""Books that were changed without a decision: how the user learns of them, the list, Undo, and following after a reload."""
import re

import pytest
import steps
from conftest import other_page, poor_photo
from pictures import TRUTH
from playwright.sync_api import expect

pytestmark = [pytest.mark.scripted, pytest.mark.sizes("phone")]


# What the results say while sources are asked.
ASKING = re.compile("Asking Open Library|Looked up")


def cards(app):
    return app.locator(".change-card")


def changes(app):
    """Returns the server's changes, the latest first."""
    return app.server.call("GET", "/review/automatic")["items"]


def identified(app):
    return next(change for change in changes(app) if change["action"] == "identified")


def waiting(app):
    """Returns how many books the badge counts."""
    return app.server.call("GET", "/review/counts")["total"]


def unsure_of(summary):
    return summary["needsReview"] + summary["verify"] + summary["notChecked"]


@pytest.mark.sizes("phone", "desktop")
def test_the_review_leads_to_every_change_and_each_can_be_undone(app):
    steps.changed_books(app, 3)
    app.get_by_role("link", name="3 books changed automatically. See").click()
    expect(app.get_by_role("heading", level=1, name="Changed automatically")).to_be_focused()
    expect(cards(app)).to_have_count(3)
    new = app.get_by_role("region", name="New")
    expect(new.locator(".nums").first).to_have_text("3")
    unsure = waiting(app)
    # The spine, what was read, what it is now, the source, and when.
    titles = {b["title"]: b for b in TRUTH["books"]}
    for card in cards(app).all():
        card.scroll_into_view_if_needed()
        expect(card.locator("canvas.drawn")).to_be_visible()
    verified = cards(app).filter(has_text="Verified")
    expect(verified).to_have_count(3)
    for card in verified.all():
        book = titles[card.locator(".title").text_content()]
        expect(card).to_contain_text(book["author"])
        isbn = f" · ISBN {book['isbn']}" if book["isbn"] else ""
        expect(card).to_contain_text(re.compile(rf"Open Library{isbn} · (Today|Yesterday), \d\d:\d\d"))
    change = next(c for c in changes(app) if c["after"] and c["after"]["title"] != c["before"]["title"])
    was, now = change["before"], change["after"]["title"]
    misread = cards(app).filter(has_text=f"Was: “{was['title']}”, {was['author'] or 'No author found'}")
    expect(misread).to_contain_text(now)
    # Undo restores the book as it was imported.
    misread.get_by_role("button", name=f"Undo: {now}").click()
    expect(cards(app)).to_have_count(2)
    expect(app.locator("#live")).to_have_text(f"Undone: {was['title']}")
    expect(app.locator(".nav .badge span").first).to_have_text(str(unsure + 1))
    assert was["title"] in [b["title"] for b in app.server.books() if b["reviewStatus"] == "needsReview"]
    app.open("/review?rest")
    expect(app.locator("a.changed-line")).to_contain_text("2 books changed automatically.")
    app.open("/review")
    steps.left(app, unsure + 1)


def test_changes_that_were_seen_are_not_announced_again(app):
    steps.changed_books(app, 2)
    app.get_by_role("link", name="2 books changed automatically. See").click()
    expect(app.locator(".ready-bar")).to_contain_text("2 new changes")
    app.get_by_role("button", name="Mark as seen").click()
    expect(app.locator(".ready-bar")).to_have_count(0)
    expect(app.get_by_role("region", name="Earlier").locator(".change-card")).to_have_count(2)
    expect(app.get_by_role("region", name="New")).to_have_count(0)
    app.reload()
    expect(app.get_by_role("region", name="Earlier").locator(".change-card")).to_have_count(2)
    app.open("/review?rest")
    expect(app.get_by_role("heading", name="Other questions")).to_be_visible()
    expect(app.locator("a.changed-line")).to_have_count(0)
    # They are still found.
    app.get_by_role("button", name="Sort and more").click()
    app.get_by_role("button", name="Changed automatically").click()
    expect(cards(app)).to_have_count(2)


def test_a_book_that_was_corrected_since_is_not_undone(app, server):
    steps.changed_books(app, 1)
    app.get_by_role("link", name="1 book changed automatically. See").click()
    change = identified(app)
    card = app.locator(f"[data-change='{change['id']}']")
    expect(card.get_by_role("button")).to_have_count(1)
    # Another device corrects it.
    work = f"/works/{server.call('GET', '/library/' + change['entryId'])['workId']}"
    server.call("PATCH", work, {"title": "Mine"}, If_Match="*")
    card.get_by_role("button").click()
    expect(card).to_contain_text("This can’t be undone any more. Open the book to correct it.")
    expect(card.get_by_role("button")).to_have_count(0)
    card.get_by_role("link").click()
    expect(app.locator(".work-head h1")).to_have_text("Mine")


def test_a_change_that_is_gone_and_a_server_that_is_busy(app, server):
    steps.changed_books(app, 2)
    app.get_by_role("link", name="2 books changed automatically. See").click()
    expect(cards(app)).to_have_count(2)
    undo = f"/review/automatic/{changes(app)[0]['id']}/undo"
    button = app.locator(f"[data-change='{changes(app)[0]['id']}']").get_by_role("button")
    server.fail("POST", f"/api/v1{undo}", status=503, detail="The server is busy.")
    button.click()
    expect(app.locator(".undo")).to_contain_text("The server is busy.")
    expect(cards(app)).to_have_count(2)
    # Undone on another device.
    server.call("POST", undo)
    button.click()
    expect(cards(app)).to_have_count(1)


def test_an_empty_list_and_one_that_cannot_be_fetched(app, server):
    app.open("/review/automatic")
    expect(app.locator(".empty")).to_contain_text("No book was changed automatically.")
    server.fail("GET", "/api/v1/review/automatic", status=503, detail="The server is busy.")
    app.reload()
    expect(app.locator(".note.bad")).to_contain_text("The server is busy.")
    app.get_by_role("button", name="Retry").click()
    app.get_by_role("link", name="Open review").click()
    expect(app.locator(".empty")).to_contain_text("Nothing left to review.")


def test_many_changes_are_fetched_page_by_page(app):
    steps.changed_books(app, 4)
    # The app asks for pages of 50.
    app.route("**/review/automatic?*", lambda route: route.continue_(url=route.request.url.replace("limit=50", "limit=2")))
    app.open("/review/automatic")
    for shown in (2, 4):
        expect(cards(app)).to_have_count(shown)
        # Also those that are not fetched yet.
        expect(app.locator(".ready-bar")).to_contain_text("4 new changes")
        expect(app.get_by_role("region", name="New").locator(".section-head .nums")).to_have_text("4")
        if shown < 4:
            app.get_by_role("button", name="Show more").click()
    expect(app.get_by_role("button", name="Show more")).to_have_count(0)
    app.reload()
    app.get_by_role("button", name="Mark as seen").click()
    expect(app.locator(".ready-bar")).to_have_count(0)
    app.get_by_role("button", name="Show more").click()
    expect(app.get_by_role("region", name="Earlier").locator(".change-card")).to_have_count(4)
    expect(app.get_by_role("region", name="New")).to_have_count(0)


@pytest.mark.sizes("phone", "desktop")
def test_results_say_what_was_identified_and_what_changed_in_the_library(app):
    library = steps.ask_open_library(app, steps.UNSURE[:2])
    steps.send(app, poor_photo())
    panel = app.locator(".results-panel")
    # As counted by the server.
    expect(panel).to_contain_text(re.compile(r"Looked up 0 of \d+\."))
    expect(panel).not_to_contain_text("identified")
    steps.add_everything(app)
    expect(panel).to_contain_text(re.compile(r"\d+ to check\."))
    library.gate.set()
    expect(panel).to_contain_text("Open Library identified 2 books.")
    expect(panel).not_to_contain_text(ASKING)
    # A first look-up of a book that waits for review is not a change.
    steps.answered(app)
    expect(panel.locator("a.changed-line")).to_have_count(0)
    assert changes(app) == []


@pytest.mark.sizes("phone", "desktop")
def test_results_are_followed_after_a_reload(app, server):
    app.clock.install()
    library = steps.ask_open_library(app, steps.UNSURE[:1])
    steps.send(app, poor_photo())
    panel = app.locator(".results-panel")
    expect(panel).to_contain_text("Looked up 0 of")
    unsure = app.locator(".panel-dock [data-key=review]")
    summary = steps.results(app)["summary"]
    expect(unsure).to_have_text(f"Check {unsure_of(summary)}")
    app.reload()
    expect(panel.locator("h1")).to_have_text(f"{summary['books']} spines found")
    expect(panel).to_contain_text("Looked up 0 of")
    # A server that restarts is asked again.
    with app.expect_response(lambda r: r.status == 503):
        server.fail("GET", f"/api/v1/scans/{steps.job(app)['id']}/events", status=503)
    library.gate.set()
    app.clock.fast_forward(5000)
    expect(panel).to_contain_text("Open Library identified 1 book.")
    expect(panel).not_to_contain_text(ASKING)
    steps.eventually(app, "() => import('/lib/scans.js').then(({ scans }) => scans.get()[0]?.over === true)")
    after = steps.results(app)["summary"]
    assert after["ready"] == summary["ready"] + 1
    expect(unsure).to_have_text(f"Check {unsure_of(after)}")
    # The answers are in the results when they are opened again; nothing is asked any more.
    asked = []
    app.on("request", lambda r: asked.append(r.url) if "/events" in r.url or "/ws/" in r.url else None)
    app.reload()
    expect(panel.locator("h1")).to_have_text(f"{after['books']} spines found")
    expect(panel).not_to_contain_text(ASKING)
    assert asked == []


def test_another_browser_sees_how_far_the_look_ups_are(app, server, browser, size):
    library = steps.ask_open_library(app, steps.UNSURE[:1])
    steps.send(app, poor_photo())
    expect(app.locator(".results-panel")).to_contain_text("Looked up 0 of")
    [job] = server.call("GET", "/scans")["items"]
    with other_page(browser, server, size) as page:
        page.goto(f"{server.address}/#/results/{job['id']}")
        panel = page.locator(".results-panel")
        expect(panel).to_contain_text(f"Looked up 0 of {job['lookups']['total']}.")
        unsure = unsure_of(server.call("GET", f"/scans/{job['id']}/results")["summary"])
        expect(page.locator(".panel-dock [data-key=review]")).to_have_text(f"Check {unsure}")
        library.gate.set()
        expect(panel).not_to_contain_text(ASKING)
        # The answer is in the results, which are loaded again.
        expect(page.locator(".panel-dock [data-key=review]")).to_have_text(f"Check {unsure - 1}")


def test_the_list_in_german(app, server, browser, size):
    steps.changed_books(app, 2)
    app.get_by_role("link", name="2 books changed automatically. See").wait_for()

    def withdrawn(route):
        """The answer as if the text of the first book belonged to another one, which no photo of the tests shows."""
        answer = route.fetch()
        listed = answer.json()
        listed["items"][0] |= {"action": "withdrawn", "after": None, "entryId": None}
        route.fulfill(response=answer, json=listed)

    with other_page(browser, server, size, locale="de-DE", service_workers="block") as page:
        page.route("**/review/automatic?*", withdrawn)
        page.goto(f"{server.address}/#/review?rest")
        page.get_by_role("link", name="2 Bücher automatisch geändert. Ansehen").click()
        expect(page.get_by_role("heading", level=1, name="Automatisch geändert")).to_be_visible()
        expect(page.locator(".change-card").first).to_be_visible()
        expect(page.locator(".queue")).to_contain_text("Bestätigt")
        removed = page.locator(".change-card", has_text="Entfernt: Der Text gehört zu einem anderen Buch.")
        expect(removed).to_have_count(1)
        expect(removed.get_by_role("link")).to_have_count(0)
        expect(page.get_by_role("button", name="Als gesehen markieren")).to_be_visible()
        assert steps.outside(page) == []
