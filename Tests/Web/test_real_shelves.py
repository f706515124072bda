"""Shelf pages, books without a photo, and reports."""
import json
import re
import shutil

import pytest
import steps
from conftest import ALL, SHELF, picture
from pictures import GONE, TRUTH
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone"), pytest.mark.at_once]

BOOKS = TRUTH["books"]


def new_shelf(app, name="Hall"):
    """Creates a shelf, and returns its id."""
    return app.server.call("POST", "/shelves", {"name": name})["id"]


def scan_shelf(app, shelf, *photos):
    """Scans photos of a shelf from its page."""
    open_shelf(app, shelf)
    app.get_by_role("link", name="Scan this shelf").click()
    expect(app.locator(".scan-shelf")).to_contain_text("Hall")
    app.set_input_files("input[type=file]:not([capture])", [str(p) for p in photos])
    if len(photos) == 1:
        steps.use_photo(app)
    else:
        app.get_by_role("button", name=f"Read {len(photos)}").click()
    app.locator(".results-panel h1", has_text="spines found").wait_for()


def open_shelf(app, shelf):
    app.open(f"/shelves/{shelf}")
    expect(app.locator("sl-shelf h1")).to_have_text("Hall")


def drawn(app):
    """Waits until all spines on the boards that are near are drawn, and returns their number."""
    app.locator(".shelf-spine canvas.drawn").first.wait_for()
    return app.locator(".shelf-spine").count()


def spines(app, shelf):
    return app.server.call("GET", f"/shelves/{shelf}/spines")


def compare(app):
    app.get_by_role("button", name="Check for missing books").click()
    sheet = app.get_by_role("dialog", name="Check for missing books")
    sheet.locator("summary, [data-key]").first.wait_for()
    return sheet


@pytest.fixture
def shelf(app, server):
    """A shelf of a library whose books are all known, so that they are sure."""
    server.give_catalog(ALL)
    return new_shelf(app)


# ---- shelf pages


@pytest.mark.sizes("phone", "desktop")
def test_the_shelf_page_shows_the_shelf(app, shelf):
    scan_shelf(app, shelf, SHELF)
    open_shelf(app, shelf)
    assert 23 <= drawn(app) <= len(BOOKS)
    boards = app.locator(".shelf-board")
    expect(boards).to_have_count(2)
    names = [boards.nth(n).locator(".shelf-spine").evaluate_all("(all) => all.map((e) => e.title)") for n in range(2)]
    for board, row in zip(names, (BOOKS[:15], BOOKS[15:])):
        order = [b["title"] for b in row if b["title"] in board]
        assert len(order) >= len(row) - 3
        standing = [title for title in board if title in {b["title"] for b in row if b["box"][2] < b["box"][3]}]
        assert standing == [title for title in order if title in standing]
    # The stack is one column, from its top.
    stack = boards.nth(1).locator("li:has(> :nth-child(2)) > .shelf-spine").evaluate_all("(all) => all.map((e) => e.title)")
    assert stack == [b["title"] for b in BOOKS[15:19] if b["title"] in stack] and len(stack) >= 3
    # Heights are in proportion to those in the photo.
    high = {one["entry"]["title"]: one["height"] for board in spines(app, shelf)["boards"] for one in board if one["height"] > one["width"]}
    shown = app.locator(".shelf-spine").evaluate_all("(all) => all.map((e) => [e.title, e.getBoundingClientRect().height])")
    ratios = [height / high[title] for title, height in shown if title in high]
    assert len(ratios) >= 18 and max(ratios) / min(ratios) < 1.02
    # A first scan has no gaps and nothing new.
    expect(app.locator(".shelf-gap")).to_have_count(0)
    sheet = compare(app)
    expect(sheet).to_contain_text("first photos")
    expect(sheet.locator("[data-key=new], [data-key=missing]")).to_have_count(0)
    app.keyboard.press("Escape")
    boards.first.locator(".shelf-spine").first.click()
    expect(app.locator(".work-head h1")).to_have_text(names[0][0])
    assert app.refused == []


