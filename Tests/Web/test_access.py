"""Accessibility: axe on every screen and theme, keys, focus, names, zoom, targets, motion."""
import re

import pytest
import steps
from axe_playwright_python.sync_playwright import Axe
from conftest import ALL
from pictures import TRUTH
from playwright.sync_api import expect
from test_real_walk import fill_queue

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
# What a theme can change is colour alone.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def violations(page, rules):
    # Halfway through a fade, axe would measure the wrong colours.
    steps.finish_animations(page)
    found = Axe().run(page, options=rules).response["violations"]
    return [f"{v['id']}: {n['target']} {n['failureSummary'].splitlines()[1].strip()}" for v in found for n in v["nodes"][:3]]


def screens(*names):
    """Parametrises a test with screens."""
    return pytest.mark.parametrize("screen", [pytest.param(n, marks=pytest.mark.scripted) if n in steps.SCRIPTED else n for n in names])


# The controls of a screen that are smaller than 44 by 44 px.
SMALL = """() => [...document.querySelectorAll("button, a[href], input, select, textarea, [role=slider]")].filter((e) => {
  const target = e.closest("label") ?? e;
  if (!e.checkVisibility({ checkOpacity: false }) || e.closest("[hidden], .sr") || e.classList.contains("skip") || e.type === "file") return false;
  // A dialog covers the rest of the page; words within a sentence are exempt (2.5.8).
  if (document.querySelector("dialog[open]") && !e.closest("dialog")) return false;
  if (e.matches(".read-word")) return false;
  const box = target.getBoundingClientRect();
  return box.width && (box.width < 43.5 || box.height < 43.5);
}).map((e) => `${e.className} ${e.ariaLabel ?? e.textContent.trim().slice(0, 30)} ${Math.round(e.getBoundingClientRect().width)}x${Math.round(e.getBoundingClientRect().height)}`)"""
# Screens whose controls are all large enough.
LARGE = {"library", "results", "results-book", "review", "automatic", "correct", "settings", "settings-reading", "catalog", "scan", "book", "match"}


@pytest.mark.books(40)
@screens(*steps.SCREENS)
def test_axe_finds_nothing_in_any_theme_and_targets_are_large_enough(app, screen):
    steps.SCREENS[screen](app)
    if screen in LARGE:
        # The spines on a board are a picture of it: each book is in the list below as well.
        assert [s for s in app.evaluate(SMALL) if "board" not in s] == []
    for theme in steps.THEMES:
        app.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        assert [theme, *violations(app, COLOURS if theme != steps.THEMES[0] else RULES)] == [theme]


# The controls that a click in their middle does not reach, after scrolling to them.
UNREACHABLE = """() => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  return [...(dialog ?? document).querySelectorAll("button, a[href], input, select, textarea, summary")].filter((e) => {
    if (!e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || e.disabled || e.closest(".sr, .skip, [inert]")) return false;
    if (e.type === "file" || getComputedStyle(e).pointerEvents === "none") return false;
    const target = e.closest("label") ?? e;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = target.getBoundingClientRect();
    if (!box.width || !box.height) return false;
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !(hit && (target.contains(hit) || hit.contains(target)));
  }).map((e) => `${e.tagName} ${e.className} ${e.ariaLabel ?? e.textContent.trim().slice(0, 30)}`);
}"""
TABLET = {"viewport": {"width": 820, "height": 1180}}


@pytest.mark.books(40)
@screens(*steps.SCREENS)
def test_no_control_lies_under_another(app, screen, size):
    steps.SCREENS[screen](app)
    steps.finish_animations(app)
    assert app.evaluate(UNREACHABLE) == []
    # A book that was opened beside the list on a wide window covers the head of the list when the window gets narrower.
    if size["viewport"]["width"] > 700 and screen != "book":
        app.set_viewport_size(TABLET["viewport"])
        # Lists are laid out again in the frame after that.
        app.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert app.evaluate(UNREACHABLE) == []


@pytest.mark.sizes("desktop")
def test_a_candidate_beside_the_buttons_of_its_card_is_used(app):
    """On a wide screen, the list of candidates opens below the words of a card."""
    app.set_viewport_size({"width": 1440, "height": 900})
    fill_queue(app)
    card = app.locator(".queue-card:has(.alternative)").first
    card.locator(".queue-main").focus()
    use = card.locator(".alternative").first
    expect(use).to_be_visible()
    for part in (0.1, 0.3, 0.5, 0.7, 0.9):
        reached = use.evaluate("""(e, part) => {
          const box = e.getBoundingClientRect();
          return e.contains(document.elementFromPoint(box.left + box.width * part, box.top + box.height / 2));
        }""", part)
        assert reached, part


