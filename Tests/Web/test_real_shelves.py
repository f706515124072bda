"""Shelf pages, books without a photo, and reports, against the real server."""
import json
import re
import shutil
import subprocess

import conftest
import pytest
import standin
import steps
from playwright.sync_api import expect

pytestmark = [pytest.mark.limit(600), pytest.mark.sizes("phone"), pytest.mark.at_once]

BOOKS = standin.TRUTH["books"]
ALL = [(b["title"], b["author"], b["isbn"]) for b in BOOKS]
GONE = "Faust"


def part(name, x, width):
    """A photo of a part of the shelf; `x` and `width` are fractions."""
    return conftest.made(name, "-vf", f"crop=iw*{width}:ih:iw*{x}:0", "-q:v", "3")


def without(title):
    """Another photo of the shelf, after a book was taken out."""
    x, y, width, height = next(b["box"] for b in BOOKS if b["title"] == title)
    wall = f"drawbox=x=iw*{x}:y=ih*{y}:w=iw*{width}:h=ih*{height}:color=0x2a2018:t=fill"
    return conftest.made(f"without-{title}.jpg", "-vf", f"{wall},eq=brightness=0.02", "-q:v", "3")


def new_shelf(real_app, name="Hall"):
    """Creates a shelf, and returns its id."""
    return real_app.evaluate("(name) => import('/lib/api.js').then((api) => api.createShelf(name)).then((s) => s.id)", name)


def scan_shelf(real_app, shelf, *photos):
    """Scans photos of a shelf from its page."""
    open_shelf(real_app, shelf)
    real_app.get_by_role("link", name="Scan this shelf").click()
    expect(real_app.locator(".scan-shelf")).to_contain_text("Hall")
    real_app.set_input_files("input[type=file]:not([capture])", [str(p) for p in photos])
    if len(photos) == 1:
        steps.use_photo(real_app)
    else:
        real_app.get_by_role("button", name=f"Read {len(photos)}").click()
    real_app.locator(".results-panel h1", has_text="spines found").wait_for(timeout=180_000)


def open_shelf(real_app, shelf):
    real_app.open(f"/shelves/{shelf}")
    expect(real_app.locator("sl-shelf h1")).to_have_text("Hall")


def drawn(real_app):
    """Waits until all spines on the boards that are near are drawn, and returns their number."""
    real_app.locator(".shelf-spine canvas.drawn").first.wait_for()
    return real_app.locator(".shelf-spine").count()


def spines(real_app, shelf):
    return real_app.evaluate("(id) => import('/lib/api.js').then((api) => api.shelfSpines(id))", shelf)


def compare(real_app):
    real_app.get_by_role("button", name="Check for missing books").click()
    sheet = real_app.get_by_role("dialog", name="Check for missing books")
    sheet.locator("summary, [data-group]").first.wait_for(timeout=30_000)
    return sheet


@pytest.fixture
def shelf(real_app, real):
    """A shelf of a library whose books are all known, so that they are sure."""
    real.give_catalog(ALL)
    real_app.reload()
    return new_shelf(real_app)


# ---- shelf pages


@pytest.mark.sizes("phone", "desktop")
def test_the_shelf_page_shows_the_shelf(real_app, shelf):
    scan_shelf(real_app, shelf, conftest.SHELF)
    open_shelf(real_app, shelf)
    assert 23 <= drawn(real_app) <= len(BOOKS)
    boards = real_app.locator(".shelf-board")
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
    high = {one["entry"]["title"]: one["height"] for board in spines(real_app, shelf)["boards"] for one in board if one["height"] > one["width"]}
    shown = real_app.locator(".shelf-spine").evaluate_all("(all) => all.map((e) => [e.title, e.getBoundingClientRect().height])")
    ratios = [height / high[title] for title, height in shown if title in high]
    assert len(ratios) >= 18 and max(ratios) / min(ratios) < 1.02
    # A first scan has no gaps and nothing new.
    expect(real_app.locator(".shelf-gap")).to_have_count(0)
    sheet = compare(real_app)
    expect(sheet).to_contain_text("first scan")
    expect(sheet.locator("[data-group=new], [data-group=missing]")).to_have_count(0)
    real_app.keyboard.press("Escape")
    boards.first.locator(".shelf-spine").first.click()
    expect(real_app.locator(".work-head h1")).to_have_text(names[0][0])
    assert real_app.errors == []


