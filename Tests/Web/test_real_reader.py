"""A model as a second reader, and a server that answers as Gemini's API does."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import steps
from conftest import poor_photo
from playwright.sync_api import expect

pytestmark = [pytest.mark.reads, pytest.mark.sizes("phone")]
KEY = "secret-key-0123456789"


class Model(BaseHTTPRequestHandler):
    """Names the same book on the first ten spines of a sheet."""
    asked: list

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append((self.path, self.headers["x-goog-api-key"], body))
        spines = [{"number": n, "title": "The Quiet Cartographer", "author": "M. Oakes", "confidence": 0.9} for n in range(1, 11)]
        answer = json.dumps({
            "candidates": [{"content": {"role": "model", "parts": [{"text": json.dumps({"spines": spines[:4]})}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 900, "candidatesTokenCount": 100}}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.fixture
def model(monkeypatch):
    """The requests that the model got."""
    handler = type("Model", (Model,), {"asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("SHELFLIST_GEMINI_URL", f"http://127.0.0.1:{server.server_address[1]}")
    yield handler.asked
    server.shutdown()
    server.server_close()


def test_a_model_is_asked_after_consent_and_both_readings_are_shown(model, app, server):
    app.open("/settings/reading/reader")
    who = app.get_by_label("Who reads photos")
    expect(who).to_have_value("local")
    # A closed sheet does not count as consent.
    who.select_option("assist")
    sheet = app.locator("dialog[open]")
    expect(sheet).to_contain_text("Send pictures to Gemini?")
    expect(sheet).to_contain_text("the whole photo, at most 3,072 px, without place and time")
    app.keyboard.press("Escape")
    expect(who).to_have_value("local")
    assert model == []

    who.select_option("assist")
    sheet.get_by_role("button", name="Agree").click()
    expect(who).to_have_value("assist")
    app.get_by_role("button", name="Key and model").first.click()
    app.get_by_label("Key", exact=True).fill(KEY)
    app.locator("dialog[open]").get_by_role("button", name="Save").click()
    expect(app.locator("dialog[open]")).to_have_count(0)
    assert model == [] and KEY not in app.content()

    steps.read_shelf(app, poor_photo())
    steps.eventually(app, """async () => {
        const json = (path) => fetch(`/api/v1/scans${path}`).then((answer) => answer.json());
        const { photos } = await json(`/${(await json("")).items[0].id}/results`);
        return photos[0].model?.named > 0;
    }""")
    (path, key, body), = model
    assert path == "/v1beta/models/gemini-3.8-flash:generateContent" and key == KEY
    assert "cut out of a photo" in body["contents"][0]["parts"][1]["text"]
    expect(app.locator("[data-opinion=gemini], .results-panel").first).to_be_visible()

    app.open("/settings/reading/reader")
    app.get_by_label("May receive pictures: Gemini").click()
    expect(app.get_by_label("May receive pictures: Gemini")).not_to_be_checked()
    assert app.refused == []
