"""The queue: cleared with a thumb or with keys, one after another, and everything can be taken back."""
import re

import pytest
import ways
from playwright.sync_api import expect


def left(app):
    return app.locator(".queue-card").count()


@pytest.mark.sizes("desktop")
def test_keys_clear_the_queue_one_after_another(app, server):
    ways.fill_queue(app)
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
    app.wait_for_load_state("networkidle")
    assert any(e["title"] == "Treasure Island" and e["reviewStatus"] == "userEdited" for e in server.world.entries.values())


@pytest.mark.sizes("phone")
def test_a_swipe_says_yes_and_the_other_way_not_a_book(app, server):
    ways.fill_queue(app)
    before = len(server.world.entries)
    for distance, count in ((160, 3), (-160, 2)):
        app.evaluate("""(by) => {
          const card = document.querySelector(".queue-card"), box = card.getBoundingClientRect();
          const at = (type, x) => card.dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: "touch", isPrimary: true, bubbles: true, clientX: x, clientY: box.y + 20 }));
          card.setPointerCapture = () => {};
          at("pointerdown", 180); for (let i = 1; i <= 8; i++) at("pointermove", 180 + by * i / 8); at("pointerup", 180 + by);
        }""", distance)
        expect(app.locator(".queue-card")).to_have_count(count)
    app.wait_for_timeout(200)
    assert len(server.world.entries) == before - 1


def test_correcting_leads_from_one_to_the_next_until_nothing_is_left(app):
    ways.correct(app)
    for n in (3, 2, 1):
        app.get_by_role("button", name=re.compile("^Use ")).first.click()
        app.get_by_role("button", name="Save and next").click()
        expect(app.locator(".tier")).to_be_visible()
        expect(app.get_by_role("textbox", name="Title")).to_be_focused()
    app.get_by_role("button", name="Save", exact=True).click()
    expect(app.locator(".empty")).to_contain_text("Nothing left to review.")
    expect(app.locator(".nav .badge")).to_be_hidden()


@pytest.mark.sizes("phone")
def test_a_match_says_what_will_change_before_it_does(app):
    ways.correct(app)
    app.get_by_role("button", name="Find a match").click()
    app.get_by_role("searchbox", name="Search for").fill("Treasure Island")
    app.locator(".match-row", has_text="Treasure Island").first.click()
    expect(app.locator(".match-change")).to_contain_text("(was empty)")
    app.get_by_role("button", name="Use this match").click()
    expect(app.locator(".undo")).to_contain_text("Matched: Treasure Island")


@pytest.mark.sizes("phone")
def test_all_of_a_tier_at_once_and_back(app):
    ways.fill_queue(app)
    app.get_by_role("button", name="Order and more").click()
    app.get_by_role("button", name="Verify all 4 that need review").click()
    app.locator("dialog .btn.main").click()
    expect(app.locator(".empty")).to_contain_text("You looked at 4 books.")
    app.get_by_role("button", name="Undo").click()
    expect(app.locator(".queue-card")).to_have_count(4)


@pytest.mark.sizes("desktop")
def test_ten_books_take_less_than_two_minutes(app):
    """Counted, not timed: the keystroke-level model of Card, Moran and Newell (1980), an average typist (0.28 s a key),
    1.35 s of thought before each decision and 3 s of looking at each spine. Half of the books are corrected by hand."""
    ways.scan(app, photos=3)
    ways.add_everything(app)
    app.open("/review")
    app.wait_for_selector(".queue-card a")
    waiting = left(app)
    assert waiting >= 10
    keys = thoughts = 0
    app.keyboard.press("j")
    keys += 1
    for n in range(10):
        thoughts += 1
        if n % 2:
            app.keyboard.press("v")
            keys += 1
        else:
            app.keyboard.press("e")
            app.keyboard.press("ControlOrMeta+a")
            app.keyboard.type("A corrected title")
            app.keyboard.press("Enter")
            keys += 1 + 2 + len("A corrected title") + 1
            thoughts += 1
        expect(app.locator(".queue-card")).to_have_count(waiting - n - 1)
    expect(app.locator(".nav .badge")).to_contain_text(str(waiting - 10))
    seconds = keys * 0.28 + thoughts * 1.35 + 10 * 3
    assert seconds < 120, f"{seconds:.0f} s by the model"


@pytest.mark.sizes("phone")
def test_a_slow_answer_brings_nothing_back_that_was_decided(app):
    ways.correct(app)
    # The decision is told late, and the list is asked for in the meantime.
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
    app.wait_for_load_state("networkidle")
    expect(app.locator(".queue-card")).to_have_count(3)
