"""The review queue: swipes, keys and undo."""
import re

import clearing
import pytest
import steps
from conftest import poor_photo
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone")


def fill_queue(app, tier=None, photo=None):
    """Fills the queue, and returns the number of its books. With a tier, only the books of that wait."""
    steps.fill_queue(app, photo)
    books = steps.queue(app)
    others = [book["id"] for book in books if tier and book["tier"] != tier]
    if others:
        app.server.call("POST", "/review/verify-all", {"ids": others})
        app.reload()
    steps.left(app, len(books) - len(others))
    return len(books) - len(others)


def type_while_another_device_corrects(app):
    """Types a title into the form of the first book while another device corrects the book. Returns the field."""
    fill_queue(app)
    app.route("**/api/v1/changes", lambda route: route.abort())
    app.locator(".thumb-dock [data-key=edit]").click()
    title, detection = app.get_by_role("textbox", name="Title"), f"/detections/{app.url.rpartition('/')[2]}"
    title.fill("Typed by hand")
    etag = app.server.call("GET", detection)["etag"]
    app.server.call("POST", f"{detection}/correct", {"title": "Typed elsewhere"}, If_Match=f'"{etag}"')
    return title


@pytest.mark.sizes("desktop")
def test_keys_clear_the_queue_one_after_another(app, server):
    count = fill_queue(app)
    app.keyboard.press("j")
    first = app.locator(".queue-card.here").get_attribute("data-item")
    app.keyboard.press("v")
    expect(app.locator(".queue-card")).to_have_count(count - 1)
    assert app.locator(".queue-card.here").get_attribute("data-item") != first
    app.keyboard.press("u")
    expect(app.locator(".queue-card")).to_have_count(count)
    app.keyboard.press("j")
    app.keyboard.press("e")
    app.get_by_role("textbox", name="Title").focus()  # it begins at what is missing
    app.keyboard.press("ControlOrMeta+a")
    app.keyboard.type("The Waves")
    app.keyboard.press("Tab")
    app.keyboard.press("ControlOrMeta+a")
    app.keyboard.type("Virginia Woolf")
    app.keyboard.press("Enter")
    expect(app.locator(".queue-card")).to_have_count(count - 1)
    steps.settled(app)
    assert [(b["author"], b["reviewStatus"]) for b in server.books() if b["title"] == "The Waves"] == [("Virginia Woolf", "userEdited")]


@pytest.mark.sizes("desktop")
def test_what_is_typed_outlasts_news_and_a_refusal(app):
    count = fill_queue(app)

    def changed(route):
        """All books of the queue have news."""
        response = route.fetch()
        body = response.json()
        for item in body["items"]:
            item["etag"] += "-news"
        route.fulfill(response=response, json=body)
    card = app.locator(f'.queue-card[data-item="{app.locator(".queue-card").first.get_attribute("data-item")}"]')
    title = card.get_by_role("textbox", name="Title")
    card.get_by_role("button", name=re.compile("^Edit")).click()
    title.fill("Typed ")
    app.route("**/correct", lambda route: route.fulfill(status=503, body="{}", content_type="application/problem+json"))
    app.route("**/api/v1/review?*", changed, times=1)
    with app.expect_response("**/api/v1/review?*"):
        app.evaluate("import('/lib/review.js').then((review) => review.loadReview())")
        app.keyboard.type("by hand")
    expect(title).to_have_value("Typed by hand")
    app.keyboard.press("Enter")
    steps.left(app, count)
    expect(app.locator(".undo")).to_be_visible()
    card.get_by_role("button", name=re.compile("^Edit")).click()
    expect(title).to_have_value("Typed by hand")
    # What is wrong is said beside the field.
    card.get_by_role("textbox", name="ISBN").fill("978-0-00")
    app.keyboard.press("Enter")
    expect(card.get_by_role("alert")).to_contain_text("wrong digit")
    expect(card.get_by_role("textbox", name="ISBN")).to_be_focused()


@pytest.mark.sizes("desktop")
def test_what_is_typed_in_a_card_is_there_again_after_back(app):
    app.open("/library")
    fill_queue(app)
    item = app.locator(".queue-card").first.get_attribute("data-item")
    card = app.locator(f'.queue-card[data-item="{item}"]')
    card.get_by_role("button", name=re.compile("^Edit")).click()
    card.get_by_role("textbox", name="Title").fill("Typed by hand")
    app.go_back()
    expect(app.locator("sl-review")).to_have_count(0)
    app.go_forward()
    expect(card.get_by_role("textbox", name="Title")).to_have_value("Typed by hand")
    card.get_by_role("button", name="Cancel").click()
    card.get_by_role("button", name=re.compile("^Edit")).click()
    expect(card.get_by_role("textbox", name="Title")).not_to_have_value("Typed by hand")