@pytest.mark.touched
def test_the_keyboard_steps_along_a_board(app, shelf):
    scan_shelf(app, shelf, SHELF)
    open_shelf(app, shelf)
    drawn(app)
    board = app.locator(".shelf-board").first.locator(".shelf-spine")
    board.first.focus()
    app.keyboard.press("ArrowRight")
    expect(board.nth(1)).to_be_focused()
    app.keyboard.press("End")
    expect(board.last).to_be_focused()
    expect(board.last).to_be_in_viewport()
    app.keyboard.press("Tab")
    expect(app.locator(".shelf-board").nth(1).locator(".shelf-spine").first).to_be_focused()


@pytest.mark.parametrize("scans", [
    pytest.param([["left.jpg"], ["right.jpg"]], id="two scans"), pytest.param([["left.jpg", "right.jpg"]], id="one scan", marks=pytest.mark.touched)])
def test_overlapping_photos_make_one_row_with_each_book_once(app, shelf, scans):
    for names in scans:
        scan_shelf(app, shelf, *map(picture, names))
    entries = [s["entry"]["title"] for board in spines(app, shelf)["boards"] for s in board if s["entry"]["reviewStatus"] != "needsReview"]
    assert len(entries) == len(set(entries))
    open_shelf(app, shelf)
    drawn(app)
    row = app.locator(".shelf-board").first.locator(".shelf-spine").evaluate_all("(all) => all.map((e) => e.title)")
    known = [b["title"] for b in BOOKS[:15] if b["title"] in row]
    assert [title for title in row if title in known] == known
    assert known[0] == "Moby-Dick" and len(known) >= 13
    expect(app.locator(".shelf-gap")).to_have_count(0)


def test_a_gap_is_found_lent_moved_or_removed_and_each_is_undone(app, shelf):
    study = new_shelf(app, "Study")
    scan_shelf(app, shelf, SHELF)
    scan_shelf(app, shelf, picture("without.jpg"))
    open_shelf(app, shelf)
    drawn(app)
    gap = app.get_by_role("button", name=re.compile(f"^Missing: {GONE}"))
    expect(gap).to_be_visible()
    expect(app.locator(".missing-count")).to_contain_text("1 missing")
    # It is where the book was.
    titles = [s["entry"]["title"] for s in next(b for b in spines(app, shelf)["boards"] if any(s["entry"]["title"] == GONE for s in b))]
    at = titles.index(GONE)
    assert {titles[at - 1], titles[at + 1]} <= {"Les Misérables", "Madame Bovary", "Don Quijote de la Mancha", "Cien años de soledad"}

    def choose(name):
        gap.click()
        app.get_by_role("dialog", name=GONE).get_by_role("button", name=name, exact=True).click()

    def back():
        steps.undone(app)
        expect(gap).to_be_visible()

    choose("Found")
    expect(app.locator(".undo")).to_contain_text(f"{GONE} is on the shelf.")
    expect(app.locator(".shelf-spine[data-state=found]")).to_have_attribute("title", GONE)
    expect(gap).to_have_count(0)
    back()
    choose("Lent")
    app.get_by_role("dialog", name="Lend").get_by_label("Lend to").fill("Dorothea")
    app.get_by_role("dialog", name="Lend").get_by_role("button", name="Lend").click()
    expect(app.get_by_role("button", name=re.compile(f"^Lent: {GONE}"))).to_be_visible()
    expect(gap).to_have_count(0)
    back()
    choose("Moved to")
    app.get_by_role("dialog", name="Moved to").get_by_role("button", name="Study").click()
    expect(gap).to_have_count(0)
    assert [e["title"] for e in spines(app, study)["unseen"]] == [GONE]
    back()
    choose("Remove")
    expect(app.locator(".undo")).to_contain_text("1 book deleted.")
    expect(gap).to_have_count(0)
    back()
    assert app.refused == []


