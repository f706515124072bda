"""Contrast over glass, measured on pixels: the background of texts, with the texts hidden."""
import base64

import pytest
import steps

pytestmark = pytest.mark.sizes("phone")

MEASURE = """async ([png, boxes]) => {
  const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const linear = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (r, g, b) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  return boxes.map(({ x, y, w, h, colour }) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number), text = light(r, g, b);
    const { data } = context.getImageData(x, y, w, h);
    let worst = 21;
    for (let i = 0; i < data.length; i += 4) {
      const ground = light(data[i], data[i + 1], data[i + 2]);
      worst = Math.min(worst, (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05));
    }
    return worst;
  });
}"""


def worst_contrast(page, selector):
    boxes = page.evaluate("""(selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility()).map((e) => {
      const b = e.getBoundingClientRect();
      return { x: Math.round(b.x), y: Math.round(b.y), w: Math.max(1, Math.round(b.width)), h: Math.max(1, Math.round(b.height)), colour: getComputedStyle(e).color, name: e.textContent };
    })""", selector)
    assert boxes
    # Not visibility: the glass itself has to stay as it is.
    page.evaluate("(selector) => document.querySelectorAll(selector).forEach((e) => { e.style.color = 'transparent'; })", selector)
    page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))")
    shot = base64.b64encode(page.screenshot()).decode()  # the whole window: a clip would lose the blur
    blank = page.context.new_page()
    found = blank.evaluate(MEASURE, [shot, boxes])
    blank.close()
    return dict(zip([b["name"] for b in boxes], found))


@pytest.mark.books(60)
@pytest.mark.parametrize("theme", steps.THEMES)
def test_the_floating_bar_over_covers(app, theme):
    steps.look(app, theme)
    steps.open_library(app)
    for scroll in (0, 130, 310):
        app.evaluate("(y) => scrollTo(0, y)", scroll)
        app.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        app.evaluate("document.querySelectorAll('.nav .tabs a > span').forEach((e) => { e.style.color = ''; })")
        contrast = worst_contrast(app, ".nav .tabs a > span:not(.badge):not(.count)")
        assert {k: v for k, v in contrast.items() if v < 4.5} == {}, f"{theme} at {scroll}"


def test_words_on_photo_glass_over_the_brightest_photo(app):
    steps.scan(app)
    app.evaluate("document.querySelector('sl-stage').style.background = '#fff'")
    app.evaluate("document.querySelector('sl-stage img').style.opacity = 0; document.querySelector('sl-stage svg').style.opacity = 0")
    contrast = worst_contrast(app, ".pill > span")
    assert {k: v for k, v in contrast.items() if v < 4.5} == {}
