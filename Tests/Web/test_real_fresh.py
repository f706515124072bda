"""Lists, counts, statistics and freshness."""
import re
from datetime import datetime, timezone

import pytest
import steps
from playwright.sync_api import expect
from test_real_library import books, type_book, whole_books

pytestmark = [pytest.mark.sizes("phone")]

GERMAN = """Buchtitel;Verfasser (Nachname, Vorname);Regal;Bewertung;Notizen;Erscheinungsjahr
Der Zauberberg;Mann, Thomas;Flur;7;Von Oma;1946
;Niemand, Egal;;3;;
Momo;Ende, Michael;;10;;1973
"""


def month():
    return datetime.now(timezone.utc).strftime("%B %Y")


def choose(app, text, name="books.csv"):
    app.open("/import")
    app.set_input_files("input[type=file]", {"name": name, "mimeType": "text/csv", "buffer": text.encode()})
    expect(app.locator(".import-columns")).to_be_visible()


def test_a_german_list_comes_in_and_the_rows_that_failed_are_saved(app):
    choose(app, GERMAN)
    expect(app.get_by_text("A table", exact=True)).to_be_visible()
    expect(app.get_by_label("Encoding")).to_have_value("UTF-8")
    for column, field in (("Buchtitel", "title"), ("Verfasser (Nachname, Vorname)", "author"), ("Regal", "shelf"), ("Notizen", "notes")):
        expect(app.get_by_label(f"Field for column {column}", exact=True)).to_have_value(field)
    assert steps.outside(app) == []
    app.get_by_role("button", name="Import 3 rows").click()
    expect(app.locator("h2", has_text="2 books added")).to_be_visible()
    assert {b["title"]: b["rating"] for b in whole_books(app)} == {"Der Zauberberg": 3.5, "Momo": 5}
    app.locator("details summary").click()
    with app.expect_download() as download:
        app.get_by_role("button", name="Download these rows").click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "Line,Reason,Row" and len(lines) == 2
    assert re.match('3,"?title: ', lines[1]) and lines[1].endswith('";Niemand, Egal;;3;;"')
    assert app.refused == []


def test_an_import_is_undone_and_the_same_list_comes_in_again(app):
    for leaves in (False, True):
        choose(app, GERMAN)
        app.get_by_role("button", name="Import 3 rows").click()
        expect(app.locator(".undo")).to_contain_text("2 books added.")
        assert len(books(app)) == 2
        if leaves:  # the import is followed on other screens
            app.open("/library")
            expect(app.locator(".cell a")).to_have_count(2)
        steps.undone(app)
        expect(app.locator(".empty" if leaves else ".drop")).to_be_visible()
        assert books(app) == []
    assert app.refused == []


@pytest.mark.touched
def test_the_columns_of_a_known_list_are_one_line(app):
    text = "Book Id,Title,Author,ISBN13,My Rating,Exclusive Shelf,Owned Copies\n1,Momo,Michael Ende,,5,read,1\n"
    app.open("/import")
    app.set_input_files("input[type=file]", {"name": "goodreads.csv", "mimeType": "text/csv", "buffer": text.encode()})
    expect(app.get_by_text("A list from Goodreads")).to_be_visible()
    used, columns = app.get_by_text(re.compile("^Columns used: [4-7] of 7$")), app.locator(".import-columns")
    expect(used).to_be_visible()
    expect(columns).to_be_hidden()
    before = used.inner_text()
    used.click()
    app.get_by_label("Field for column My Rating", exact=True).select_option("")
    expect(used).not_to_have_text(before)
    app.get_by_role("button", name="Import 1 row").click()
    expect(app.locator("h2", has_text="1 book added")).to_be_visible()
    assert {b["title"]: b.get("rating") for b in whole_books(app)} == {"Momo": None}


@pytest.mark.touched
def test_an_import_that_was_stopped_is_undone(app):
    rows = 20_000
    choose(app, "title,author\n" + "".join(f"Book {n},Author {n % 700}\n" for n in range(rows)))
    app.get_by_role("button", name="Import 20,000 rows").click()
    expect(app.locator("section .nums")).to_have_text(re.compile("^[1-9][0-9,]* of 20,000 rows"))
    app.get_by_role("button", name="Stop").click()
    expect(app.locator(".undo")).to_contain_text("books added.")
    total = "fetch('/api/v1/library?limit=1').then((r) => r.json()).then((p) => p.total)"
    assert 0 < app.evaluate(total) < rows
    app.locator(".undo").get_by_role("button", name="Undo").click()
    expect(app.locator("#live")).to_have_text("Undone.")
    assert app.evaluate(total) == 0
    assert app.refused == []