def test_books_out_of_order_are_marked_put_in_order_or_ignored_and_each_is_undone(app, shelf):
    scan_shelf(app, shelf, SHELF)
    open_shelf(app, shelf)
    drawn(app)
    expect(app.locator(".spine-badge")).to_have_count(0)  # no rule, no order
    app.locator("sl-shelf .topbar").get_by_role("button", name="More").click()
    app.get_by_role("dialog", name="More").get_by_role("button", name="Order, code and note").click()
    form = app.get_by_role("dialog", name="Order, code and note")
    form.get_by_label("Sorted by").select_option("title")
    form.get_by_role("button", name="Save").click()
    strays = app.get_by_role("button", name=re.compile("^Out of order:"))
    expect(strays.first).to_be_visible()
    audit = app.server.call("GET", f"/shelves/{shelf}/audit")
    count = audit["counts"]["outOfOrder"]
    expect(strays).to_have_count(count)
    expect(app.locator(".shelf-sub")).to_contain_text(f"{count} out of order")
    strays.first.click()
    app.get_by_role("dialog").get_by_role("button", name="Show where it belongs").click()
    expect(app.locator("dialog .mark .arrow.edge")).to_have_attribute("d", re.compile(r"^M[\d. -]+Q"))
    expect(app.locator("dialog .under-stage")).to_contain_text("belongs")
    app.keyboard.press("Escape")
    for action, words in ((re.compile("^I put it"), "is in order."), ("Ignore its place here", "is ignored here.")):
        strays.first.click()
        app.get_by_role("dialog").get_by_role("button", name=action).click()
        expect(app.locator(".undo")).to_contain_text(words)  # and no longer the action before
        assert app.server.call("GET", f"/shelves/{shelf}/audit")["counts"].get("outOfOrder", 0) < count
        steps.undone(app)
        expect(strays).to_have_count(count)
    assert app.refused == []


@pytest.mark.touched
def test_a_missing_volume_is_an_empty_slot_between_its_neighbours_on_a_shelf_sorted_by_series(app, shelf):
    scan_shelf(app, shelf, SHELF)
    first, second = [one["entry"] for one in spines(app, shelf)["boards"][0][:2]]
    for book, number in ((first, 1), (second, 4)):
        series = {"series": f"Earthsea, #{number}"}
        app.server.call("PATCH", f"/works/{book['workId']}?entry={book['id']}", series, If_Match=book["etag"])
    open_shelf(app, shelf)
    drawn(app)
    slots = app.locator(".volume-slot")
    expect(slots).to_have_count(0)  # it has no rule
    app.locator("sl-shelf .topbar").get_by_role("button", name="More").click()
    app.get_by_role("dialog", name="More").get_by_role("button", name="Order, code and note").click()
    form = app.get_by_role("dialog", name="Order, code and note")
    form.get_by_label("Sorted by").select_option("series")
    form.get_by_role("button", name="Save").click()
    expect(slots).to_have_count(2)
    row = app.locator(".shelf-board").first.locator(".board-spines > li")
    expect(row.nth(1).locator("[data-volume='2']")).to_be_visible()
    expect(row.nth(2).locator("[data-volume='3']")).to_be_visible()
    app.get_by_role("button", name="Earthsea, volume 2 is missing. Put it on the wish list.").click()
    expect(app.locator(".undo")).to_contain_text("1 volume is on the wish list.")
    expect(app.get_by_role("link", name="Earthsea, volume 2 is on the wish list.")).to_be_visible()
    expect(slots).to_have_count(2)
    steps.undone(app)
    expect(app.get_by_role("button", name="Earthsea, volume 2 is missing. Put it on the wish list.")).to_be_visible()
    assert [book for book in app.server.books() if book["ownership"] == "wishlist"] == []
    assert app.refused == []


def test_words_that_only_a_spine_shows_find_it_on_its_photo(app, shelf):
    scan_shelf(app, shelf, SHELF)
    app.open("/search")
    app.get_by_role("searchbox", name="Search the library").fill("gallimrad")
    spines = app.locator("section", has=app.get_by_role("heading", name="On spines"))
    expect(spines.locator("li").first).to_contain_text(re.compile("gallimard", re.I))
    spines.get_by_role("button").first.click()
    expect(app.locator("dialog sl-stage.ready")).to_be_visible()
    expect(app.locator("dialog .under-stage")).to_contain_text("Hall")
    app.keyboard.press("Escape")
    app.get_by_role("button", name="Clear").click()
    expect(spines).to_have_count(0)
    assert app.refused == []


