"""Layout: long words, other scripts, large text, narrow and landscape phones, German."""
import pytest
import steps
from conftest import other_page

TITLES = [
    ("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft", "Karl-Theodor Freiherr von Schwarzenfels-Guttenberg"),
    ("Wort " * 100, "A" * 200),
    ("مئة عام من العزلة", "غابرييل غارسيا ماركيز"),
    ("百年の孤独", "ガルシア＝マルケス"),
]
SHELF = "Wohnzimmer, das lange Regal hinter dem Sofa an der Wand zum Treppenhaus"
WINDOWS = {
    "narrow": ({"width": 320, "height": 568}, 100),
    "phone with text twice as large": ({"width": 390, "height": 844}, 200),
    "phone on its side": ({"width": 844, "height": 390}, 100),
}
LARGER = "document.addEventListener('DOMContentLoaded', () => document.documentElement.style.setProperty('font-size', '%d%%'))"


@pytest.mark.sizes("phone")
@pytest.mark.parametrize("window", WINDOWS)
def test_nothing_is_pushed_out_of_the_window(browser, server, size, window):
    viewport, text = WINDOWS[window]
    shelf = server.call("POST", "/shelves", {"name": SHELF})["id"]
    books = [server.add(title=title, authors=[author], shelf=shelf)["id"] for title, author in TITLES]
    server.call("POST", "/library/bulk", {"ids": books, "readingStatus": "read"})
    seen, size = {}, {**size, "viewport": viewport}
    with other_page(browser, server, size, locale="de-DE", permissions=["camera"], service_workers="block") as page:
        page.add_init_script(LARGER % text)
        for path, there in (("/library", ".cell a"), *((f"/library/{book}", ".work-head") for book in books[:3]), ("/shelves", ".shelf-row"),
                            (f"/shelves/{shelf}", ".cell .cover"), ("/scan", ".checks"), ("/settings", ".settings-list a"), ("/settings/account", ".themes"), ("/settings/reading/reader", ".provider"), ("/settings/library", "[data-part=storage] .kv"), ("/settings/server/tokens", "[data-part=tokens] h2"), ("/settings/catalog", ".catalog .seg"),
                            ("/import", ".drop"), ("/add", ".searchbox"), ("/own", ".searchbox"), ("/review", ".empty"), ("/stats", ".charts")):
            page.goto(f"{server.address}/#{path}")
            page.locator(there).first.wait_for()
            seen[path] = steps.outside(page)
    assert {path: out for path, out in seen.items() if out} == {}


@pytest.mark.sizes("phone")
def test_a_phone_on_its_side_shows_the_shelf_and_not_only_the_buttons(browser, server, size):
    size = {**size, "viewport": {"width": 844, "height": 390}}
    with other_page(browser, server, size, permissions=["camera"], service_workers="block") as page:
        page.goto(f"{server.address}/#/scan")
        page.wait_for_selector(".checks")
        finder, shutter = page.locator(".finder").bounding_box(), page.locator(".shutter").bounding_box()
        assert finder["height"] > 300 and finder["width"] > 450
        assert shutter["x"] > finder["x"] + finder["width"] and shutter["y"] + shutter["height"] <= 390
