"""Connecting an app, from the address to what the app sent."""
import json
import re
import urllib.error
import urllib.request

import pytest
from conftest import PASSWORD, sign_in, small_photo
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone", "desktop")]


def upload(address, photo, device):
    """Uploads a photo as an app does that knows only the address, and returns the job."""
    headers = {"Content-Type": "image/jpeg", "X-Device-ID": device}
    request = urllib.request.Request(address + "/v3/jobs/scans", photo, headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]["jobId"]


def test_an_app_is_connected_followed_and_revoked(app, server):
    server.call("POST", "/session/confirm", {"password": PASSWORD})
    app.open("/settings/server")
    section = app.locator("section.apps")
    section.get_by_role("button", name="Connect", exact=True).click()
    dialog = app.locator("dialog[open]")
    dialog.get_by_label("Name").fill("Ada’s phone")
    dialog.get_by_role("button", name="Connect", exact=True).click()
    address = dialog.locator("code.secret")
    expect(address).to_have_text(re.compile(rf"^{re.escape(server.address)}/app/[0-9a-z]{{26}}$"))
    expect(dialog).to_contain_text("Keep it secret. It is not shown again.")
    expect(dialog).to_contain_text("Only this computer can connect. Turn on “Let phones connect”, then connect the app again.")
    expect(dialog.locator("img.qr")).to_have_count(0)
    base = address.text_content()
    dialog.get_by_role("button", name="Close").click()
    expect(section).to_contain_text("never used")

    # What the app sends is added at once, until the person turns that off.
    first = upload(base, small_photo().read_bytes(), "iPhone 12")
    server.wait(first)
    app.reload()
    section.get_by_role("button", name="Ada’s phone").click()
    expect(dialog.locator("a.kv")).to_have_count(1)
    expect(dialog.locator("a.kv")).to_contain_text("1 photo")
    expect(dialog).to_contain_text("iPhone")
    at_once = dialog.get_by_role("switch", name="Import at once")
    expect(at_once).to_be_checked()
    with app.expect_response(lambda r: r.request.method == "PATCH") as answer:
        at_once.click()
    assert answer.value.json()["importsAtOnce"] is False
    second = upload(base, small_photo().read_bytes(), "tablet")
    server.wait(second)
    jobs = {job["id"]: job["imported"] for job in server.call("GET", "/scans")["items"]}
    assert jobs == {first: True, second: False}
    dialog.get_by_role("button", name="Close").click()
    section.get_by_role("button", name="Ada’s phone").click()
    expect(dialog.locator("a.kv")).to_have_count(2)
    expect(dialog.locator("a.kv").first).to_contain_text("not imported yet")

    dialog.get_by_role("button", name="Revoke address").click()
    dialog.get_by_role("button", name="Revoke address").click()
    expect(section.locator("li")).to_have_count(0)
    with pytest.raises(urllib.error.HTTPError) as refused:
        upload(base, small_photo().read_bytes(), "tablet")
    assert refused.value.code == 403
    assert json.load(refused.value)["code"] == "wrong_app_key"


def test_the_address_of_a_server_that_phones_reach_has_a_code(app, server):
    # A proxy passes on requests to another name.
    address = "http://books.test"
    server.options = ("--trusted-proxies", "127.0.0.1")
    server.stop()
    server.start()
    server.call("POST", "/session/confirm", {"password": PASSWORD})
    sign_in(app.context, server, address)
    app.route(f"{address}/**", lambda route: route.fulfill(response=route.fetch(
        url=route.request.url.replace(address, server.address), headers={**route.request.all_headers(), "X-Forwarded-Host": "books.test"})))
    app.goto(f"{address}/#/settings/server")
    connect = app.locator("section.apps").get_by_role("button", name="Connect", exact=True)
    connect.click()
    dialog = app.locator("dialog[open]")
    dialog.get_by_label("Name").fill("Tablet")
    dialog.get_by_role("button", name="Connect", exact=True).click()
    expect(dialog.get_by_role("img", name="QR code with the address")).to_be_visible()
    expect(dialog.locator("code.secret")).to_have_text(re.compile(rf"^{re.escape(address)}/app/[0-9a-z]{{26}}$"))
    expect(dialog).not_to_contain_text("This server accepts only this computer.")
    dialog.get_by_role("button", name="Close").click()
    connect.click()
    dialog.get_by_label("Name").fill("Tablet")
    dialog.get_by_role("button", name="Connect", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("already connected")
    # The browser reports that it ignores a header where the connection is not encrypted.
    app.errors[:] = [text for text in app.errors if "Cross-Origin-Opener-Policy" not in text]