@pytest.mark.books(40)
@screens("library", "review", "automatic", "correct", "settings", "settings-account", "settings-reading", "settings-library", "settings-server", "catalog", "results-book", "statistics", "lists")
def test_nothing_is_lost_at_twice_the_size(app, screen, size):
    # 200 % on a wide screen leaves half the pixels; WCAG's reflow asks for 320 of them.
    app.set_viewport_size({"width": 640 if size["viewport"]["width"] > 700 else 320, "height": 640})
    steps.SCREENS[screen](app)
    assert steps.outside(app) == []


@pytest.mark.sizes("desktop")
@pytest.mark.books(40)
def test_the_library_by_keys_alone(app):
    steps.open_library(app)
    app.keyboard.press("Tab")
    expect(app.locator(".skip")).to_be_focused()
    app.keyboard.press("Enter")
    expect(app.locator("h1")).to_be_focused()
    app.locator(".cell a").first.focus()
    app.keyboard.press("ArrowRight")
    expect(app.locator('[data-index="1"] a')).to_be_focused()
    app.keyboard.press("End")
    expect(app.locator('[data-index="39"] a')).to_be_focused()
    app.keyboard.press("Enter")
    expect(app.locator(".work-head h1")).to_be_visible()
    app.keyboard.press("/")
    expect(app.get_by_role("searchbox", name="Search the library")).to_be_focused()


@pytest.mark.sizes("desktop")
def test_results_by_keys_alone(app, server):
    server.give_catalog(ALL)
    books = steps.scan(app)["books"]
    first = TRUTH["books"][0]
    sure = next(b["confidence"] for b in books if b["title"] == first["title"])
    row = app.get_by_role("slider", name="Spines in shelf order")
    row.focus()
    app.keyboard.press("Home")
    expect(row).to_have_attribute("aria-valuetext", re.compile(
        f"^1 of {len(books)}: {first['title']}, {first['author']}. Ready to add, {round(100 * sure)}% sure"))
    app.keyboard.press("ArrowRight")
    expect(row).to_have_attribute("aria-valuenow", "2")
    expect(row).to_be_focused()
    app.keyboard.press("m")
    expect(app.get_by_role("dialog", name="Find a match")).to_be_visible()
    app.keyboard.press("Escape")
    expect(row).to_be_focused()