def test_the_keyboard_steps_along_a_board(real_app, shelf):
    scan_shelf(real_app, shelf, conftest.SHELF)
    open_shelf(real_app, shelf)
    drawn(real_app)
    board = real_app.locator(".shelf-board").first.locator(".shelf-spine")
    board.first.focus()
    real_app.keyboard.press("ArrowRight")
    expect(board.nth(1)).to_be_focused()
    real_app.keyboard.press("End")
    expect(board.last).to_be_focused()
    expect(board.last).to_be_in_viewport()
    real_app.keyboard.press("Tab")
    expect(real_app.locator(".shelf-board").nth(1).locator(".shelf-spine").first).to_be_focused()


def one_row(real_app, shelf):
    """Expects the upper board in one row, each book once."""
    entries = [s["entry"]["title"] for board in spines(real_app, shelf)["boards"] for s in board if s["entry"]["reviewStatus"] != "needsReview"]
    assert len(entries) == len(set(entries))
    open_shelf(real_app, shelf)
    drawn(real_app)
    row = real_app.locator(".shelf-board").first.locator(".shelf-spine").evaluate_all("(all) => all.map((e) => e.title)")
    known = [b["title"] for b in BOOKS[:15] if b["title"] in row]
    assert [title for title in row if title in known] == known
    assert known[0] == "Moby-Dick" and len(known) >= 13
    expect(real_app.locator(".shelf-gap")).to_have_count(0)


def test_overlapping_scans_make_one_row_with_each_book_once(real_app, shelf):
    scan_shelf(real_app, shelf, part("left.jpg", 0, 0.62))
    scan_shelf(real_app, shelf, part("right.jpg", 0.38, 0.62))
    one_row(real_app, shelf)


def test_overlapping_photos_of_one_scan_make_one_row_with_each_book_once(real_app, shelf):
    scan_shelf(real_app, shelf, part("left.jpg", 0, 0.62), part("right.jpg", 0.38, 0.62))
    one_row(real_app, shelf)


def test_a_gap_is_found_lent_moved_or_removed_and_each_is_undone(real_app, shelf):
    study = new_shelf(real_app, "Study")
    scan_shelf(real_app, shelf, conftest.SHELF)
    scan_shelf(real_app, shelf, without(GONE))
    open_shelf(real_app, shelf)
    drawn(real_app)
    gap = real_app.get_by_role("button", name=re.compile(f"^Missing: {GONE}"))
    expect(gap).to_be_visible()
    expect(real_app.locator(".missing-count")).to_contain_text("1 missing")
    # It is where the book was.
    titles = [s["entry"]["title"] for s in next(b for b in spines(real_app, shelf)["boards"] if any(s["entry"]["title"] == GONE for s in b))]
    at = titles.index(GONE)
    assert {titles[at - 1], titles[at + 1]} <= {"Les Misérables", "Madame Bovary", "Don Quijote de la Mancha", "Cien años de soledad"}

    def choose(name):
        gap.click()
        real_app.get_by_role("dialog", name=GONE).get_by_role("button", name=name, exact=True).click()

    def back():
        steps.undone(real_app)
        expect(gap).to_be_visible()

    choose("Found")
    expect(real_app.locator(".undo")).to_contain_text(f"{GONE} is on the shelf.")
    expect(real_app.locator(".shelf-spine[data-state=found]")).to_have_attribute("title", GONE)
    expect(gap).to_have_count(0)
    back()
    choose("Lent")
    real_app.get_by_role("dialog", name="Lend").get_by_label("Lend to").fill("Dorothea")
    real_app.get_by_role("dialog", name="Lend").get_by_role("button", name="Lend").click()
    expect(real_app.get_by_role("button", name=re.compile(f"^Lent: {GONE}"))).to_be_visible()
    expect(gap).to_have_count(0)
    back()
    choose("Moved to")
    real_app.get_by_role("dialog", name="Moved to").get_by_role("button", name="Study").click()
    expect(gap).to_have_count(0)
    assert [e["title"] for e in spines(real_app, study)["unseen"]] == [GONE]
    back()
    choose("Remove")
    expect(real_app.locator(".undo")).to_contain_text("1 book deleted.")
    expect(gap).to_have_count(0)
    back()
    assert real_app.errors == []


