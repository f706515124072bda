"""Layout: words stay whole, nothing covers what is beside it, text of twice the size, paper, and the ways of keyboards."""
import pytest
import steps
from conftest import other_page
from playwright.sync_api import expect
from test_access import TABLET
from test_real_walk import fill_queue
from walking import LOOKS

pytestmark = pytest.mark.touched
HIT = """(e) => {
  const box = e.getBoundingClientRect();
  return e.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}"""


def cut_words(page):
    """Returns the words of the screen that are broken or cut off."""
    steps.finish_animations(page)
    return page.evaluate(f"() => {LOOKS}.texts()")


def enlarge(page, size=32):
    """Sets the text size of the browser, in px; the usual one is 16."""
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size}})


@pytest.mark.sizes("phone")
def test_a_swipe_moves_the_card_and_not_the_page(app):
    fill_queue(app)
    card = app.locator(".queue-card.big")
    box, dock = card.bounding_box(), app.locator(".thumb-dock").bounding_box()
    touch = app.context.new_cdp_session(app)
    y = box["y"] + box["height"] / 2
    for kind, x in (("touchStart", 120), ("touchMove", 150), ("touchMove", 210)):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    expect(card.locator(".swipe-label.yes")).to_be_visible()
    steps.until(app, lambda: card.bounding_box()["x"] > box["x"] + 60)
    assert app.evaluate("[innerWidth, visualViewport.width, document.documentElement.scrollWidth]") == [390, 390, 390]
    # Its height depends on the bar with Undo.
    assert [app.locator(".thumb-dock").bounding_box()[side] for side in ("x", "width")] == [dock["x"], dock["width"]]


@pytest.mark.sizes("phone", "desktop")
def test_what_a_match_changes_is_said_in_whole_words_at_the_edge_of_the_sheet(app, size):
    if size["viewport"]["width"] > 700:
        app.set_viewport_size(TABLET["viewport"])
    steps.find_match(app)
    assert cut_words(app) == []
    edges = app.evaluate("() => ['.match-change', 'dialog[open]'].map((name) => document.querySelector(name).getBoundingClientRect().bottom)")
    assert abs(edges[0] - edges[1]) < 2


@pytest.mark.sizes("phone")
@pytest.mark.parametrize("locale, number, language", [
    ("en-GB", "1,234,567", "Ancient Greek"), ("en-IN", "12,34,567", "Ancient Greek"), ("de-CH", "1’234’567", "Altgriechisch")])  # an older browser writes 1'234'567
def test_numbers_money_and_languages_are_written_as_in_the_browser_s_region(browser, server, size, locale, number, language):
    with other_page(browser, server, size, locale=locale, service_workers="block") as page:
        page.goto(f"{server.address}/#/stats")
        page.locator(".empty").wait_for()
        said = page.evaluate("""async (locale) => {
          const [i18n, money, languages] = await Promise.all([import("/lib/i18n.js"), import("/lib/money.js"), import("/lib/languages.js")]);
          const codes = languages.allLanguages().filter(([code, name]) => code === name || /^[a-z]{2,3}$/.test(name));
          const inWords = money.moneyInWords({ amount: 123456750, currency: "EUR" });
          const asHere = new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(1234567.5);
          return [i18n.number(1234567), inWords === asHere, languages.languageName("grc"), codes];
        }""", locale)
    said[0] = said[0].replace("'", "’")
    assert said == [number, True, language, []]


@pytest.mark.books(1)
@pytest.mark.sizes("phone")
def test_statistics_of_one_book_use_the_singular_and_leave_out_what_is_empty(app):
    app.route("**/stats/review*", lambda route: route.fulfill(json={
        "reviewed": 1, "correct": 1, "byMonth": [], "byTier": [{"tier": "ready", "reviewed": 1, "correct": 1}]}))
    app.open("/stats")
    expect(app.locator(".charts")).to_be_visible()
    words = app.locator("main").inner_text()
    assert "1 books" not in words and "1 book" in words
    assert " 0 B" not in words and "database" in words