def test_a_book_that_changed_meanwhile_is_shown_beside_what_was_typed(app, server):
    title = type_while_another_device_corrects(app)
    here = app.url
    app.get_by_role("button", name="Save and next").click()
    expect(app.get_by_role("alert").filter(has_text="Typed elsewhere")).to_be_visible()
    expect(app).to_have_url(here)
    expect(title).to_have_value("Typed by hand")
    app.locator(".dock .main").click()
    steps.settled(app)
    titles = [book["title"] for book in server.books()]
    assert "Typed by hand" in titles and "Typed elsewhere" not in titles


def test_a_late_conflict_does_not_replace_what_is_typed_about_another_book(app):
    title = type_while_another_device_corrects(app)
    first, sent = app.url, []
    app.route(re.compile("/correct$"), lambda route: sent.append(route))
    with app.expect_request(re.compile("/correct$")):
        app.get_by_role("button", name="Save and next").click()
    expect(app).not_to_have_url(first)
    expect(title).not_to_have_value("Typed by hand")
    other = app.url
    title.fill("Typed about another book")
    steps.until(app, lambda: sent)
    sent[0].continue_()
    expect(app.locator(".undo")).to_contain_text("This book has been changed")
    app.evaluate("import('/lib/review.js').then((review) => review.loadReview())")
    expect(app).to_have_url(other)
    expect(title).to_have_value("Typed about another book")
    # The first book's form has its text.
    app.open(first.rpartition("#")[2])
    expect(title).to_have_value("Typed by hand")
    expect(app.get_by_role("alert").filter(has_text="Typed elsewhere")).to_be_visible()


@pytest.mark.sizes("desktop")
def test_a_card_shows_what_changed_beside_what_was_refused(app):
    fill_queue(app)
    app.route("**/correct", lambda route: route.fulfill(status=503, body="{}", content_type="application/problem+json"))
    item = app.locator(".queue-card").first.get_attribute("data-item")
    card = app.locator(f'.queue-card[data-item="{item}"]')
    title, edit = card.get_by_role("textbox", name="Title"), card.get_by_role("button", name=re.compile("^Edit"))

    def changed(route):
        response = route.fetch()
        body = response.json()
        for book in body["items"]:
            if book["id"] == item:
                book.update(title="Typed elsewhere", etag=f"{book['etag']}-news")
        route.fulfill(response=response, json=body)
    edit.click()
    title.fill("Typed by hand")
    app.route("**/api/v1/review?*", changed)
    app.keyboard.press("Enter")
    expect(app.locator(".undo")).to_be_visible()
    app.evaluate("import('/lib/review.js').then((review) => review.loadReview())")
    expect(card).to_contain_text("Typed elsewhere")
    edit.click()
    expect(title).to_have_value("Typed by hand")
    expect(card.get_by_role("alert")).to_contain_text("Typed elsewhere")


@pytest.mark.sizes("desktop")
def test_a_form_that_loads_after_a_retry_is_sent_once(app):
    fill_queue(app)
    item = steps.queue(app)[0]["id"]
    app.goto("about:blank")
    busy = re.compile(rf"/api/v1/(review\?|detections/{re.escape(item)}$)")
    app.route(busy, lambda route: route.fulfill(status=503, body="{}", content_type="application/problem+json"))
    app.open(f"/review/{item}")
    retry = app.locator("main").get_by_role("button", name="Retry")
    expect(retry).to_be_visible()
    app.unroute(busy)
    retry.click()
    title, sent = app.get_by_role("textbox", name="Title"), []
    title.fill("The Waves")
    app.on("request", lambda r: sent.append(r.url) if r.url.endswith("/correct") else None)
    title.press("Control+Enter")
    expect(app).to_have_url(re.compile("#/review$"))
    steps.settled(app)
    assert len(sent) == 1


def test_a_swipe_says_yes_and_the_other_way_not_a_book(app, server):
    count = fill_queue(app)
    before, person = len(server.books()), clearing.Person(app)
    for distance, left in ((160, count - 1), (-160, count - 2)):
        person.swipe(app.locator(".queue-card").first, distance)
        steps.left(app, left)
    steps.settled(app)
    assert len(server.books()) == before - 1


def test_the_phone_answers_a_yes_and_a_refusal_and_its_icon_counts_what_waits(app):
    app.add_init_script("""Object.assign(navigator, {
      vibrate: (pattern) => (globalThis.felt ??= []).push(pattern),
      setAppBadge: async (n) => { globalThis.onIcon = n; },
    })""")
    count = fill_queue(app)
    steps.eventually(app, f"async () => onIcon === {count}")
    yes = app.locator(".thumb-dock [data-key=yes]")
    yes.tap()
    steps.left(app, count - 1)
    steps.eventually(app, f"async () => onIcon === {count - 1}")
    assert app.evaluate("felt") == [10]
    app.route("**/verify", lambda route: route.fulfill(status=422, json={"code": "invalid"}))
    yes.tap()
    steps.eventually(app, "async () => felt.length === 3")
    assert app.evaluate("felt") == [10, 10, 30]
    steps.left(app, count - 1)


