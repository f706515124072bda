"""The review queue: swipes, keys and undo."""
import re

import clearing
import pytest
import steps
from playwright.sync_api import expect
from old import app, server  # noqa: F401


@pytest.mark.sizes("desktop")
def test_keys_clear_the_queue_one_after_another(app, server):
    steps.fill_queue(app)
    app.keyboard.press("j")
    first = app.locator(".queue-card.here").get_attribute("data-item")
    app.keyboard.press("v")
    expect(app.locator(".queue-card")).to_have_count(3)
    assert app.locator(".queue-card.here").get_attribute("data-item") != first
    app.keyboard.press("u")
    expect(app.locator(".queue-card")).to_have_count(4)
    app.keyboard.press("j")
    app.keyboard.press("e")
    app.keyboard.press("ControlOrMeta+a")
    app.keyboard.type("Treasure Island")
    app.keyboard.press("Tab")
    app.keyboard.type("Robert Louis Stevenson")
    app.keyboard.press("Enter")
    expect(app.locator(".queue-card")).to_have_count(3)
    steps.settled(app)
    assert any(e["title"] == "Treasure Island" and e["reviewStatus"] == "userEdited" for e in server.world.entries.values())


@pytest.mark.sizes("phone")
def test_a_swipe_says_yes_and_the_other_way_not_a_book(app, server):
    steps.fill_queue(app)
    before, person = len(server.world.entries), clearing.Person(app)
    for distance, count in ((160, 3), (-160, 2)):
        person.swipe(app.locator(".queue-card").first, distance)
        steps.left(app, count)
    steps.settled(app)
    assert len(server.world.entries) == before - 1


def test_correcting_leads_from_one_to_the_next_until_nothing_is_left(app):
    steps.correct(app)
    for _ in (3, 2, 1):
        here = app.url
        app.get_by_role("textbox", name="Title").fill("A title by hand")
        app.get_by_role("button", name="Save and next").click()
        expect(app).not_to_have_url(here)
        expect(app.locator(".tier")).to_be_visible()
        expect(app.get_by_role("textbox", name="Title")).to_be_focused()
    app.get_by_role("textbox", name="Title").fill("A title by hand")
    app.get_by_role("button", name="Save", exact=True).click()
    expect(app.locator(".empty")).to_contain_text("Nothing left to review.")
    expect(app.locator(".nav .badge")).to_be_hidden()


@pytest.mark.sizes("phone")
def test_skipped_books_do_not_come_back_after_a_correction(app):
    steps.fill_queue(app)
    card, skip = app.locator(".queue-card.big"), app.get_by_role("button", name="Skip")
    seen = []
    for _ in range(2):
        seen.append(card.get_attribute("data-item"))
        skip.tap()
        expect(app.locator(f'.queue-card[data-item="{seen[-1]}"]')).to_have_count(0)
    third = card.get_attribute("data-item")
    clearing.correct(clearing.Person(app), {"title": "Treasure Island"}, ["title"])
    expect(app.locator(f'.queue-card[data-item="{third}"]')).to_have_count(0)
    assert card.get_attribute("data-item") not in [*seen, third]


@pytest.mark.sizes("phone")
def test_a_match_says_what_will_change_before_it_does(app):
    steps.fill_queue(app)
    nameless = app.evaluate("import('/lib/api.js').then((api) => api.reviewQueue()).then(({ items }) => items.find((i) => !i.author).id)")
    app.open(f"/review/{nameless}")
    app.get_by_role("button", name="Find a match").click()
    app.get_by_role("searchbox", name="Search for").fill("Treasure Island")
    app.locator(".match-row", has_text="Treasure Island").first.click()
    expect(app.locator(".match-change")).to_contain_text("(empty)")
    app.get_by_role("button", name="Use this match").click()
    expect(app.locator(".undo")).to_contain_text("Matched: Treasure Island")


@pytest.mark.sizes("phone")
def test_all_of_a_tier_at_once_and_back(app):
    steps.fill_queue(app)
    app.get_by_role("button", name="Sort and more").click()
    app.get_by_role("button", name="Verify all 4 that need review").click()
    app.locator("dialog .btn.main").click()
    expect(app.locator(".empty")).to_contain_text("You reviewed 4 books.")
    app.get_by_role("button", name="Undo").click()
    steps.left(app, 4)


@pytest.mark.sizes("phone")
def test_a_slow_answer_brings_nothing_back_that_was_decided(app):
    steps.correct(app)
    # The decision is sent late, and the list is fetched before that.
    app.evaluate("""() => {
      const ask = window.fetch;
      window.fetch = async (url, options) => {
        if (String(url).endsWith("/correct")) await new Promise((resolve) => setTimeout(resolve, 800));
        return ask(url, options);
      };
    }""")
    app.get_by_role("textbox", name="Title").fill("By hand")
    with app.expect_response(re.compile("/correct$")):
        app.get_by_role("button", name="Save and next").click()
        app.open("/review")
    app.evaluate("import('/lib/review.js').then((review) => review.loadReview())")
    steps.left(app, 3)


@pytest.mark.sizes("phone")
def test_books_that_were_not_checked_are_confirmed_together_after_a_look_at_all(app, server):
    server.world.faults["no source"] = True
    steps.scan(app)
    expect(app.locator(".results-panel")).to_contain_text("were read, but not checked.")
    expect(app.locator(".results-panel")).not_to_contain_text("%")
    steps.add_everything(app)
    added = len(server.world.undos)
    app.open("/review")
    expect(app.locator(".queue-card.unchecked")).to_contain_text("read, not checked")
    count = len(server.world.entries)
    steps.left(app, count)
    expect(app.locator(".queue")).not_to_contain_text("%")
    app.get_by_role("button", name="These are right").click()
    rows = app.locator("dialog .right-row")
    expect(rows).to_have_count(count)
    expect(rows.first.locator("canvas.drawn")).to_be_visible()
    # One is wrong.
    wrong = rows.nth(1).locator(".title").text_content()
    rows.nth(1).click()
    expect(rows.nth(1).get_by_role("checkbox")).not_to_be_checked()
    app.locator("dialog").get_by_role("button", name=f"{count - 1} are right").click()
    steps.left(app, 1)
    expect(app.locator(".queue-card h2")).to_have_text(wrong)
    steps.settled(app)
    assert len(server.world.undos) == added + 1
    app.get_by_role("button", name="Undo").click()
    steps.left(app, count)
    # A closed sheet and an empty choice decide nothing.
    app.get_by_role("button", name="These are right").click()
    for n in range(count):
        rows.nth(n).click()
    expect(app.locator("dialog").get_by_role("button", name="None are right")).to_be_disabled()
    app.locator("dialog").get_by_role("button", name="Cancel").click()
    steps.left(app, count)


@pytest.mark.sizes("phone")
def test_a_refused_confirmation_of_many_brings_all_back(app, server):
    server.world.faults["no source"] = True
    steps.fill_queue(app)
    count = len(server.world.entries)
    app.route("**/review/verify-all", lambda route: route.fulfill(status=503, body="{}", content_type="application/problem+json"))
    app.get_by_role("button", name="These are right").click()
    app.locator("dialog .btn.main").click()
    expect(app.locator(".undo")).to_be_visible()
    steps.left(app, count)