@pytest.mark.books(12)
@pytest.mark.sizes("phone")
@pytest.mark.parametrize("width, text", [(320, 16), (390, 32)])
def test_words_stay_whole_and_decades_apart_in_large_text_and_narrow_windows(app, server, width, text):
    for decade in range(1850, 2020, 10):
        server.add(title=f"Book of {decade}", authors=["A Person"], correction={"year": decade})
    app.set_viewport_size({"width": width, "height": 844})
    if text != 16:
        enlarge(app, text)
    seen = {}
    for path, there in (("/library", ".cell a"), ("/stats", ".charts"), ("/shelves", ".shelf-row"), ("/import", ".drop"), ("/add", ".searchbox"),
                        ("/settings", ".settings-list a"), ("/settings/reading", ".provider"), ("/settings/server", ".switch")):
        app.open(path)
        app.locator(there).first.wait_for()
        seen[path] = cut_words(app)
        if path == "/stats":
            seen["decades"] = app.locator(".spine-bars .under").evaluate_all("""(all) => {
              const boxes = all.filter((e) => getComputedStyle(e).color !== "rgba(0, 0, 0, 0)").map((e) => {
                const range = document.createRange();
                range.selectNodeContents(e);
                return [e.textContent, range.getBoundingClientRect()];
              });
              return boxes.filter(([, box], i) => i && box.top === boxes[i - 1][1].top && box.left < boxes[i - 1][1].right).map(([word]) => word);
            }""")
    fill_queue(app)
    seen["/review"] = cut_words(app)
    app.locator(".thumb-dock [data-key=edit]").click()
    app.locator(".correct-form").wait_for()
    seen["/review/:id"] = cut_words(app)
    assert {path: words for path, words in seen.items() if words} == {}
    spine, fields = app.locator(".spine-frame").bounding_box(), app.locator(".correct-fields").bounding_box()
    assert fields["y"] >= spine["y"] + spine["height"]


@pytest.mark.sizes("phone", "desktop")
def test_marks_do_not_cover_the_titles_of_made_covers_while_books_are_selected(app, server):
    server.add(title="Programming Massively Parallel Processors", authors=["David Kirk"])
    fill_queue(app)
    app.open("/library")
    app.wait_for_selector(".cell.marked")
    app.get_by_role("button", name="More").first.click()
    app.get_by_role("button", name="Select books").click()
    app.locator(".choosing .cell.marked").first.wait_for()
    assert app.locator(".cell").evaluate_all("""(cells) => cells.flatMap((cell) => {
      const title = cell.querySelector(".made-title");
      if (!title) return [];
      const range = document.createRange();
      range.selectNodeContents(title);
      const words = range.getBoundingClientRect(), cover = title.closest(".cover").getBoundingClientRect();
      const under = [...cell.querySelectorAll(".cell-mark, .dot")].filter((mark) => {
        const box = mark.getBoundingClientRect();
        return box.left < words.right && box.right > words.left && box.top < words.bottom && box.bottom > words.top;
      });
      return [...under.map((mark) => `${mark.className} on ${title.textContent}`), ...(words.bottom > cover.bottom + 1 ? [`cut: ${title.textContent}`] : [])];
    })""") == []
    sizes = app.locator(".cell .title").evaluate_all("(all) => [...new Set(all.map((e) => getComputedStyle(e).fontSize + ' ' + getComputedStyle(e).webkitLineClamp))]")
    assert len(sizes) == 1
    assert cut_words(app) == []


@pytest.mark.books(3)
@pytest.mark.sizes("phone", "desktop")
@pytest.mark.parametrize("locale, more, choose", [("en-GB", "More", "Select books"), ("de-DE", "Mehr", "Bücher auswählen")])
def test_the_words_of_the_tools_for_several_books_stay_apart(browser, server, size, locale, more, choose):
    with other_page(browser, server, size, locale=locale, service_workers="block") as page:
        page.goto(f"{server.address}/#/library")
        page.get_by_role("button", name=more).first.click()
        page.get_by_role("button", name=choose).click()
        for width in (size["viewport"]["width"], 500, 700):
            page.set_viewport_size({"width": width, "height": 844})
            boxes = page.locator(".tool span").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().toJSON())")
            assert [one for one, next in zip(boxes, boxes[1:]) if one["right"] > next["left"] and one["top"] == next["top"]] == []
            close, tools = page.locator(".bulk > .round").bounding_box(), page.locator(".tools").bounding_box()
            assert close["y"] + close["height"] <= tools["y"] + 1