def test_a_long_title_is_seen_whole_while_it_is_typed(app, server):
    fill_queue(app, "notChecked")
    app.locator(".thumb-dock [data-key=edit]").click()
    title, here = app.get_by_role("textbox", name="Title"), app.url
    title.fill("Short")
    low = title.bounding_box()["height"]
    title.fill("Introduction to Classical Mechanics:\nWith Problems and Solutions")
    assert title.bounding_box()["height"] > low + 10
    assert title.evaluate("(e) => e.scrollHeight <= e.clientHeight + 1")
    title.press("Enter")
    expect(app).not_to_have_url(here)
    steps.settled(app)
    assert "Introduction to Classical Mechanics: With Problems and Solutions" in [book["title"] for book in server.books()]


@pytest.mark.sizes("phone", "desktop")
def test_correcting_leads_from_one_to_the_next_until_nothing_is_left(app):
    left = fill_queue(app, "notChecked")
    app.locator(".queue-card a, .thumb-dock [data-key=edit]").first.click()
    for n in range(left - 1):
        here = app.url
        app.get_by_role("textbox", name="Title").fill(f"Title {n} by hand")
        app.get_by_role("button", name="Save and next").click()
        expect(app).not_to_have_url(here)
        expect(app.locator(".tier")).to_be_visible()
        expect(app.get_by_role("textbox", name="Title")).to_be_focused()
    app.get_by_role("textbox", name="Title").fill("The last title by hand")
    app.get_by_role("button", name="Save", exact=True).click()
    expect(app.locator(".empty")).to_contain_text("Nothing left to review.")
    expect(app.locator(".nav .badge")).to_be_hidden()


def test_skipped_books_do_not_come_back_after_a_correction(app):
    fill_queue(app)
    card, skip = app.locator(".queue-card.big"), app.get_by_role("button", name="Skip")
    seen = []
    for _ in range(2):
        seen.append(card.get_attribute("data-item"))
        skip.tap()
        expect(app.locator(f'.queue-card[data-item="{seen[-1]}"]')).to_have_count(0)
    third = card.get_attribute("data-item")
    clearing.correct(clearing.Person(app), {"title": "The Waves"}, ["title"])
    expect(app.locator(f'.queue-card[data-item="{third}"]')).to_have_count(0)
    assert card.get_attribute("data-item") not in [*seen, third]


def test_a_match_says_what_will_change_before_it_does(app):
    fill_queue(app)
    nameless = next(book for book in steps.queue(app) if not book["author"])
    # Open Library is asked now, and not while the photo was read.
    steps.ask_open_library(app).gate.set()
    app.open(f"/review/{nameless['id']}")
    app.get_by_role("button", name="Find a match").click()
    app.get_by_role("searchbox", name="Search for").fill("Treasure Island")
    app.locator(".match-row", has_text="Treasure Island").first.click()
    expect(app.locator(".match-change")).to_contain_text("(was empty)")
    app.get_by_role("button", name="Use this match").click()
    expect(app.locator(".undo")).to_contain_text("Matched: Treasure Island")


@pytest.mark.sizes("desktop")
def test_all_of_a_tier_at_once_and_back(app):
    count = fill_queue(app, "verify", poor_photo())
    assert count > 1
    app.get_by_role("button", name="Sort and more").click()
    app.get_by_role("button", name=f"Verify all {count} in “Verify”").click()
    app.locator("dialog .btn.main").click()
    expect(app.locator(".empty")).to_contain_text(f"You reviewed {count} books.")
    app.get_by_role("button", name="Undo").click()
    steps.left(app, count)


def test_a_slow_answer_brings_nothing_back_that_was_decided(app):
    count = fill_queue(app)
    app.locator(".thumb-dock [data-key=edit]").click()
    # The decision is on its way while the list is asked for.
    sent = []
    app.route(re.compile("/correct$"), lambda route: sent.append(route))
    app.get_by_role("textbox", name="Title").fill("By hand")
    with app.expect_request(re.compile("/correct$")):
        app.get_by_role("button", name="Save and next").click()
    app.open("/review")
    app.evaluate("() => { globalThis.loaded = import('/lib/review.js').then((review) => review.loadReview()); }")
    steps.left(app, count - 1)
    sent[0].continue_()
    app.evaluate("loaded")
    steps.left(app, count - 1)