@pytest.mark.sizes("phone", "desktop")
def test_a_scan_again_is_compared_without_being_added(real_app, shelf):
    scan_shelf(real_app, shelf, conftest.SHELF)
    real_app.evaluate("""async () => {
        const api = await import('/lib/api.js');
        const { items } = await api.reviewQueue();
        const books = items.filter((item) => item.kind === 'detection');
            if (books.length) await api.rejectAll(books.map((item) => item.id));  // imprints that were read as books
        await api.changeSettings({ askBeforeAdding: true }, (await api.settings()).etag);
    }""")
    scan_shelf(real_app, shelf, without(GONE))
    open_shelf(real_app, shelf)
    drawn(real_app)
    expect(real_app.locator(".shelf-gap")).to_have_count(0)  # nothing was added
    sheet = compare(real_app)
    missing = sheet.locator("[data-group=missing] li")
    expect(missing).to_have_count(1)
    expect(missing).to_contain_text(GONE)
    expect(sheet.locator("[data-group=new], [data-group=moved]")).to_have_count(0)
    added = sheet.locator("[data-group=notAdded] .title").all_text_contents()
    assert not set(added) & {b["title"] for b in BOOKS}
    assert int(sheet.locator("summary .nums").text_content()) >= 22
    missing.get_by_role("button", name=f"What happened to {GONE}?").click()
    real_app.get_by_role("dialog", name=GONE).get_by_role("button", name="Remove").click()
    expect(missing).to_have_count(0)
    expect(sheet).to_contain_text("The latest scan shows every book of this shelf.")
    assert real_app.errors == []


def test_a_book_that_was_moved_here_is_kept_here(real_app, shelf):
    study = new_shelf(real_app, "Study")
    scan_shelf(real_app, shelf, conftest.SHELF)
    moved = next(s["entry"]["id"] for board in spines(real_app, shelf)["boards"] for s in board if s["entry"]["title"] == GONE)
    real_app.evaluate("([id, shelf]) => import('/lib/api.js').then((api) => api.bulk([id], { shelf }))", [moved, study])
    open_shelf(real_app, shelf)
    spine = real_app.get_by_role("button", name=re.compile(f"^Recorded elsewhere: {GONE}"))
    spine.click()
    real_app.get_by_role("dialog", name=GONE).get_by_role("button", name="Keep on this shelf").click()
    expect(spine).to_have_count(0)
    expect(real_app.locator(f".shelf-spine[data-state=present][title='{GONE}']")).to_be_visible()
    assert spines(real_app, study)["unseen"] == []
    steps.undone(real_app)
    expect(spine).to_be_visible()


def test_books_that_no_photo_shows_are_listed_by_cover(real_app, shelf):
    scan_shelf(real_app, shelf, conftest.SHELF)
    real_app.evaluate("(shelf) => import('/lib/api.js').then((api) => api.addBook({ title: 'Behind the others', authors: ['A Person'], shelf }))", shelf)
    open_shelf(real_app, shelf)
    drawn(real_app)
    place = real_app.locator("section", has=real_app.get_by_role("heading", name="Without a spine"))
    expect(place.get_by_role("link", name="Behind the others, by A Person").locator(".cover")).to_be_visible()


# ---- photos


def settle(real_app, real, photos, pictures):
    """Reviews all books, and has the server clean up with these settings."""
    real_app.evaluate("""async ([keepShelfPhotos, keepShelfPictures]) => {
        const api = await import('/lib/api.js');
        const { items } = await api.reviewQueue();
        await api.verifyAll({ ids: items.filter((item) => item.kind === "detection").map((item) => item.id) });
        await api.changeSettings({ keepShelfPhotos, keepShelfPictures }, (await api.settings()).etag);
    }""", [photos, pictures])
    real.stop()
    real.run("library", "clean-up", "--data", str(real.folder))
    real.start()
    real_app.reload()


