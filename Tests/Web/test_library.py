"""Bulk actions with undo, a shelf of a thousand books, and the effect of the threshold."""
import random
import re

import open_library as stand_in
import pytest
import steps
from conftest import ALL, poor_photo
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone")
WRITERS = ("Italo Calvino", "Eleanor Catton", "George Eliot", "Hilary Mantel", "W. G. Sebald", "Olga Tokarczuk")


@pytest.fixture
def open_library(monkeypatch):
    """Open Library, which answers at once and has a cover of each book."""
    with stand_in.running(monkeypatch) as running:
        running.gate.set()
        running.cover = steps.PHOTO.read_bytes()
        yield running


def fill(app, count):
    """Has so many books imported from a list, and returns the writer and the shelf of each."""
    server = app.server
    chance = random.Random(7)
    rows = [(chance.choice(WRITERS), chance.choice(("Hall shelf", "Bedroom", ""))) for _ in range(count)]
    table = "Title,Author,Shelf\n" + "".join(f"Book {n},{writer},{shelf}\n" for n, (writer, shelf) in enumerate(rows))
    listing = server.call("POST", "/imports", table.encode(), kind="text/csv")["id"]
    server.call("POST", f"/imports/{listing}/start", {})
    app.open("/settings")
    steps.eventually(app, f"() => fetch('/api/v1/imports/{listing}').then((r) => r.json()).then((list) => list.status === 'completed')")
    app.goto("about:blank")
    return rows


def statuses(server):
    return {b["id"]: b["readingStatus"] for b in server.books()}


def choose(app, n):
    app.open("/library")
    app.wait_for_selector(".cell a")
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Select books").click()
    for i in range(n):
        app.locator(".cell button").nth(i).click()
    expect(app.locator(".bulk")).to_contain_text(f"{n} selected")


def set_status(app):
    choose(app, 3)
    app.get_by_role("button", name="Set status").click()
    app.locator("dialog").get_by_role("button", name="Reading", exact=True).click()
    expect(app.locator(".undo")).to_contain_text("3 books changed.")
    expect(app.locator(".bulk")).to_be_hidden()


@pytest.mark.sizes("phone", "desktop")
def test_several_books_are_changed_at_once(app, server):
    for n in range(12):
        server.add(title=f"Book {n}", authors=["A. Writer"])
    set_status(app)
    assert sorted(filter(None, statuses(server).values())) == ["reading"] * 3


@pytest.mark.books(12)
def test_an_undo_that_does_not_reach_the_server_can_be_repeated(app, server):
    before = statuses(server)
    set_status(app)
    app.route("**/api/v1/undo", lambda route: route.abort())
    app.locator(".undo").get_by_role("button", name="Undo").click()
    expect(app.locator(".undo")).to_contain_text("Cannot reach the server.")
    app.unroute("**/api/v1/undo")
    steps.undone(app)
    assert statuses(server) == before
    expect(app.locator(".undo").get_by_role("button", name="Undo")).to_have_count(0)


@pytest.mark.sizes("desktop")
def test_actions_are_undone_one_at_a_time(app):
    app.open("/settings")
    assert app.evaluate("""async () => {
      const { undoBar, undoLast } = await import("./elements/undo.js");
      const said = [], ends = [], turn = () => new Promise((resolve) => setTimeout(resolve));
      const action = (name) => undoBar(name, async () => {
        said.push(`${name} begins`);
        await new Promise((resolve) => ends.push(resolve));
        said.push(`${name} ends`);
      });
      action("first");
      action("second");
      undoLast();
      undoLast();
      for (let n = 0; n < 2; n++) {
        await turn();
        ends.shift()();
      }
      await turn();
      return said;
    }""") == ["second begins", "second ends", "first begins", "first ends"]


@pytest.mark.books(12)
def test_the_end_of_the_library_can_be_scrolled_clear_of_the_undo_bar(app):
    app.open("/library")
    app.locator(".lib-head").wait_for()
    app.evaluate("import('./elements/undo.js').then(({ undoBar }) => undoBar('A text that takes two lines. '.repeat(3), () => {}))")
    app.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    bar = app.locator(".undo").bounding_box()
    bottom = app.evaluate("""() => Math.max(...[...document.querySelectorAll("main :is(a, button)")]
        .map((e) => e.getBoundingClientRect()).filter((r) => r.height).map((r) => r.bottom))""")
    assert bottom <= bar["y"], (bottom, bar)