@pytest.mark.sizes("desktop")
def test_a_part_that_is_redrawn_keeps_focus_scroll_position_and_folds(app):
    app.open("/settings")
    expect(app.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    kept = app.evaluate("""async () => {
      const [{ h }, { redraw }] = await Promise.all([import("/lib/dom.js"), import("/lib/redraw.js")]);
      const place = h("div"), stays = h("input"), here = () => document.activeElement;
      const row = (name) => h("button", null, name);
      const draw = (...more) => redraw(place, h("h2", null, "Heading"),
        h("div", { "data-scroll": "list", style: { height: "20px", overflow: "auto" } }, h("p", { style: { height: "900px" } })), more, stays);
      document.querySelector("main").append(place);
      draw(row("Undo"), row("Undo"));
      place.querySelector("[data-scroll]").scrollTop = 300;
      const found = {};
      place.querySelectorAll("button")[1].focus();
      draw(row("Other"), row("Undo"), row("Undo"));
      found.sameName = here() === place.querySelectorAll("button")[2];
      draw(row("Undo"));
      found.lastOfThem = here() === place.querySelector("button");
      draw(h("button", { disabled: true }, "Undo"));
      found.heading = here().textContent;
      found.scroll = place.querySelector("[data-scroll]").scrollTop;
      stays.focus();
      stays.value = "typed";
      stays.setSelectionRange(2, 2);
      draw(row("New"));
      found.kept = [here() === stays, stays.value, stays.selectionStart];
      redraw(place, row("Gone"));
      place.firstChild.focus();
      redraw(place);
      found.screen = here().textContent;
      const part = (key, open) => h("details", { "data-key": key, open }, h("summary", null, key), "Text");
      redraw(place, part("opened"), part("closed", true), part("left"));
      place.querySelectorAll("summary")[0].click();
      place.querySelectorAll("summary")[1].click();
      const folds = () => [...place.querySelectorAll("details")].map((one) => one.open);
      redraw(place, part("opened"), part("closed", true), part("left", true));
      found.folds = folds();
      // What a person chose holds for all drawings to come, also where one was drawn that way by itself.
      redraw(place, part("opened", true), part("closed", false), part("left"));
      redraw(place, part("opened"), part("closed", true), part("left"));
      found.later = folds();
      place.remove();
      return found;
    }""")
    assert kept == {"sameName": True, "lastOfThem": True, "heading": "Heading", "scroll": 300, "kept": [True, "typed", 2], "screen": "Settings",
                    "folds": [True, False, True], "later": [True, False, False]}


@pytest.mark.sizes("desktop")
def test_a_control_that_is_replaced_while_it_is_pressed_is_clicked(app):
    app.open("/settings")
    expect(app.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    app.evaluate("""async () => {
      const [{ h }, { redraw }] = await Promise.all([import("/lib/dom.js"), import("/lib/redraw.js")]);
      const place = h("div", { style: { position: "fixed", top: "0", left: "0", "z-index": 99 } });
      document.body.append(place);
      window.clicked = [];
      window.draw = (...names) =>
        redraw(place, names.map((name) => h("button", { onclick: () => clicked.push(name) }, name)));
    }""")

    def press(before, after, button="left"):
        app.evaluate("names => draw(...names)", before)
        box = app.get_by_role("button", name=before[0], exact=True).bounding_box()
        app.mouse.move(box["x"] + 4, box["y"] + 4)
        app.mouse.down(button=button)
        app.evaluate("names => draw(...names)", after)
        app.mouse.up(button=button)
        return app.evaluate("clicked.splice(0)")

    # What keeps presses is loaded behind the screen.
    steps.until(app, lambda: press(["Keep"], ["Keep"]) == ["Keep"])
    assert press(["Keep"], ["Keep"], button="right") == []
    assert press(["Keep"], ["Remove"]) == []
    assert press(["Keep"], []) == []


@pytest.mark.sizes("phone")
def test_the_focus_stays_in_a_sheet_and_comes_back(app):
    steps.scan(app)
    more = app.locator(".results-top").get_by_role("button", name="More")
    more.focus()
    app.keyboard.press("Enter")
    dialog = app.get_by_role("dialog", name="More")
    expect(dialog).to_be_visible()
    for _ in range(12):
        app.keyboard.press("Tab")
        assert app.evaluate("document.activeElement === document.body || Boolean(document.activeElement.closest('dialog'))")
    app.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(more).to_be_focused()


@pytest.mark.sizes("phone")
def test_a_new_screen_begins_at_its_heading_and_is_named(app):
    steps.shelf_named(app)
    steps.plain("/shelves", ".shelf-row")(app)
    app.locator(".shelf-row").first.click()
    expect(app.get_by_role("heading", level=1, name="Hall shelf")).to_be_focused()
    app.open("/settings")
    expect(app).to_have_title("Settings · Shelflist")
    app.open("/settings/server")
    expect(app).to_have_title("Sharing and server · Shelflist")


@pytest.mark.sizes("phone")
def test_what_happens_is_told_to_those_who_do_not_see_it(app):
    ready = steps.scan(app)["summary"]["ready"]
    app.get_by_role("button", name=re.compile(f"^Add {ready} ready books")).click()
    app.locator("dialog .btn.main").click()
    expect(app.locator("#live")).to_have_text(f"{ready} books are in your library. Press U to undo.")
    app.keyboard.press("u")
    expect(app.locator("#live")).to_have_text("Undone.")


@pytest.mark.sizes("phone")
@pytest.mark.books(40)
def test_the_names_in_the_accessibility_tree(app):
    steps.fill_queue(app)
    queue = steps.queue(app)
    # The surest of those that a source knows.
    first = next(book for book in reversed(queue) if book["tier"] == "verify")
    app.open("/library")
    expect(app.get_by_role("navigation", name="Main")).to_match_aria_snapshot(f"""
      - navigation "Main":
        - list:
          - listitem:
            - link /Library/
          - listitem:
            - link "Scan"
          - listitem:
            - link /Review {len(queue)} books to review/
          - listitem:
            - link "Settings"
    """)
    app.open("/review")
    expect(app.get_by_role("heading", level=2, name=first["title"])).to_be_visible()
    expect(app.locator(".queue-card")).to_contain_text(f"{round(100 * first['confidence'])}% sure")
    for name in ("Not a book", "Edit", "Yes"):
        expect(app.get_by_role("button", name=name, exact=True)).to_be_visible()


@pytest.mark.sizes("phone")
def test_less_motion_when_asked(app):
    app.emulate_media(reduced_motion="reduce")
    steps.scan(app)
    app.locator("[data-key=review]").click()
    running = app.evaluate("""document.getAnimations().filter((a) => a.playState === "running" && a.effect.getComputedTiming().duration > 130).length""")
    assert running == 0


@pytest.mark.sizes("phone")
@pytest.mark.books(40)
def test_no_glass_when_asked(app, page):
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-transparency", "value": "reduce"}]})
    steps.open_library(app)
    glass = app.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--glass')")
    surface = app.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--surface')")
    assert glass.strip() == surface.strip()
