"""From the shutter to the library to the review queue."""
import re

import pytest
import steps
from conftest import other_page, picture
from playwright.sync_api import expect


def shoot(app):
    """Takes a photo, and returns the server's results."""
    app.open("/scan")
    app.get_by_role("button", name="Take the photo").click()
    steps.use_photo(app)
    return steps.all_found(app)


def add(app, ready):
    """Adds the ready books."""
    app.get_by_role("button", name=re.compile(f"^Add {ready} ready books")).click()
    app.locator("dialog").get_by_role("button", name=f"Add {ready} books").click()
    expect(app.locator(".undo")).to_contain_text(f"{ready} books are in your library")


def test_undo_takes_the_books_out_again(app, server):
    found = shoot(app)
    expect(app.locator("sl-stage .mark")).to_have_count(len(found["books"]))
    ready = found["summary"]["ready"]
    add(app, ready)
    assert len(server.books()) == ready
    steps.undone(app)
    expect(app.get_by_role("button", name=re.compile(f"^Add {ready} ready books"))).to_be_visible()
    assert server.books() == []


@pytest.mark.sizes("phone")
def test_the_phone_says_once_that_the_photo_is_read(app):
    app.add_init_script("""Object.assign(navigator, { vibrate: (pattern) => (globalThis.felt ??= []).push(pattern) })""")
    shoot(app)
    steps.eventually(app, "async () => globalThis.felt?.length > 1")
    assert app.evaluate("felt") == [8, [20, 100, 20]]


@pytest.mark.sizes("phone")
def test_books_that_are_cleared_stay_cleared(app, server):
    found = steps.scan(app)
    books = len(found["books"])
    for number in (books, 0, books):
        if number:
            steps.more(app, "Clear all")
            app.locator("dialog .btn.main").click()
            # The camera is next; Undo shows the results again.
            expect(app.locator(".shutter")).to_be_visible()
        else:
            app.locator(".undo").get_by_role("button", name="Undo").click()
            expect(app.locator(".results-panel h1")).to_have_text(f"{books} spines found")
        # The server has heard of each.
        steps.eventually(app, f"""async () => (await (await fetch("/api/v1/scans/{found['jobId']}/results")).json()).books
            .filter((book) => book.library.state === "rejected").length === {number}""")
    app.go_back()
    expect(app.locator(".results-panel h1")).to_have_text("0 spines found")
    expect(app.locator(".results-top .pill")).to_have_count(0)
    assert server.books() == []


def test_a_tap_on_the_photo_chooses_the_spine(app):
    shoot(app)
    app.wait_for_selector("sl-stage.ready")
    place = app.evaluate("""() => {
      const stage = document.querySelector("sl-stage");
      const book = stage.books.find((b) => b.title === "Dracula");
      const [x, y] = stage.placeOf(book.id), box = stage.getBoundingClientRect();
      return [x + box.left, y + box.top];
    }""")
    app.mouse.click(*place)
    expect(app.locator(".spine-row")).to_have_attribute("aria-valuetext", re.compile("Dracula"))
    expect(app.locator(".mark.chosen")).to_have_count(1)


def test_files_are_taken_as_well(app):
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", [picture("left.jpg"), picture("right.jpg")])
    app.get_by_role("button", name="Read 2").click()
    found = steps.all_found(app)
    assert len(found["photos"]) == 2 and found["summary"]["duplicatesFolded"] > 0


@pytest.mark.books(148)
def test_search_answers_as_one_types(app, size):
    app.open("/search")
    app.get_by_role("searchbox", name="Search the library").fill("mantel house")
    expect(app.locator(".lib-head p")).to_have_text(re.compile(r"^\d+ books? found"))
    for label in app.locator(".cell-main").evaluate_all("list => list.map((a) => a.ariaLabel)"):
        assert "Mantel" in label and "House" in label