@pytest.mark.sizes("phone", "desktop")
def test_books_in_places_that_the_photos_do_not_show_are_not_missing(app, shelf):
    def of_a_part(route):
        answer = route.fetch()
        found = answer.json()
        found |= {"isFirst": False, "present": [], "notShown": found["present"]}
        route.fulfill(response=answer, json=found)

    scan_shelf(app, shelf, SHELF)
    open_shelf(app, shelf)
    drawn(app)
    app.route("**/inventory", of_a_part)
    sheet = compare(app)
    expect(sheet).to_contain_text("Nothing is missing on the part of the shelf that the photos show.")
    expect(sheet.locator("[data-key=missing]")).to_have_count(0)
    others = sheet.locator("[data-key=notShown]")
    expect(others.locator("li").first).to_be_hidden()
    others.get_by_text("On other parts of the shelf").click()
    expect(others.locator("li").first).to_be_visible()
    assert others.locator("li").count() >= 22
    assert app.refused == []


def test_a_scan_again_is_compared_without_being_added(app, server, shelf):
    scan_shelf(app, shelf, SHELF)
    app.evaluate("""async () => {
        const api = await import('/lib/api.js');
        const { items } = await api.reviewQueue();
        const books = items.filter((item) => item.kind === 'detection');
        if (books.length) await api.rejectAll(books.map((item) => item.id));  // imprints that were read as books
    }""")
    server.change_settings(askBeforeAdding=True)
    scan_shelf(app, shelf, picture("without.jpg"))
    open_shelf(app, shelf)
    drawn(app)
    expect(app.locator(".shelf-gap")).to_have_count(0)  # nothing was added
    sheet = compare(app)
    missing = sheet.locator("[data-key=missing] li")
    expect(missing).to_have_count(1)
    expect(missing).to_contain_text(GONE)
    expect(sheet.locator("[data-key=new], [data-key=moved]")).to_have_count(0)
    added = sheet.locator("[data-key=notAdded] .title").all_text_contents()
    assert not set(added) & {b["title"] for b in BOOKS}
    assert int(sheet.locator("summary .nums").text_content()) >= 22
    missing.get_by_role("button", name=f"What happened to {GONE}?").click()
    app.get_by_role("dialog", name=GONE).get_by_role("button", name="Remove").click()
    expect(missing).to_have_count(0)
    expect(sheet).to_contain_text("The photos show every book of this shelf.")
    assert app.refused == []


@pytest.mark.touched
def test_a_book_that_was_moved_here_is_kept_here(app, shelf):
    study = new_shelf(app, "Study")
    scan_shelf(app, shelf, SHELF)
    moved = next(s["entry"]["id"] for board in spines(app, shelf)["boards"] for s in board if s["entry"]["title"] == GONE)
    app.server.call("POST", "/library/bulk", {"ids": [moved], "shelf": study})
    open_shelf(app, shelf)
    spine = app.get_by_role("button", name=re.compile(f"^Recorded elsewhere: {GONE}"))
    spine.click()
    app.get_by_role("dialog", name=GONE).get_by_role("button", name="Keep on this shelf").click()
    expect(spine).to_have_count(0)
    expect(app.locator(f".shelf-spine[data-state=present][title='{GONE}']")).to_be_visible()
    assert spines(app, study)["unseen"] == []
    steps.undone(app)
    expect(spine).to_be_visible()


@pytest.mark.touched
def test_books_that_no_photo_shows_are_listed_by_cover(app, shelf):
    scan_shelf(app, shelf, SHELF)
    app.server.add(title="Behind the others", authors=["A Person"], shelf=shelf)
    open_shelf(app, shelf)
    drawn(app)
    place = app.locator("section", has=app.get_by_role("heading", name="Without a spine"))
    expect(place.get_by_role("link", name="Behind the others, by A Person").locator(".cover")).to_be_visible()


# ---- photos


def settle(app, server, photos, pictures):
    """Reviews all books, and has the server clean up with these settings."""
    app.evaluate("""async () => {
        const api = await import('/lib/api.js');
        const { items } = await api.reviewQueue();
        await api.verifyAll({ ids: items.filter((item) => item.kind === "detection").map((item) => item.id) });
    }""")
    server.change_settings(keepShelfPhotos=photos, keepShelfPictures=pictures)
    server.stop()
    server.run("library", "clean-up", "--data", server.folder)
    server.start()
    app.reload()


