"""Books that Open Library identifies after the result was shown; a server with its rules stands in for it."""
import open_library as stand_in
import pytest
import steps
from conftest import poor_photo
from pictures import TRUTH
from playwright.sync_api import expect

pytestmark = [pytest.mark.reads, pytest.mark.at_once, pytest.mark.sizes("phone")]


@pytest.fixture
def open_library(monkeypatch):
    with stand_in.running(monkeypatch) as running:
        yield running


def test_answers_reach_results_library_and_person_also_after_a_reload(open_library, app, server):
    server.go_online()
    steps.review_more(app)
    steps.read_shelf(app, poor_photo())
    panel = app.locator(".results-panel")
    expect(panel).to_contain_text("Looked up 0 of")
    app.reload()
    expect(panel.locator("h1")).to_contain_text("spines found")
    expect(panel).to_contain_text("Looked up 0 of")
    unsure = server.call("GET", "/review/counts")["total"]
    assert unsure > 0
    open_library.gate.set()
    expect(panel).to_contain_text("Open Library identified")
    expect(panel).not_to_contain_text("Looked up")
    # The server settles the books while the results are open: what waits there is what waits in the library.
    [job] = server.call("GET", "/scans")["items"]
    review = panel.locator("[data-key=review]")

    def is_told():
        states = [book["library"]["state"] for book in server.call("GET", f"/scans/{job['id']}/results")["books"]]
        waiting = states.count("review")
        return "open" not in states and review.all_text_contents() == ([f"Check {waiting}"] if waiting else [])

    steps.until(app, is_told)
    expect(panel.locator("[data-key=add]")).to_have_count(0)
    steps.answered(app)
    steps.list_first_look_ups(server)
    app.open("/review?rest")
    app.reload()
    app.locator("a.changed-line").click()
    cards = app.locator(".change-card")
    verified = cards.filter(has_text="Verified")
    expect(verified.first).to_contain_text("Open Library")
    titles = {b["title"] for b in TRUTH["books"]}
    for card in verified.all():
        card.scroll_into_view_if_needed()
        expect(card.locator("canvas.drawn")).to_be_visible()
        assert card.locator(".title").text_content() in titles
    count, left = cards.count(), server.call("GET", "/review/counts")["total"]
    assert left < unsure
    title = verified.first.locator(".title").text_content()
    verified.first.get_by_role("button").click()
    expect(cards).to_have_count(count - 1)
    expect(app.locator("#live")).to_contain_text("Undone:")
    app.open("/review")
    steps.left(app, left + 1)
    if count > 1:
        app.open("/review/automatic")
        app.get_by_role("button", name="Mark as seen").click()
        expect(app.get_by_role("region", name="Earlier").locator(".change-card")).to_have_count(count - 1)
    app.reload()
    expect(app.locator(".change-card, .queue-card, .empty").first).to_be_visible()
    assert title and app.refused == []