@pytest.mark.books(12)
@pytest.mark.sizes("phone", "desktop")
def test_several_books_are_deleted_and_come_back(app, server):
    choose(app, 2)
    app.locator(".bulk").get_by_role("button", name="Delete").click()
    expect(app.locator(".undo")).to_contain_text("2 books deleted.")
    expect(app.locator(".lib-head p")).to_contain_text("10 books")
    steps.undone(app)
    expect(app.locator(".lib-head p")).to_contain_text("12 books")
    assert len(server.books()) == 12


@pytest.mark.books(12)
def test_several_books_go_to_a_shelf(app, server):
    choose(app, 2)
    app.get_by_role("button", name="Move to shelf").click()
    app.locator("dialog").get_by_role("button", name="Bedroom").click()
    expect(app.locator(".undo")).to_contain_text("2 books moved to Bedroom.")


@pytest.mark.books(12)
def test_several_books_get_a_tag_and_are_found_by_it(app, server):
    choose(app, 2)
    app.locator(".bulk").get_by_role("button", name="Add tag").click()
    app.get_by_role("dialog").get_by_label("Tag").fill("for the train")
    app.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(app.locator(".undo")).to_contain_text("2 books changed.")
    assert [b["tags"] for b in server.books() if b["tags"]] == [["for the train"]] * 2
    app.reload()
    app.locator(".chips").get_by_role("button", name="for the train").click()
    expect(app.locator(".cell a")).to_have_count(2)


def test_a_list_that_breaks_off_leaves_what_was_kept(app):
    fill(app, 900)
    steps.open_library(app)
    steps.eventually(app, "() => import('/lib/store.js').then((store) => store.all('library')).then((kept) => kept.length === 900)")
    # The list is fetched again, and fails after its first page.
    app.route(re.compile(r"/library\?.*cursor="), lambda route: route.abort())
    assert app.evaluate("""async () => {
      const { books, refreshLibrary } = await import("/lib/library.js");
      books.set([]);
      const seen = [];
      books.watch((list) => seen.push(list.length), new AbortController().signal);
      await refreshLibrary();
      return [seen.includes(500), books.get().length];
    }""") == [True, 900]
    expect(app.locator(".lib-head p")).to_contain_text("900 books")