@pytest.mark.books(3)
@pytest.mark.sizes("desktop")
def test_all_shelves_of_the_rail_can_be_reached_beside_the_undo_bar(app, server):
    for number in range(30):
        server.call("POST", "/shelves", {"name": f"Shelf {number}"})
    steps.open_library(app)
    book = server.books()[0]["title"]
    app.evaluate("""(text) => import("/elements/undo.js").then((undo) => undo.undoBar(text.repeat(9), () => {}))""", f"{book} deleted. ")
    expect(app.locator("body > .undo")).to_be_visible()
    links = app.locator(".nav a:visible")
    expect(links.last).to_have_text("All shelves")
    for n in range(links.count()):
        links.nth(n).scroll_into_view_if_needed()
        assert links.nth(n).evaluate(HIT), links.nth(n).inner_text()
    app.locator(".nav").get_by_role("link", name="All shelves").click()
    app.wait_for_url("**/#/shelves")


@pytest.mark.books(3)
@pytest.mark.sizes("phone")
def test_the_buttons_of_the_library_stay_beside_its_name(app):
    steps.open_library(app)
    app.locator(".lib-head p").evaluate("(e) => (e.textContent = '14,680 books, 11,977 of them on 1,253 shelves')")
    head, more = app.locator("h1").bounding_box(), app.locator(".lib-head").get_by_role("button", name="More").bounding_box()
    assert more["y"] < head["y"] + head["height"] + 20 and more["x"] > 300


@pytest.mark.books(60)
def test_paper_shows_all_books_without_controls(app):
    steps.open_library(app)
    app.emulate_media(media="print")
    app.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(app.locator(".nav")).to_be_hidden()
    for control in ("#skip", ".chips", ".lib-tools", ".lib-head .round", ".undo", ".lib-search"):
        expect(app.locator(control).locator("visible=true")).to_have_count(0)
    assert app.locator(".page").bounding_box()["x"] == 0
    covers = app.locator(".cell .cover")
    expect(covers).to_have_count(60)
    assert steps.outside(app) == []
    assert app.locator(".cell").evaluate_all("""(cells) => {
      const boxes = cells.map((cell) => cell.getBoundingClientRect());
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
    }""") == 0
    assert covers.evaluate_all("(all) => all.filter((e) => getComputedStyle(e.firstElementChild).printColorAdjust !== 'exact' || !e.innerText.trim()).length") == 0
    app.emulate_media(media="screen")
    app.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(app.locator('[data-index="59"]')).to_have_count(0)


@pytest.mark.books(3)
@pytest.mark.sizes("desktop")
def test_statistics_list_the_largest_shelves_and_the_decades_between(app, server):
    for number in range(20):
        shelf = server.call("POST", "/shelves", {"name": f"Shelf {number}"})["id"]
        server.add(title=f"Book {number}", authors=["A Person"], shelf=shelf, correction={"year": 1950 if number % 2 else 1990})
    app.open("/stats")
    chart = app.locator("figure", has=app.get_by_role("heading", name="By shelf"))
    expect(chart.locator("li")).to_have_count(12)
    expect(chart.get_by_role("link", name="All shelves")).to_be_visible()
    decades = app.locator("figure", has=app.get_by_role("heading", name="By decade")).locator(".under")
    expect(decades).to_have_text(["1950s", "1960s", "1970s", "1980s", "1990s"])


@pytest.mark.books(12)
@pytest.mark.sizes("desktop")
def test_escape_closes_the_book_beside_the_list_and_rings_of_chips_are_whole(app):
    steps.open_book(app)
    expect(app.locator(".inspector")).to_be_visible()
    app.keyboard.press("Escape")
    expect(app.locator(".inspector")).to_be_hidden()
    expect(app.locator(".cell a").first).to_be_focused()
    chips = app.locator(".chips").first
    for chip in chips.locator(".chip").all():
        chip.focus()
        cut = chip.evaluate("""(e) => {
          const ring = parseFloat(getComputedStyle(e).outlineWidth) + parseFloat(getComputedStyle(e).outlineOffset);
          const box = e.getBoundingClientRect(), around = e.closest(".chips").getBoundingClientRect();
          return [box.left - ring - around.left, around.right - box.right - ring, box.top - ring - around.top, around.bottom - box.bottom - ring].filter((gap) => gap < 0);
        }""")
        assert cut == [], chip.inner_text()