def no_dark_frame(real_app):
    """No empty picture, and no stage without one."""
    expect(real_app.locator("sl-stage:visible")).to_have_count(0)
    expect(real_app.locator(".shelf-photo")).to_have_count(0)
    expect(real_app.locator("canvas.spine.missing")).to_have_count(0)


def test_the_picture_that_stays_shows_the_shelf(real_app, real, shelf):
    scan_shelf(real_app, shelf, conftest.SHELF)
    settle(real_app, real, photos=False, pictures=True)
    open_shelf(real_app, shelf)
    drawn(real_app)
    real_app.locator(".shelf-spine").first.click()
    real_app.locator("[data-key=show]").click()
    picture = real_app.locator("dialog sl-stage.ready > img")
    assert picture.evaluate("(img) => Math.max(img.naturalWidth, img.naturalHeight)") == 2048
    assert real_app.errors == []


def test_without_photo_and_picture_there_are_covers_and_places_in_words(real_app, real, shelf):
    scan_shelf(real_app, shelf, conftest.SHELF)
    settle(real_app, real, photos=False, pictures=False)
    open_shelf(real_app, shelf)
    expect(real_app.locator(".made-spine").first).to_be_visible()
    assert 23 <= real_app.locator(".made-spine").count() == real_app.locator(".shelf-spine").count()
    no_dark_frame(real_app)
    real_app.locator(".shelf-spine").nth(2).click()
    expect(real_app.locator(".work-words")).to_have_text("Hall, 3rd from the left")
    expect(real_app.locator(".work-head .cover")).to_be_visible()
    no_dark_frame(real_app)
    real_app.get_by_role("button", name="More").click()
    real_app.get_by_role("dialog").get_by_role("button", name="Show on the shelf").click()
    sheet = real_app.get_by_role("dialog", name="Show on the shelf")
    expect(sheet.locator(".cover")).to_be_visible()
    expect(sheet).to_contain_text("Hall, 3rd from the left")
    expect(sheet).to_contain_text("The photo of this shelf is no longer stored.")
    assert real_app.errors == []


def test_pictures_that_were_lost_leave_no_empty_frame(real_app, real):
    """The files are gone, and the server does not know yet. Without a catalog some books are unsure."""
    shelf = new_shelf(real_app)
    scan_shelf(real_app, shelf, conftest.SHELF)
    results = real_app.url
    real.stop()
    shutil.rmtree(next(real.folder.rglob("photos")))
    real.start()
    with real_app.expect_response(re.compile("/spines$")):
        open_shelf(real_app, shelf)
    expect(real_app.locator(".made-spine").first).to_be_visible()
    no_dark_frame(real_app)
    real_app.locator(".shelf-spine").first.click()
    expect(real_app.locator(".work-words")).to_contain_text("Hall")
    no_dark_frame(real_app)
    real_app.open("/review")
    card = real_app.locator(".queue-card[data-item]")
    expect(card.locator(".cover").first).to_be_visible()
    expect(card).to_contain_text("Hall")
    no_dark_frame(real_app)
    real_app.locator("[data-key=edit]").click()
    expect(real_app.locator(".spine-frame .cover")).to_be_visible()
    no_dark_frame(real_app)
    real_app.get_by_role("button", name="Show on the shelf").click()
    expect(real_app.get_by_role("dialog").locator(".cover")).to_be_visible()
    no_dark_frame(real_app)
    real_app.keyboard.press("Escape")
    # The results, in a browser that has no copy of the photo.
    real_app.evaluate("import('/lib/store.js').then((store) => store.replaceAll('photos', []))")
    real_app.route(re.compile(r"/scans/[^/]+/photos/1$"), lambda route: route.fulfill(status=404))
    real_app.evaluate("(address) => (location.href = address)", results)
    real_app.reload()
    expect(real_app.locator(".results-instead")).to_contain_text("The photo of this shelf is no longer stored.")
    expect(real_app.locator(".spine-row .cover").first).to_be_visible()
    no_dark_frame(real_app)
    real_app.get_by_role("button", name=re.compile("^Review")).first.click()
    expect(real_app.locator(".results-instead .cover")).to_be_visible()
    expect(real_app.locator(".results-instead")).to_contain_text("Hall, ")


