"""Lists, counts, statistics and freshness against the real server."""
import re
from datetime import datetime, timezone

import pytest
import steps
from playwright.sync_api import expect
from test_real_library import books, type_book, whole_books

pytestmark = [pytest.mark.limit(600), pytest.mark.sizes("phone")]

GERMAN = """Buchtitel;Verfasser (Nachname, Vorname);Regal;Bewertung;Notizen;Erscheinungsjahr
Der Zauberberg;Mann, Thomas;Flur;7;Von Oma;1946
;Niemand, Egal;;3;;
Momo;Ende, Michael;;10;;1973
"""


def choose(app, text, name="books.csv"):
    app.open("/import")
    app.set_input_files("input[type=file]", {"name": name, "mimeType": "text/csv", "buffer": text.encode()})
    expect(app.locator(".import-columns")).to_be_visible()


def test_a_german_list_comes_in_and_the_rows_that_failed_are_saved(real_app):
    choose(real_app, GERMAN)
    expect(real_app.get_by_text("A table, UTF-8")).to_be_visible()
    for column, field in (("Buchtitel", "title"), ("Verfasser (Nachname, Vorname)", "author"), ("Regal", "shelf"), ("Notizen", "notes")):
        expect(real_app.get_by_label(f"Field for column {column}", exact=True)).to_have_value(field)
    assert steps.outside(real_app) == []
    real_app.get_by_role("button", name="Import 3 rows").click()
    expect(real_app.locator("h2", has_text="2 books added")).to_be_visible(timeout=60_000)
    assert {b["title"]: b["rating"] for b in whole_books(real_app)} == {"Der Zauberberg": 3.5, "Momo": 5}
    real_app.locator("details summary").click()
    with real_app.expect_download() as download:
        real_app.get_by_role("button", name="Download these rows").click()
    lines = download.value.path().read_text().splitlines()
    assert lines[0] == "Line,Reason,Row" and len(lines) == 2
    assert lines[1].startswith('"3","title: ') and lines[1].endswith('";Niemand, Egal;;3;;"')
    assert real_app.errors == []


def test_an_import_is_undone_and_the_same_list_comes_in_again(real_app):
    for _ in range(2):
        choose(real_app, GERMAN)
        real_app.get_by_role("button", name="Import 3 rows").click()
        expect(real_app.locator(".undo")).to_contain_text("2 books added.", timeout=60_000)
        assert len(books(real_app)) == 2
        steps.undone(real_app)
        expect(real_app.locator(".drop")).to_be_visible()
        assert books(real_app) == []
    assert real_app.errors == []


def test_an_import_that_was_stopped_is_undone(real_app):
    rows = 20_000
    choose(real_app, "title,author\n" + "".join(f"Book {n},Author {n % 700}\n" for n in range(rows)))
    real_app.get_by_role("button", name="Import 20,000 rows").click()
    expect(real_app.locator("section .nums")).to_have_text(re.compile("^[1-9][0-9,]* of 20,000 rows"), timeout=60_000)
    real_app.get_by_role("button", name="Stop").click()
    expect(real_app.locator(".undo")).to_contain_text("books added.", timeout=60_000)
    total = "fetch('/api/v1/library?limit=1').then((r) => r.json()).then((p) => p.total)"
    assert 0 < real_app.evaluate(total) < rows
    real_app.locator(".undo").get_by_role("button", name="Undo").click()
    expect(real_app.locator("#live")).to_have_text("Undone.", timeout=60_000)
    assert real_app.evaluate(total) == 0
    assert real_app.errors == []


def test_a_list_without_titles_cannot_start_and_keeps_its_choices(real_app):
    choose(real_app, "Werk,Wer\nMomo,Michael Ende\n")
    start = real_app.get_by_role("button", name="Import 1 row")
    expect(start).to_be_disabled()
    expect(real_app.get_by_text("Choose the column with the titles.")).to_be_visible()
    real_app.get_by_label("Field for column Wer", exact=True).select_option("title")
    real_app.get_by_label("Field for column Werk", exact=True).select_option("title")
    start.click()
    expect(real_app.locator(".note.bad")).to_contain_text("two columns are")
    expect(real_app.get_by_label("Field for column Werk", exact=True)).to_have_value("title")
    real_app.get_by_label("Field for column Wer", exact=True).select_option("author")
    start.click()
    expect(real_app.locator("h2", has_text="1 book added")).to_be_visible(timeout=60_000)
    assert [e for e in real_app.errors if not e.startswith("422 ")] == []