@pytest.mark.sizes("phone")
def test_spines_are_outlined_while_framing(app):
    app.open("/scan")
    eye = app.get_by_role("button", name="Show spines in the viewfinder")
    with app.expect_response(re.compile("/preview$")) as answer:
        eye.click()
    spines = len(answer.value.json()["spines"])
    assert spines >= 23  # of the 26 that the camera shows
    expect(app.locator(".live-overlay")).to_have_attribute("data-spines", str(spines))
    for _ in range(2):  # and again, and again
        app.wait_for_event("response", lambda answer: answer.url.endswith("/preview"))
    eye.click()
    expect(eye).to_have_attribute("aria-pressed", "false")


@pytest.mark.sizes("desktop")
def test_the_photo_zooms_about_the_pointer_and_moves(app):
    shoot(app)
    app.wait_for_selector("sl-stage.ready")
    place = "() => { const s = document.querySelector('sl-stage'); return s.placeOf(s.books[0].id); }"
    box = app.locator("sl-stage").bounding_box()
    first = app.evaluate(place)
    far = app.evaluate("String(document.querySelector('sl-stage').placeOf(document.querySelector('sl-stage').books.at(-1).id))")
    app.mouse.move(box["x"] + first[0], box["y"] + first[1])
    app.mouse.wheel(0, -400)
    app.wait_for_function("(before) => String(document.querySelector('sl-stage').placeOf(document.querySelector('sl-stage').books.at(-1).id)) !== before", arg=far)
    near = app.evaluate(place)
    assert abs(near[0] - first[0]) < 60 and abs(near[1] - first[1]) < 60
    app.mouse.down()
    app.mouse.move(box["x"] + near[0] + 80, box["y"] + near[1] + 40, steps=4)
    app.mouse.up()
    assert app.evaluate(place) != near
    assert app.locator(".mark.chosen").count() == 0  # a drag is not a tap


@pytest.mark.sizes("phone")
@pytest.mark.books(12)
def test_german_throughout(browser, server, size):
    work = server.call("GET", f"/works/{server.books()[0]['workId']}")
    server.call("PATCH", f"/works/{work['id']}", {"year": 1954}, If_Match=f'"{work["etag"]}"')
    with other_page(browser, server, size, locale="de-DE") as page:
        for path, words in (("/library", "12 Bücher, davon"), ("/review", "Nichts mehr zu prüfen."), ("/settings", "Teilen und Server"), ("/settings/reading", "Prüfschwelle"), ("/stats", "Nach Jahrzehnt"),
                            ("/scan", "Richte die Kamera auf ein Regal"), ("/import", "Bücherliste importieren")):
            page.goto(f"{server.address}/#{path}")
            expect(page.locator("main")).to_contain_text(words)
        assert page.locator("html").get_attribute("lang") == "de"


@pytest.mark.at_once
@pytest.mark.sizes("phone")
def test_what_is_unsure_is_the_next_step_and_the_only_thing_outlined(app):
    found = steps.scan(app)
    unsure = [b["library"]["detectionId"] for b in found["books"] if b["library"]["state"] == "review"]
    sure = sum(b["library"]["state"] == "added" for b in found["books"])
    assert unsure and sure
    expect(app.locator(".results-panel .quiet").first).to_contain_text(f"{sure} added. {len(unsure)} to check.")
    expect(app.locator(".mark:not(.plain)")).to_have_count(len(unsure))
    expect(app.locator(".badge-mark")).to_have_count(min(12, len(unsure)))
    app.get_by_role("button", name=f"Check {len(unsure)}").click()
    # The queue of this photo; its menu leads to the others.
    expect(app.locator(".queue-card.big[data-item]")).to_be_visible()
    assert app.locator(".queue-card.big").get_attribute("data-item") in unsure
    app.get_by_role("button", name="Sort and more").click()
    expect(app.get_by_role("button", name="All books")).to_be_visible()


@pytest.mark.sizes("phone")
def test_the_scan_screen_leads_to_earlier_photos(app):
    books = len(steps.scan(app)["books"])
    app.open("/scan")
    app.get_by_role("link", name="Earlier photos").click()
    row = app.locator(".scan-row")
    expect(row).to_contain_text(f"{books} books")
    row.get_by_role("link").click()
    expect(app.locator(".results-panel h1")).to_have_text(f"{books} spines found")