def test_the_setting_says_what_shelf_pictures_cost(real_app, real, shelf):
    scan_shelf(real_app, shelf, conftest.SHELF)
    settle(real_app, real, photos=False, pictures=True)
    real_app.open("/settings")
    setting = real_app.locator("label.switch", has_text="Keep shelf pictures")
    expect(setting).to_contain_text(re.compile(r"2,048 px, about \d+ KB"))
    expect(setting).to_contain_text(re.compile(r"Stored so far: 1 picture, \d+ KB"))
    with real_app.expect_response(lambda r: r.request.method == "PATCH" and r.url.endswith("/settings")):
        setting.get_by_role("switch").click()
    assert real_app.evaluate("import('/lib/api.js').then((api) => api.settings()).then((s) => s.keepShelfPictures)") is False


# ---- reports


def exported(real):
    """The reports as the command exports them."""
    done = subprocess.run([real.binary, "activity", "export", "--format", "json", "--data", str(real.folder)], check=True, capture_output=True, timeout=60)
    return json.loads(done.stdout)["feedback"]


def report(real_app, problem, **right):
    real_app.get_by_role("button", name="Report a wrong detection").click()
    sheet = real_app.get_by_role("dialog", name="Report a wrong detection")
    sheet.get_by_role("radio", name=problem).check()
    for name, text in right.items():
        sheet.get_by_label(name, exact=True).fill(text)
    with real_app.expect_response(re.compile("/feedback$")) as answer:
        sheet.get_by_role("button", name="Report", exact=True).click()
    assert answer.value.status == 204
    expect(real_app.locator(".undo")).to_contain_text("Reported.")


@pytest.mark.sizes("phone", "desktop")
def test_reports_of_results_queue_and_library_are_exported(real_app, real):
    shelf = new_shelf(real_app)
    scan_shelf(real_app, shelf, conftest.SHELF)
    # The results: a report, and Not a book.
    real_app.evaluate("document.querySelector('sl-results').actions.step(1)")
    more = real_app.locator(".results-top").get_by_role("button", name="More")
    more.click()
    report(real_app, "The title or author is wrong", Title="What it says", Author="A Person", ISBN="9780441013593")
    with real_app.expect_response(re.compile("/feedback$")) as answer:
        real_app.locator("[data-key=not]").first.click()
    assert answer.value.status == 204
    # The queue.
    real_app.open("/review")
    real_app.locator(".queue-card[data-item]").first.wait_for()
    real_app.keyboard.press("j")
    real_app.get_by_role("button", name="Sort and more").click()
    report(real_app, "These are two books")
    # The library.
    real_app.open("/library")
    real_app.locator(".cell a").first.click()
    real_app.locator(".work-bar").get_by_role("button", name="More").click()
    report(real_app, "The outline is wrong", Title="In the library")
    reports = exported(real)
    assert [r["problem"] for r in reports] == ["wrongTitle", "notABook", "twoBooks", "cutOff"]
    assert [r.get("rightTitle") for r in reports] == ["What it says", None, None, "In the library"]
    assert (reports[0]["rightAuthor"], reports[0]["rightISBN"]) == ("A Person", "9780441013593")
    assert all(r["crop"] and not r["correct"] for r in reports)
    assert real_app.errors == []


def test_a_report_with_a_wrong_isbn_stays_open(real_app):
    shelf = new_shelf(real_app)
    scan_shelf(real_app, shelf, conftest.SHELF)
    real_app.open("/library")
    real_app.locator(".cell a").first.click()
    real_app.locator(".work-bar").get_by_role("button", name="More").click()
    real_app.get_by_role("button", name="Report a wrong detection").click()
    sheet = real_app.get_by_role("dialog", name="Report a wrong detection")
    sheet.get_by_label("ISBN").fill("9780441013594")
    sheet.get_by_role("button", name="Report", exact=True).click()
    expect(sheet.get_by_role("alert")).to_be_visible()
    expect(sheet.get_by_label("ISBN")).to_be_focused()
    sheet.get_by_role("radio", name="This is not a book").check()
    expect(sheet.get_by_label("ISBN")).to_be_hidden()
    with real_app.expect_response(re.compile("/feedback$")) as answer:
        sheet.get_by_role("button", name="Report", exact=True).click()
    assert answer.value.status == 204
