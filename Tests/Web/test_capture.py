"""What the camera's screen can besides the shutter: paste, drop, order in the tray, light, zoom, barcodes."""
import base64
import re

import pytest
import steps
from conftest import SHELF
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone")

GIVEN = """([bytes, how]) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], "shelf.jpg", { type: "image/jpeg" }));
  if (how === "paste") document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }));
  else document.querySelector("main > *").dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true, bubbles: true }));
}"""
ABLE = """
  const { prototype } = MediaStreamTrack;
  prototype.getCapabilities = () => ({ torch: true, zoom: { min: 1, max: 4, step: 0.1 } });
  prototype.applyConstraints = async (wish) => { (window.wishes ??= []).push(...wish.advanced); };
"""


@pytest.mark.parametrize("how", ["paste", "drop"])
def test_a_photo_that_is_pasted_or_dropped_is_taken(app, how):
    app.open("/scan")
    app.wait_for_selector(".checks")
    app.evaluate(GIVEN, [base64.b64encode(SHELF.read_bytes()).decode(), how])
    steps.use_photo(app)
    steps.all_found(app)


# The clock stands still until the test moves it.
COUNTED = """
  globalThis.frames = globalThis.measuring = 0;
  globalThis.Worker = class extends Worker {
    constructor(...what) { super(...what); this.addEventListener("message", () => measuring--); }
    postMessage(...what) { measuring++; super.postMessage(...what); }
  };
  globalThis.VideoFrame = class extends VideoFrame { constructor(...what) { super(...what); frames++; } };
  for (const name of ["toBlob", "toDataURL"]) HTMLCanvasElement.prototype[name] = () => { throw new Error(`${name} on the main thread`); };
  CanvasRenderingContext2D.prototype.getImageData = () => { throw new Error("pixels on the main thread"); };
"""


def test_the_viewfinder_is_looked_at_six_times_a_second(app):
    app.add_init_script(COUNTED)
    app.clock.install()
    app.open("/scan")
    app.wait_for_selector(".checks")
    app.wait_for_function("() => document.querySelector('video').videoWidth > 0")
    app.clock.pause_at(app.evaluate("Date.now()") / 1000 + 60)
    waits = []
    for _ in range(8):
        app.wait_for_function("() => measuring === 0")
        seen, waited = app.evaluate("frames"), 0
        while app.evaluate("frames") == seen and waited < 1000:
            app.clock.run_for(10)
            waited += 10
        waits.append(waited)
    # Milliseconds of the page's own time: 5 to 10 looks a second. The first wait had begun before the clock stood still.
    assert [w for w in waits[1:] if not 100 <= w <= 200] == []


def test_pictures_are_made_ready_apart_from_the_screen(app):
    app.add_init_script(COUNTED)
    app.open("/scan")
    app.locator(".scan-mode label", has_text="Up to five").click()
    app.wait_for_function("() => document.querySelector('video')?.videoWidth > 0")
    app.evaluate("""() => {
      globalThis.states = new Set();
      new MutationObserver(() => document.querySelectorAll(".pstate").forEach((e) => states.add(e.className))).observe(document.body, { childList: true, subtree: true });
    }""")
    with app.expect_response(re.compile("/preview$")) as answer:
        app.get_by_role("button", name="Show spines in the viewfinder").click()
    expect(app.locator(".live-overlay")).to_have_attribute("data-spines", str(len(answer.value.json()["spines"])))
    for _ in range(3):  # as fast as a finger can
        app.get_by_role("button", name="Take the photo").click()
    app.get_by_role("button", name="Read 3").click()
    assert len(steps.all_found(app)["photos"]) == 3
    assert app.evaluate("[...states]") == ["pstate preparing"]


def test_the_tray_is_put_in_order_and_emptied(app):
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", [steps.PHOTO] * 3)
    app.get_by_role("button", name="Show the 3 photos taken").click()
    tray = app.locator("dialog .tray")
    pictures = lambda: tray.locator("img").evaluate_all("list => list.map((i) => i.src)")  # noqa: E731
    one, two, three = pictures()
    tray.get_by_role("button", name="Move photo 1 down").click()
    assert pictures() == [two, one, three]
    tray.get_by_role("button", name="Remove photo 3").click()
    assert pictures() == [two, one]
    app.keyboard.press("Escape")
    app.locator(".undo").get_by_role("button", name="Undo").click()
    expect(app.get_by_role("button", name="Read 3")).to_be_visible()


def test_light_and_zoom_where_the_camera_has_them(app):
    app.add_init_script(ABLE)
    app.open("/scan")
    app.wait_for_selector(".checks")
    torch = app.get_by_role("button", name="Light")
    torch.click()
    expect(torch).to_have_attribute("aria-pressed", "true")
    app.get_by_role("slider", name="Zoom").fill("2")
    assert app.evaluate("wishes") == [{"torch": True}, {"zoom": 2}]


def test_neither_light_nor_zoom_where_it_has_not(app):
    app.open("/scan")
    app.wait_for_selector(".checks")
    expect(app.get_by_role("button", name="Light")).to_have_count(0)
    expect(app.get_by_role("slider", name="Zoom")).to_have_count(0)


def test_a_barcode_before_the_camera_is_looked_up(app):
    app.add_init_script("globalThis.BarcodeDetector = class { async detect() { return [{ rawValue: '9780141439518' }]; } }")
    app.open("/add")
    app.get_by_role("button", name="Scan barcode").click()
    expect(app.locator(".searchbox input")).to_have_value("9780141439518")
    expect(app.locator("dialog[open]")).to_have_count(0)


@pytest.mark.touched
def test_statistics_say_which_books_a_barcode_named(app):
    record = {"id": "1", "source": "openlibrary", "title": "Pride and Prejudice", "subtitle": None, "authors": ["Jane Austen"],
              "isbn": "9780141439518", "publisher": None, "year": 2003, "pages": None, "language": "en", "series": None, "coverUrl": None}
    app.route("**/api/v1/search?*", lambda route: route.fulfill(json={"items": [record], "sources": []}))
    app.add_init_script("globalThis.BarcodeDetector = class { async detect() { return [{ rawValue: '9780141439518' }]; } }")
    app.open("/add")
    app.get_by_role("button", name="Scan barcode").click()
    app.get_by_role("button", name="Add Pride and Prejudice").click()
    expect(app.locator(".undo")).to_contain_text("Pride and Prejudice")
    app.server.add(title="Emma", authors=["Jane Austen"])
    assert app.server.call("GET", "/stats")["bySource"] == [{"key": "barcode", "count": 1}, {"key": "hand", "count": 1}]
    app.open("/stats")
    expect(app.locator(".charts")).to_contain_text("By barcode")
    expect(app.locator(".charts")).to_contain_text("By hand")
