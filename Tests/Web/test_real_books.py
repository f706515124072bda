"""Editing, covers, sources and duplicates."""
import re

import pytest
import steps
import test_welcome
from conftest import small_photo
from playwright.sync_api import expect
from test_real_library import book, books, enter, type_book
from test_sheets import form as edit

pytestmark = [pytest.mark.sizes("phone")]
# A mirror of Open Library that has no books.
open_library = test_welcome.open_library

LONG = "An Account of the Electrodynamics of Supercharged Bodies, Being a Complete Course for Those Who Have Neither the Time nor the Wish to Attend One, " \
    "with an Appendix on Instruments, a Second on Units, and a Third on Everything Else"


def added(app, title, author):
    app.open("/add")
    type_book(app, title, author)


def opened(app, title):
    app.open("/library")
    app.locator(".cell a", has_text=title).first.click()
    expect(app.locator(".work-head h1")).to_contain_text(title)


def test_without_a_source_the_search_says_so_and_one_is_turned_on(open_library, app):
    app.open("/add")
    search = app.get_by_role("searchbox", name="ISBN, title or author")
    search.fill("9780141439518")
    none = app.locator(".no-source")
    expect(none).to_contain_text("No source is on.")
    expect(app.locator(".add-list")).not_to_contain_text("Nothing found")
    assert open_library == []
    none.get_by_role("button", name="Turn one on").click()
    app.get_by_role("dialog").get_by_role("button", name="Use Open Library").click()
    expect(app.locator(".add-list")).to_contain_text("Nothing found")
    assert len(open_library) > 0
    assert app.refused == []


@pytest.mark.touched
def test_without_a_source_another_edition_is_not_called_missing(open_library, app):
    added(app, "Emma", "Jane Austen")
    opened(app, "Emma")
    app.get_by_role("button", name="More", exact=True).click()
    app.get_by_role("dialog").get_by_role("button", name="Find another edition").click()
    sheet = app.get_by_role("dialog").last
    expect(sheet.locator(".no-source")).to_contain_text("No source is on.")
    expect(sheet).not_to_contain_text("Nothing found")
    assert open_library == []
    assert app.refused == []


def test_isbn_publisher_year_and_pages_are_edited(app):
    added(app, "Emma", "Jane Austen")
    opened(app, "Emma")
    sheet = edit(app)
    sheet.get_by_label("ISBN").fill("9780141439580")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.get_by_role("alert")).to_contain_text("This ISBN has a wrong digit.")
    sheet.get_by_label("ISBN").fill("978-0-14-143958-7")
    sheet.get_by_label("Publisher").fill("Penguin")
    sheet.get_by_label("Year").fill("2003")
    sheet.get_by_label("Pages").fill("474")
    sheet.get_by_label("Notes").fill("From Oma")
    sheet.get_by_role("button", name="Save").click()
    expect(app.locator(".work-head")).to_contain_text("Penguin, 2003")
    edited = ("isbn", "publisher", "year", "pages", "notes")
    assert [book(app)[k] for k in edited] == ["9780141439587", "Penguin", 2003, 474, "From Oma"]
    # The edit is one action, though it is stored in two places.
    steps.undone(app)
    expect(app.locator(".work-head")).not_to_contain_text("Penguin")
    assert [book(app).get(k) for k in edited] == [None] * 5
    assert app.refused == []


@pytest.mark.touched
def test_status_and_stars_are_changed_and_undone_in_reverse(app):
    added(app, "Emma", "Jane Austen")
    opened(app, "Emma")
    app.locator(".seg label", has_text="Reading").click()
    expect(app.locator(".undo")).to_contain_text("Saved.")
    app.get_by_role("button", name=re.compile("^Rating")).click()
    app.get_by_role("dialog").get_by_role("button", name="★★★★", exact=True).click()
    expect(app.get_by_role("button", name=re.compile("^Rating"))).to_contain_text("★★★★")
    app.wait_for_load_state("networkidle")
    assert (book(app)["readingStatus"], book(app)["rating"]) == ("reading", 4)
    steps.undone(app)
    assert (book(app)["readingStatus"], book(app)["rating"]) == ("reading", None)
    steps.undone(app)
    assert (book(app)["readingStatus"], book(app)["rating"]) == (None, None)
    assert app.refused == []