def no_dark_frame(app):
    """No empty picture, and no stage without one."""
    expect(app.locator("sl-stage:visible")).to_have_count(0)
    expect(app.locator(".shelf-photo")).to_have_count(0)
    expect(app.locator("canvas.spine.missing")).to_have_count(0)


@pytest.mark.touched
def test_the_picture_that_stays_shows_the_shelf(app, server, shelf):
    scan_shelf(app, shelf, SHELF)
    settle(app, server, photos=False, pictures=True)
    open_shelf(app, shelf)
    drawn(app)
    app.locator(".shelf-spine").first.click()
    app.locator("[data-key=show]").click()
    picture = app.locator("dialog sl-stage.ready > img")
    assert picture.evaluate("(img) => Math.max(img.naturalWidth, img.naturalHeight)") == 2048
    assert app.refused == []


@pytest.mark.touched
def test_without_photo_and_picture_there_are_covers_and_places_in_words(app, server, shelf):
    scan_shelf(app, shelf, SHELF)
    settle(app, server, photos=False, pictures=False)
    open_shelf(app, shelf)
    expect(app.locator(".made-spine").first).to_be_visible()
    assert 23 <= app.locator(".made-spine").count() == app.locator(".shelf-spine").count()
    no_dark_frame(app)
    app.locator(".shelf-spine").nth(2).click()
    expect(app.locator(".work-words")).to_have_text("Hall, 3rd from the left")
    expect(app.locator(".work-head .cover")).to_be_visible()
    no_dark_frame(app)
    app.get_by_role("button", name="More").click()
    app.get_by_role("dialog").get_by_role("button", name="Show on the shelf").click()
    sheet = app.get_by_role("dialog", name="Show on the shelf")
    expect(sheet.locator(".cover")).to_be_visible()
    expect(sheet).to_contain_text("Hall, 3rd from the left")
    expect(sheet).to_contain_text("The photo of this shelf is no longer stored.")
    assert app.refused == []


@pytest.mark.touched
def test_pictures_that_were_lost_leave_no_empty_frame(app, server):
    """The files are gone, and the server does not know yet. Without a catalog some books are unsure."""
    shelf = new_shelf(app)
    scan_shelf(app, shelf, SHELF)
    results = app.url
    server.stop()
    shutil.rmtree(next(server.folder.rglob("photos")))
    server.start()
    with app.expect_response(re.compile("/spines$")):
        open_shelf(app, shelf)
    expect(app.locator(".made-spine").first).to_be_visible()
    no_dark_frame(app)
    app.locator(".shelf-spine").first.click()
    expect(app.locator(".work-words")).to_contain_text("Hall")
    no_dark_frame(app)
    app.open("/review")
    card = app.locator(".queue-card[data-item]")
    expect(card.locator(".cover").first).to_be_visible()
    expect(card).to_contain_text("Hall")
    no_dark_frame(app)
    app.locator("[data-key=edit]").click()
    expect(app.locator(".spine-frame .cover")).to_be_visible()
    no_dark_frame(app)
    app.get_by_role("button", name="Show on the shelf").click()
    expect(app.get_by_role("dialog").locator(".cover")).to_be_visible()
    no_dark_frame(app)
    app.keyboard.press("Escape")
    # The results, in a browser that has no copy of the photo.
    app.evaluate("import('/lib/store.js').then((store) => store.replaceAll('photos', []))")
    app.route(re.compile(r"/scans/[^/]+/photos/1$"), lambda route: route.fulfill(status=404))
    app.evaluate("(address) => (location.href = address)", results)
    app.reload()
    expect(app.locator(".results-instead")).to_contain_text("The photo of this shelf is no longer stored.")
    expect(app.locator(".spine-row .cover").first).to_be_visible()
    no_dark_frame(app)
    app.locator("[data-key=review]").click()
    expect(card.locator(".cover").first).to_be_visible()
    expect(card).to_contain_text("The photo of this shelf is no longer stored.")


