"""Bulk actions with undo, a shelf of a thousand books, and the effect of the threshold."""
import re

import pytest
import steps
from playwright.sync_api import expect


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


@pytest.mark.books(12)
def test_several_books_are_changed_at_once(app, server):
    for entry in server.world.entries.values():
        entry["readingStatus"] = None
    set_status(app)
    assert [e["readingStatus"] for e in server.world.entries.values() if e["readingStatus"]] == ["reading"] * 3


@pytest.mark.sizes("phone")
@pytest.mark.books(12)
def test_a_change_of_several_books_is_undone(app, server):
    before = {i: e["readingStatus"] for i, e in server.world.entries.items()}
    set_status(app)
    steps.undone(app)
    assert {i: e["readingStatus"] for i, e in server.world.entries.items()} == before


@pytest.mark.sizes("phone")
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
def test_several_books_are_deleted_and_come_back(app, server):
    choose(app, 2)
    app.locator(".bulk").get_by_role("button", name="Delete").click()
    expect(app.locator(".undo")).to_contain_text("2 books deleted.")
    expect(app.locator(".lib-head p")).to_contain_text("10 books")
    steps.undone(app)
    expect(app.locator(".lib-head p")).to_contain_text("12 books")
    assert len(server.world.entries) == 12


@pytest.mark.sizes("phone")
@pytest.mark.books(12)
def test_several_books_go_to_a_shelf(app, server):
    choose(app, 2)
    app.get_by_role("button", name="Move to shelf").click()
    app.locator("dialog").get_by_role("button", name="Bedroom").click()
    expect(app.locator(".undo")).to_contain_text("2 books moved to Bedroom.")


@pytest.mark.sizes("phone")
@pytest.mark.books(12)
def test_several_books_get_a_tag_and_are_found_by_it(app, server):
    choose(app, 2)
    app.locator(".bulk").get_by_role("button", name="Add tag").click()
    app.get_by_role("dialog").get_by_label("Tag").fill("for the train")
    app.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(app.locator(".undo")).to_contain_text("2 books changed.")
    assert sorted(e["tags"] for e in server.world.entries.values() if e["tags"]) == [["for the train"]] * 2
    app.reload()
    app.locator(".chips").get_by_role("button", name="for the train").click()
    expect(app.locator(".cell a")).to_have_count(2)


@pytest.mark.sizes("phone")
@pytest.mark.books(900)
def test_a_list_that_breaks_off_leaves_what_was_kept(app):
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


@pytest.mark.sizes("phone")
@pytest.mark.books(60)
def test_the_tags_of_most_books_are_chips(app, server):
    entries = list(server.world.entries.values())
    for n in range(14):
        for e in entries[:14 if n == 13 else 1 + n // 2]:
            e["tags"].append(f"tag {n:02}")
    app.open("/library")
    names = app.locator(".chips").get_by_role("button", name=re.compile("^tag"))
    expect(names).to_have_count(12)
    assert names.all_inner_texts()[0] == "tag 13"
    assert "tag 00" not in names.all_inner_texts()


@pytest.mark.books(3000)
def test_a_long_shelf_draws_only_what_is_near(app, server):
    standing = sorted((e["authors"][0].split()[-1] for e in server.world.entries.values() if e["shelf"] == "s1"))
    app.open("/shelves/s1")
    expect(app.locator(".section-head .nums")).to_have_text(str(len(standing)))
    assert 0 < app.locator(".cell").count() < 100
    app.locator(".cell a").first.focus()
    app.keyboard.press("End")
    last = app.locator(f'[data-index="{len(standing) - 1}"] a')
    expect(last).to_be_focused()
    expect(last).to_have_accessible_name(re.compile(f"{standing[-1]}$"))
    assert app.locator(".cell").count() < 100


@pytest.mark.sizes("phone")
@pytest.mark.books(12)
def test_a_busy_server_is_asked_again_by_itself(app, server):
    server.world.faults["GET /api/v1/library"] = {"status": 429, "times": 1_000, "retryAfterMs": 1500}
    app.open("/library")
    expect(app.locator(".note.bad")).to_contain_text(re.compile(r"The server is busy. Retrying in \d s."))
    del server.world.faults["GET /api/v1/library"]
    expect(app.locator(".cell a")).to_have_count(12)
    expect(app.locator(".note.bad")).to_have_count(0)


@pytest.mark.sizes("phone")
def test_the_threshold_says_what_it_would_have_meant(app):
    app.open("/settings")
    slider = app.get_by_role("slider", name="Review threshold")
    slider.fill("0.8")
    expect(slider).to_have_attribute("aria-valuetext", "80%")
    expect(app.locator("main")).to_contain_text("In your last 210 reviews")


@pytest.mark.sizes("phone")
def test_a_cover_of_a_source_replaces_the_cover_alone(app, server):
    entry = server.world.add({"title": "Emma", "authors": ["Jane Austen"]})
    before = dict(entry)
    server.world.covers["openlibrary-0"] = steps.PHOTO.read_bytes()
    app.open(f"/library/{entry['id']}")
    app.get_by_role("button", name="Change cover").click()
    app.get_by_role("dialog", name="Change cover").get_by_role("button", name="Use the cover of Emma, Open Library").click()
    expect(app.locator(".undo")).to_contain_text("Cover changed.")
    expect(app.locator(".work-head .cover img")).to_be_visible()
    now = {k: v for k, v in server.world.entries[entry["id"]].items() if k in before}
    assert {k: v for k, v in now.items() if v != before[k]} == {"coverUrl": "/api/v1/covers/openlibrary-0"}
    steps.undone(app)
    expect(app.locator(".work-head .cover .made")).to_be_visible()


@pytest.mark.sizes("phone")
@pytest.mark.books(3)
def test_a_list_is_imported_and_undone(app, server):
    app.open("/import")
    app.set_input_files("input[type=file]", {"name": "books.csv", "mimeType": "text/csv", "buffer": b"Title"})
    app.get_by_role("button", name="Import 3 rows").click()
    expect(app.locator(".undo")).to_contain_text("2 books added.")
    # The import is followed on other screens.
    app.open("/library")
    expect(app.locator(".cell a")).to_have_count(5)
    steps.undone(app)
    expect(app.locator(".cell a")).to_have_count(3)


LONG = "Ein Sommernachtstraum und andere Geschichten aus dem alten England mit Bildern"
PEOPLE = "William Shakespeare, übersetzt von August Wilhelm von Schlegel"
# Returns the texts that are cut, or are in a column too narrow to be read.
CUT = """(texts) => texts.filter((e) => e.clientWidth < 80 || getComputedStyle(e).overflow !== "visible"
  && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)).map((e) => e.textContent)"""


def test_titles_and_authors_to_review_are_not_cut(app, server):
    steps.fill_queue(app)
    for entry in server.world.entries.values():
        entry.update(title=LONG, authors=[PEOPLE])
    app.reload()
    words = app.locator(".queue-card :is(.title-lg, .card-author, .queue-words .title, .queue-words .by-line > :first-child)")
    expect(words.first).to_have_text(LONG)
    assert words.evaluate_all(CUT) == []
    app.open("/library")
    expect(app.locator(".cell.marked .made-title").first).to_have_text(LONG)
    assert app.locator(".cell.marked .made-title").evaluate_all("(titles) => titles.filter((e) => e.scrollHeight > e.clientHeight + 1).length") == 0