def test_rows_that_were_left_out_are_named_and_added_by_one_tap(app):
    app.server.add(title="Momo", authors=["Michael Ende"])
    choose(app, "title,author\nDune,Frank Herbert\nMomo,Michael Ende\nDune,Frank Herbert\n")
    app.get_by_role("button", name="Import 3 rows").click()
    expect(app.locator("h2", has_text="1 book added")).to_be_visible()
    app.locator("details summary", has_text="2 rows were not added").click()
    rows = app.locator("details .rows li")
    expect(rows).to_have_text([re.compile("Line 3.*Momo, Michael Ende.*The library has it"), re.compile("Line 4.*It is the same as line 2")])
    assert steps.outside(app) == []
    app.get_by_role("button", name="Add as other books").click()
    expect(app.locator("h2", has_text="2 books added")).to_be_visible()
    assert sorted(b["title"] for b in books(app)) == ["Dune", "Dune", "Momo", "Momo"]
    assert app.refused == []


@pytest.mark.touched
def test_a_list_without_titles_cannot_start_and_keeps_its_choices(app):
    choose(app, "Werk,Wer\nMomo,Michael Ende\n")
    start = app.get_by_role("button", name="Import 1 row")
    expect(start).to_be_disabled()
    expect(app.get_by_text("Choose the column with the titles.")).to_be_visible()
    app.get_by_label("Field for column Wer", exact=True).select_option("title")
    app.get_by_label("Field for column Werk", exact=True).select_option("title")
    start.click()
    expect(app.locator(".note.bad")).to_contain_text("two columns are")
    expect(app.get_by_label("Field for column Werk", exact=True)).to_have_value("title")
    app.get_by_label("Field for column Wer", exact=True).select_option("author")
    start.click()
    expect(app.locator("h2", has_text="1 book added")).to_be_visible()
    assert [e for e in app.refused if not e.startswith("422 ")] == []


def create_shelf(app):
    app.open("/shelves")
    app.get_by_role("button", name="New shelf").first.click()
    app.get_by_role("dialog").get_by_label("Name").fill("Hall")
    app.get_by_role("dialog").get_by_role("button", name="Create shelf").click()


@pytest.mark.touched
def test_counts_and_the_board_are_the_shelf_s_own(app):
    create_shelf(app)
    app.locator(".shelf-row", has_text="Hall").click()
    app.get_by_role("link", name="Scan this shelf").click()
    app.locator(".scan-shelf", has_text="Hall").wait_for()
    steps.read_shelf(app)
    steps.add_all_to(app)
    on_shelf = len(books(app))
    choose(app, "title,author\nMomo,Michael Ende\nDune,Frank Herbert\n")
    app.get_by_role("button", name="Import 2 rows").click()
    expect(app.locator("h2", has_text="2 books added")).to_be_visible()
    app.open("/library")
    expect(app.locator(".lib-head p")).to_have_text(f"{on_shelf + 2} books, {on_shelf} of them on 1 shelf")
    expect(app.locator(".board-place")).to_contain_text(f"{on_shelf} added today")
    expect(app.locator(".board a")).to_have_count(min(40, on_shelf))
    assert app.refused == []


@pytest.mark.touched
def test_statistics_speak_the_user_s_language(app):
    months = [month()]
    choose(app, GERMAN)
    app.get_by_role("button", name="Import 3 rows").click()
    expect(app.locator("h2", has_text="2 books added")).to_be_visible()
    months.append(month())
    app.open("/stats")
    charts = app.locator(".charts")
    expect(charts).to_contain_text("1940s")
    expect(charts).to_contain_text("No status")
    expect(charts).to_contain_text("By list")
    expect(charts).not_to_contain_text("none")
    expect(charts).to_contain_text(re.compile("|".join(months)))
    database = re.search(r"([\d.]+) (B|KB|MB) database", app.locator(".page").inner_text())
    assert database and (database[2] == "MB" or database[2] == "KB" and float(database[1]) > 50), database


def test_another_tab_shows_what_this_one_added(app, server):
    other = app.context.new_page()
    other.set_viewport_size({"width": 1280, "height": 800})
    with other.expect_response("**/api/v1/changes"):
        other.goto(f"{server.address}/#/library")
    expect(other.locator(".empty")).to_contain_text("No books yet")
    app.open("/add")
    type_book(app, "Middlemarch", "George Eliot")
    expect(other.get_by_role("link", name="Middlemarch, by George Eliot")).to_be_visible()
    create_shelf(app)
    expect(other.locator(".nav").get_by_role("link", name=re.compile("^Hall"))).to_be_visible()


@pytest.mark.touched
def test_the_first_start_shows_what_the_app_does(page, empty_server):
    page.goto(f"{empty_server.address}/#/library")
    expect(page.get_by_role("img", name="A photo of a shelf becomes a list of its books.")).to_be_visible()
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
    page.get_by_role("button", name="Work offline").click()
    empty = page.locator(".empty")
    expect(empty).to_contain_text("No books yet")
    expect(empty.get_by_role("link", name="Import a list of books")).to_be_visible()
    expect(empty.locator("svg").first).to_be_visible()