@pytest.mark.books(60)
def test_the_tags_of_most_books_are_chips(app, server):
    ids = [b["id"] for b in server.books()]
    for n in range(14):
        server.call("POST", "/library/bulk", {"ids": ids[:14 if n == 13 else 1 + n // 2], "addTags": [f"tag {n:02}"]})
    app.open("/library")
    names = app.locator(".chips").get_by_role("button", name=re.compile("^tag"))
    expect(names).to_have_count(12)
    assert names.all_inner_texts()[0] == "tag 13"
    assert "tag 00" not in names.all_inner_texts()


@pytest.mark.sizes("phone", "desktop")
def test_a_long_shelf_draws_only_what_is_near(app, server):
    standing = sorted(writer.split()[-1] for writer, shelf in fill(app, 3000) if shelf == "Hall shelf")
    [shelf] = [one["id"] for one in server.call("GET", "/shelves")["items"] if one["name"] == "Hall shelf"]
    app.open(f"/shelves/{shelf}")
    expect(app.locator(".section-head .nums")).to_have_text(f"{len(standing):,}")
    assert 0 < app.locator(".cell").count() < 100
    app.locator(".cell a").first.focus()
    app.keyboard.press("End")
    last = app.locator(f'[data-index="{len(standing) - 1}"] a')
    expect(last).to_be_focused()
    expect(last).to_have_accessible_name(re.compile(f"{standing[-1]}$"))
    assert app.locator(".cell").count() < 100


@pytest.mark.scripted
@pytest.mark.books(12)
def test_a_busy_server_is_asked_again_by_itself(app, server):
    server.fail("GET", "/api/v1/library", status=429, times=1_000, retryAfterMs=600_000)
    app.clock.install()
    app.open("/library")
    expect(app.locator(".note.bad")).to_contain_text(re.compile(r"The server is busy. Retrying in \d+ s."))
    server.heal()
    app.clock.fast_forward(600_000)
    expect(app.locator(".cell a")).to_have_count(12)
    expect(app.locator(".note.bad")).to_have_count(0)


def test_the_threshold_says_what_it_would_have_meant(app, server):
    steps.review_more(app)
    server.scan(steps.PHOTO, **{"import": "true"})
    reviewed = [item["id"] for item in steps.queue(app)]
    server.call("POST", "/review/verify-all", {"ids": reviewed})
    meant = server.call("GET", "/settings/threshold-preview?threshold=0.8")
    assert meant["reviews"] == len(reviewed) > meant["wouldAsk"] > 0
    app.open("/settings/reading/threshold")
    slider = app.get_by_role("slider", name="Review threshold")
    slider.fill("0.8")
    expect(slider).to_have_attribute("aria-valuetext", "80%")
    expect(app.locator("main")).to_contain_text(f"In your last {len(reviewed)} reviews: {meant['wouldAsk']} below the threshold, 0 wrong above it.")


@pytest.mark.scripted
def test_a_cover_of_a_source_replaces_the_cover_alone(open_library, app, server):
    server.go_online()
    path = f"/library/{server.add(title='Emma', authors=['Jane Austen'])['id']}"
    before = server.call("GET", path)
    app.open(path)
    app.get_by_role("button", name="Change cover").click()
    app.get_by_role("dialog", name="Change cover").get_by_role("button", name="Use the cover of Emma, Open Library").click()
    expect(app.locator(".undo")).to_contain_text("Cover changed.")
    expect(app.locator(".work-head .cover img")).to_be_visible()
    now = server.call("GET", path)
    assert [name for name in before if now[name] != before[name] and name != "etag"] == ["coverUrl"]
    assert any(path.startswith("/b/") for path in open_library.asked)
    assert server.send("GET", now["coverUrl"])[1]["Content-Type"] == "image/jpeg"
    steps.undone(app)
    expect(app.locator(".work-head .cover .made")).to_be_visible()


LIST = b"""Title,Author,ISBN,My Rating
Dune,Frank Herbert,9780441013593,5
,Frank Herbert,,0
Babel,R. F. Kuang,9780063021426,4
"""


def test_the_encoding_of_a_list_can_be_chosen(app, server):
    file = "Title,Author\nWesele,Stanisław Wyspiański\n".encode("cp1250")
    app.open("/import")
    app.set_input_files("input[type=file]", {"name": "books.csv", "mimeType": "text/csv", "buffer": file})
    encoding = app.get_by_label("Encoding")
    expect(encoding).to_have_value("windows-1250")
    encoding.select_option("windows-1252")
    expect(app.locator("main")).to_contain_text("Stanis³aw Wyspiañski")
    app.get_by_label("Encoding").select_option("windows-1250")
    expect(app.locator("main")).to_contain_text("Stanisław Wyspiański")
    app.get_by_role("button", name="Import 1 row").click()
    expect(app.locator(".undo")).to_contain_text("1 book added.")
    assert server.books()[0]["authors"] == ["Stanisław Wyspiański"]


def test_books_of_a_list_that_no_catalog_has_do_not_wait_for_review(app, server):
    server.give_catalog([("Dune", "Frank Herbert", "9780441013593")])
    app.open("/import")
    app.set_input_files("input[type=file]", {"name": "books.csv", "mimeType": "text/csv", "buffer": LIST})
    app.get_by_role("button", name="Import 3 rows").click()
    expect(app.locator(".undo")).to_contain_text("2 books added.")
    expect(app.locator("main")).to_contain_text("1 book has no catalog data yet.")
    assert [book["reviewStatus"] for book in server.books()] == ["verified", "verified"]
    assert server.call("GET", "/review/counts")["needsReview"] == 0


REST, TRANSLATOR = " und andere Geschichten aus dem alten England mit Bildern", ", übersetzt von August Wilhelm von Schlegel"
# A book that is not sure in the poor photo.
LONG = "Don Quijote de la Mancha" + REST
# Returns the texts that are cut, or are in a column too narrow to be read.
CUT = """(texts) => texts.filter((e) => e.clientWidth < 80 || getComputedStyle(e).overflow !== "visible"
  && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)).map((e) => e.textContent)"""


@pytest.mark.sizes("phone", "desktop")
def test_titles_and_authors_to_review_are_not_cut(app, server):
    server.give_catalog([(title + REST, author + TRANSLATOR, isbn) for title, author, isbn in ALL])
    steps.review_more(app)
    steps.fill_queue(app, poor_photo())
    server.call("POST", "/review/verify-all", {"ids": [item["id"] for item in steps.queue(app) if item["title"] != LONG]})
    app.reload()
    words = app.locator(".queue-card :is(.title-lg, .card-author, .queue-words .title, .queue-words .by-line > :first-child)")
    expect(words.first).to_have_text(LONG)
    assert words.evaluate_all(CUT) == []
    app.open("/library")
    expect(app.locator(".cell.marked .made-title").first).to_have_text(LONG)
    assert app.locator(".cell.marked .made-title").evaluate_all("(titles) => titles.filter((e) => e.scrollHeight > e.clientHeight + 1).length") == 0


@pytest.mark.books(148)
@pytest.mark.sizes("phone")
def test_back_returns_to_the_place_in_the_library(app):
    steps.open_library(app)
    app.evaluate("scrollTo(0, 2600)")
    app.wait_for_function("() => scrollY === 2600 && document.querySelector('.cell a')")
    app.wait_for_function("() => [...document.querySelectorAll('.cell a')].some((a) => { const b = a.getBoundingClientRect(); return b.top > 100 && b.bottom < innerHeight - 200; })")
    app.evaluate("""[...document.querySelectorAll('.cell a')].find((a) => a.getBoundingClientRect().top > 100
        && a.getBoundingClientRect().bottom < innerHeight - 200).click()""")
    app.locator(".work-head").wait_for()
    app.go_back()
    app.wait_for_function("() => document.querySelector('.cell a') && Math.abs(scrollY - 2600) < 3")


@pytest.mark.books(12)
@pytest.mark.sizes("phone")
def test_a_book_that_is_open_shows_what_changed_elsewhere(app, server):
    steps.open_book(app)
    book = app.url.rpartition("/")[2]
    etag = server.call("GET", f"/library/{book}")["etag"]
    server.call("PATCH", f"/library/{book}", {"readingStatus": "read", "notes": "Written elsewhere"}, If_Match=f'"{etag}"')
    app.evaluate("import('/lib/library.js').then((library) => library.refreshLibrary())")
    expect(app.locator(".work-sheet")).to_contain_text("Written elsewhere")


@pytest.mark.books(3)
@pytest.mark.sizes("phone", "desktop")
def test_a_search_for_details_that_runs_is_shown_and_stopped(app):
    state = {"status": "running", "sourcesOn": True, "chosen": True, "total": 20, "done": 3, "completed": 0, "failures": [],
             "undoToken": None}

    def answer(route):
        if route.request.method == "DELETE":
            state.update(status="stopped", completed=2)
        route.fulfill(json=state)

    app.route("**/review/incomplete/find", answer)
    steps.open_library(app)
    line = app.locator(".changed-line", has_text="Looked up 3 of 20")
    # Another search has to wait.
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Select books").click()
    app.locator(".cell button").first.click()
    app.get_by_role("button", name="Find details").click()
    expect(app.locator(".undo")).to_contain_text("Another search is running.")
    line.get_by_role("button", name="Stop").click()
    expect(app.locator(".undo")).to_contain_text("Details found for 2 of 20.")
    expect(line).to_have_count(0)


@pytest.mark.books(12)
@pytest.mark.sizes("desktop")
def test_shift_selects_the_books_between_two(app):
    steps.open_library(app)
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Select books").click()
    app.locator(".cell button").nth(1).click()
    app.locator(".cell button").nth(4).click(modifiers=["Shift"])
    expect(app.locator(".bulk [role=status]")).to_contain_text("4")
    expect(app.locator(".cell.chosen")).to_have_count(4)


@pytest.mark.books(3)
@pytest.mark.sizes("phone")
def test_tools_of_the_library_and_lending_are_in_sight(app):
    steps.open_library(app)
    for name, screen in (("Add", "add"), ("Shelves", "shelves"), ("Import", "import"), ("Statistics", "stats")):
        expect(app.locator(".lib-tools").get_by_role("link", name=name, exact=True)).to_have_attribute("href", f"#/{screen}")
    app.locator(".cell a").first.click()
    app.locator(".dock").get_by_role("button", name="Lend").click()
    expect(app.get_by_role("dialog", name="Lend")).to_be_visible()