def test_an_edit_keeps_what_somebody_else_changed_and_asks_about_the_same_field(app):
    added(app, "Emma", "Jane Austen")
    opened(app, "Emma")
    sheet = edit(app)
    sheet.get_by_label("Publisher").fill("Penguin")
    app.evaluate("""async () => {
        const api = await import('/lib/api.js');
        const [entry] = await api.allBooks(() => {});
        await api.changeWork(entry.workId, { publisher: 'Murray', year: 1815 }, (await api.work(entry.workId)).etag);
    }""")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.get_by_role("alert")).to_contain_text("This book has been changed.")
    expect(sheet.locator(".edit-other")).to_contain_text("Changed elsewhere to: Murray")
    expect(sheet.get_by_label("Year")).to_have_value("1815")
    expect(sheet.get_by_label("Publisher")).to_have_value("Penguin")
    sheet.get_by_role("button", name="Save").click()
    expect(app.locator(".work-head")).to_contain_text("Penguin, 1815")
    assert app.refused == []


def test_a_cover_is_replaced_alone_and_the_change_undone(app):
    added(app, "Emma", "Jane Austen")
    opened(app, "Emma")
    app.get_by_role("button", name="Change cover").click()
    sheet = app.get_by_role("dialog", name="Change cover")
    expect(sheet.locator(".no-source")).to_be_visible()
    sheet.locator("input[type=file]:not([capture])").set_input_files(small_photo())
    expect(app.locator(".undo")).to_contain_text("Cover changed.")
    expect(app.locator(".work-head .cover img")).to_be_visible()
    after = book(app)
    assert after["coverUrl"] and (after["title"], after["author"]) == ("Emma", "Jane Austen")
    steps.undone(app)
    expect(app.locator(".work-head .cover .made")).to_be_visible()
    assert book(app)["coverUrl"] is None
    assert app.refused == []


@pytest.mark.touched
def test_a_copy_in_another_edition_is_asked_about(app):
    app.open("/add")

    type_book(app, "The Three-Body Problem", "Cixin Liu", "9780765377067")
    enter(app, "The Three-Body Problem", "Liu Cixin", "9781784971557")
    asked = app.get_by_role("dialog", name="Add a second copy?")
    expect(asked).to_be_visible()
    asked.get_by_role("button", name="Cancel").click()
    expect(asked).to_be_hidden()
    assert len(books(app)) == 1


# Returns what is wrong with each title: its words that are on several lines, and whether it is cut.
BROKEN = """(titles) => titles.flatMap((title) => {
  const range = document.createRange(), text = title.firstChild;
  const broken = [...text.data.matchAll(/[^\\s-]+/g)].filter(({ index, 0: word }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1;
  }).map((match) => match[0]);
  const fits = title.scrollHeight <= title.clientHeight + 1 && title.getBoundingClientRect().bottom <= title.closest(".cover").getBoundingClientRect().bottom;
  return fits ? broken : [...broken, `cut: ${text.data}`];
})"""


@pytest.mark.touched
def test_made_covers_break_no_words_and_show_whole_titles(app):
    for title in ("Supercharged", "Introduction to Electrodynamics", "Verwaltungsverfahrensgesetz", LONG, "ספר הזוהר השלם עם פירוש הסולם"):
        added(app, title, "A Person")
    app.open("/library")
    titles = app.locator(".cell .made-title")
    expect(titles).to_have_count(5)
    assert titles.evaluate_all(BROKEN) == []
    # The end of a Hebrew title is cut, not its beginning.
    hebrew = app.locator(".cell .title", has_text="ספר")
    assert hebrew.evaluate("(e) => getComputedStyle(e).direction") == "rtl"
    opened(app, LONG)
    # The page is drawn again when its parts arrive.
    app.wait_for_function("""() => {
      const head = document.querySelector(".work-head h1"), style = getComputedStyle(head);
      return style.overflow === "visible" && style.webkitLineClamp === "none" && head.scrollWidth <= head.clientWidth;
    }""")


@pytest.mark.touched
def test_covers_show_the_spine_and_take_its_colours(app):
    steps.read_shelf(app)
    steps.add_all_to(app)
    app.open("/library")
    made = app.locator(".cell .made.with-spine:has(canvas.drawn)")
    expect(made.nth(2)).to_be_visible()
    colours = set(made.evaluate_all("(list) => list.map((e) => e.style.getPropertyValue('--g'))"))
    assert len(colours) >= 2 and all(re.fullmatch(r"rgb\(\d+ \d+ \d+\)", c) for c in colours)
    # The title is beside the spine, and the badge of a book to review above it.
    overlaps = """(list) => list.filter((e) => {
      const box = (x) => x.getBoundingClientRect();
      const title = box(e.querySelector('.made-title')), mark = e.closest('.cell').querySelector('.cell-mark');
      return title.left < box(e.querySelector('canvas')).right || Boolean(mark) && title.top < box(mark).bottom;
    }).map((e) => e.textContent)"""
    assert made.evaluate_all(overlaps) == []
    assert app.refused == []