def test_results_name_no_percentage_for_books_that_were_not_checked(app):
    summary = steps.scan(app)["summary"]
    unchecked = summary["notChecked"]
    unsure = unchecked + summary["verify"] + summary["needsReview"]
    expect(app.locator(".results-panel")).to_contain_text(f"{summary['ready']} are ready. {unsure} to check.")
    steps.more(app, "Show as a list")
    rows = app.locator("dialog .result-main", has=app.locator(".tier.notChecked"))
    expect(rows).to_have_count(unchecked)
    for row in rows.all():
        expect(row).not_to_contain_text("%")
    expect(app.locator("dialog .result-main").filter(has_text="%").first).to_be_visible()
    title = rows.first.locator(".title").text_content()
    rows.first.click()
    expect(app.locator(".book-card")).to_contain_text(title.strip("“”"))
    expect(app.locator(".results-panel")).not_to_contain_text("%")


def test_books_that_were_not_checked_are_confirmed_together_after_a_look_at_all(app):
    count = fill_queue(app, "notChecked")
    requests = []
    app.on("request", lambda r: requests.append(r.url) if r.method == "POST" else None)
    expect(app.locator(".queue-card.notChecked")).to_contain_text("Read, not checked")
    expect(app.locator(".queue")).not_to_contain_text("%")
    app.get_by_role("button", name="These are right").click()
    rows = app.locator("dialog .right-row")
    expect(rows).to_have_count(count)
    expect(rows.first.locator("canvas.drawn")).to_be_visible()
    # One is corrected in the list, and one is left for later.
    rows.nth(0).locator("[name=title]").fill("Typed in the list")
    wrong = rows.nth(1).locator("[name=title]").input_value()
    rows.nth(1).get_by_role("checkbox").uncheck()
    app.locator("dialog").get_by_role("button", name=f"{count - 1} are right").click()
    steps.left(app, 1)
    expect(app.locator(".queue-card h2")).to_have_text(wrong)
    steps.settled(app)
    assert [url.rpartition("/")[2] for url in requests] == ["verify-all", "correct"]
    assert "Typed in the list" in [book["title"] for book in app.server.books()]
    app.get_by_role("button", name="Undo").click()
    steps.left(app, count)
    assert "Typed in the list" not in [book["title"] for book in app.server.books()]
    # A closed sheet and an empty choice decide nothing.
    app.get_by_role("button", name="These are right").click()
    for box in rows.get_by_role("checkbox").all():
        box.uncheck()
    expect(app.locator("dialog").get_by_role("button", name="None are right")).to_be_disabled()
    app.locator("dialog").get_by_role("button", name="Cancel").click()
    steps.left(app, count)


def test_a_refused_confirmation_of_many_brings_all_back(app):
    count = fill_queue(app, "notChecked")
    app.route("**/review/verify-all", lambda route: route.fulfill(status=503, body="{}", content_type="application/problem+json"))
    app.get_by_role("button", name="These are right").click()
    app.locator("dialog .btn.main").click()
    expect(app.locator(".undo")).to_be_visible()
    steps.left(app, count)


def test_one_book_fills_the_phone_and_yes_is_the_widest_button(app):
    fill_queue(app)
    expect(app.locator(".nav")).to_be_hidden()
    width = lambda key: app.locator(f".thumb-dock [data-key={key}]").bounding_box()["width"]
    assert width("yes") > 1.9 * max(width("not"), width("edit"))
    expect(app.locator(".spine-place canvas.drawn").last).to_be_visible()
    assert app.locator(".spine-place").bounding_box()["height"] >= 96
    expect(app.locator(".queue-top")).to_contain_text("1 of")
    app.get_by_role("button", name="Close").click()
    expect(app.locator(".nav")).to_be_visible()


def test_the_order_that_was_chosen_is_remembered(app):
    # Its spines are read with more and with less certainty.
    fill_queue(app, photo=poor_photo())
    card = app.locator(".queue-card.big")
    first = card.get_attribute("data-item")
    app.get_by_role("button", name="Sort and more").click()
    app.get_by_role("button", name="Most certain first").click()
    expect(app.locator(f'.queue-card.big[data-item="{first}"]')).to_have_count(0)
    app.reload()
    expect(app.locator(".queue-card.big[data-item]")).to_be_visible()
    assert card.get_attribute("data-item") != first


def test_a_book_is_verified_unchanged_with_one_visible_button(app):
    count = fill_queue(app)
    item = app.locator(".queue-card.big").get_attribute("data-item")
    app.locator(".thumb-dock [data-key=edit]").click()
    unchanged = app.get_by_role("button", name="Verify unchanged")
    title = app.get_by_role("textbox", name="Title")
    before = title.input_value()
    title.fill("Typed")
    expect(app.get_by_role("button", name="Save and next")).to_be_visible()
    title.fill(before)
    with app.expect_request(f"**/detections/{item}/verify"):
        unchanged.click()
    steps.settled(app)
    assert len(steps.queue(app)) == count - 1