def test_counts_and_the_board_are_the_shelf_s_own(real_app):
    real_app.open("/shelves")
    real_app.get_by_role("button", name="New shelf").first.click()
    real_app.get_by_role("dialog").get_by_label("Name").fill("Hall")
    real_app.get_by_role("dialog").get_by_role("button", name="Create shelf").click()
    real_app.locator(".shelf-row", has_text="Hall").click()
    real_app.get_by_role("link", name="Scan this shelf").click()
    real_app.locator(".scan-shelf", has_text="Hall").wait_for()
    steps.read_shelf(real_app)
    steps.add_all_to(real_app)
    on_shelf = len(books(real_app))
    choose(real_app, "title,author\nMomo,Michael Ende\nDune,Frank Herbert\n")
    real_app.get_by_role("button", name="Import 2 rows").click()
    expect(real_app.locator("h2", has_text="2 books added")).to_be_visible(timeout=60_000)
    real_app.open("/library")
    expect(real_app.locator(".lib-head p")).to_have_text(f"{on_shelf + 2} books, {on_shelf} of them on 1 shelf")
    expect(real_app.locator(".board-place")).to_contain_text(f"{on_shelf} added today")
    expect(real_app.locator(".board a")).to_have_count(min(40, on_shelf))
    assert real_app.errors == []


def test_statistics_speak_the_user_s_language(real_app):
    choose(real_app, GERMAN)
    real_app.get_by_role("button", name="Import 3 rows").click()
    expect(real_app.locator("h2", has_text="2 books added")).to_be_visible(timeout=60_000)
    real_app.open("/stats")
    charts = real_app.locator(".charts")
    expect(charts).to_contain_text("1940s")
    expect(charts).to_contain_text("No status")
    expect(charts).not_to_contain_text("none")
    expect(charts).to_contain_text(datetime.now(timezone.utc).strftime("%B %Y"))
    database = re.search(r"([\d.]+) (B|KB|MB) database", real_app.locator(".page").inner_text())
    assert database and (database[2] == "MB" or database[2] == "KB" and float(database[1]) > 50), database


def test_another_tab_shows_what_this_one_added(real_app, real):
    other = real_app.context.new_page()
    other.set_viewport_size({"width": 1280, "height": 800})
    with other.expect_response("**/api/v1/changes"):
        other.goto(f"{real.address}/#/library")
    expect(other.locator(".empty")).to_contain_text("No books yet")
    real_app.open("/add")
    type_book(real_app, "Middlemarch", "George Eliot")
    expect(other.get_by_role("link", name="Middlemarch, by George Eliot")).to_be_visible(timeout=30_000)
    real_app.open("/shelves")
    real_app.get_by_role("button", name="New shelf").first.click()
    real_app.get_by_role("dialog").get_by_label("Name").fill("Hall")
    real_app.get_by_role("dialog").get_by_role("button", name="Create shelf").click()
    expect(other.locator(".nav").get_by_role("link", name=re.compile("^Hall"))).to_be_visible(timeout=30_000)


def test_a_server_that_restarts_is_said_on_the_progress(real_app, real):
    real_app.open("/scan")
    real_app.set_input_files("input[type=file]:not([capture])", [steps.SHELF, steps.SHELF])
    real_app.get_by_role("button", name="Read 2").click()
    expect(real_app.locator(".progress")).to_contain_text("Looking for spines")
    real.kill()
    expect(real_app.locator(".count-line")).to_contain_text("Connection lost. Your photo is safe.", timeout=30_000)
    real.start()
    expect(real_app.locator(".count-line")).not_to_contain_text("Connection lost", timeout=60_000)
    expect(real_app.locator(".results-panel h1")).to_contain_text("spines found", timeout=120_000)


def test_the_first_start_shows_what_the_app_does(page, real):
    page.goto(f"{real.address}/#/library")
    expect(page.get_by_role("img", name="A photo of a shelf becomes a list of its books.")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("They never leave it.")).to_be_visible()
    page.get_by_label("Name").fill("Ada")
    password = page.get_by_label("Password")
    password.fill("short")
    page.get_by_role("button", name="Create account").click()
    expect(page.locator(".field-error")).to_have_text("At least 10 characters.")
    expect(password).to_be_focused()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(password).to_have_attribute("type", "text")
    password.fill("a shelf of one's own")
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("button", name="Stay offline").click(timeout=60_000)
    empty = page.locator(".empty")
    expect(empty).to_contain_text("No books yet")
    expect(empty.get_by_role("link", name="Import a list of books")).to_be_visible()
    expect(empty.locator("svg").first).to_be_visible()