@pytest.mark.touched
def test_the_setting_says_what_shelf_pictures_cost(app, server, shelf):
    scan_shelf(app, shelf, SHELF)
    settle(app, server, photos=False, pictures=True)
    app.open("/settings/reading")
    setting = app.locator("label.switch", has_text="Keep shelf pictures")
    expect(setting).to_contain_text(re.compile(r"2,048 px, about \d+ KB"))
    expect(setting).to_contain_text(re.compile(r"Stored so far: 1 picture, \d+ KB"))
    with app.expect_response(lambda r: r.request.method == "PATCH" and r.url.endswith("/settings")):
        setting.get_by_role("switch").click()
    assert server.call("GET", "/settings")["keepShelfPictures"] is False


# ---- reports


def exported(server):
    """The reports as the command exports them."""
    return json.loads(server.run("activity", "export", "--format", "json", "--data", server.folder))["feedback"]


def report(app, problem, **right):
    app.get_by_role("button", name="Report a wrong detection").click()
    sheet = app.get_by_role("dialog", name="Report a wrong detection")
    sheet.get_by_role("radio", name=problem).check()
    for name, text in right.items():
        sheet.get_by_label(name, exact=True).fill(text)
    with app.expect_response(re.compile("/feedback$")) as answer:
        sheet.get_by_role("button", name="Report", exact=True).click()
    assert answer.value.status == 204
    expect(app.locator(".undo")).to_contain_text("Reported.")


def test_reports_of_results_queue_and_library_are_exported(app, server):
    shelf = new_shelf(app)
    scan_shelf(app, shelf, SHELF)
    # The results: a report, and Not a book.
    app.evaluate("document.querySelector('sl-results').actions.step(1)")
    more = app.locator(".results-top").get_by_role("button", name="More")
    more.click()
    report(app, "The title or author is wrong", Title="What it says", Author="A Person", ISBN="9780441013593")
    with app.expect_response(re.compile("/feedback$")) as answer:
        app.locator("[data-key=not]").first.click()
    assert answer.value.status == 204
    # The queue.
    app.open("/review")
    app.locator(".queue-card[data-item]").first.wait_for()
    app.keyboard.press("j")
    app.get_by_role("button", name="Sort and more").click()
    report(app, "These are two books")
    # The library.
    app.open("/library")
    app.locator(".cell a").first.click()
    # The menu has the report once the book's place is known.
    app.locator(".work-photo.dark").wait_for()
    app.locator(".work-bar").get_by_role("button", name="More").click()
    report(app, "The outline is wrong", Title="In the library")
    reports = exported(server)
    assert [r["problem"] for r in reports] == ["wrongTitle", "notABook", "twoBooks", "cutOff"]
    assert [r.get("rightTitle") for r in reports] == ["What it says", None, None, "In the library"]
    assert (reports[0]["rightAuthor"], reports[0]["rightISBN"]) == ("A Person", "9780441013593")
    assert all(r["crop"] and not r["correct"] for r in reports)
    assert app.refused == []


@pytest.mark.touched
def test_a_report_with_a_wrong_isbn_stays_open(app):
    shelf = new_shelf(app)
    scan_shelf(app, shelf, SHELF)
    app.open("/library")
    app.locator(".cell a").first.click()
    # The menu has the report once the book's place is known.
    app.locator(".work-photo.dark").wait_for()
    app.locator(".work-bar").get_by_role("button", name="More").click()
    app.get_by_role("button", name="Report a wrong detection").click()
    sheet = app.get_by_role("dialog", name="Report a wrong detection")
    sheet.get_by_label("ISBN").fill("9780441013594")
    sheet.get_by_role("button", name="Report", exact=True).click()
    expect(sheet.get_by_role("alert")).to_be_visible()
    expect(sheet.get_by_label("ISBN")).to_be_focused()
    sheet.get_by_role("radio", name="This is not a book").check()
    expect(sheet.get_by_label("ISBN")).to_be_hidden()
    with app.expect_response(re.compile("/feedback$")) as answer:
        sheet.get_by_role("button", name="Report", exact=True).click()
    assert answer.value.status == 204
