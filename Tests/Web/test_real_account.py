"""The member's own access: devices, the second factor and the access log."""
import functools
import time

import pytest
from codes import one_time_code
from conftest import PASSWORD, entered
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone")]


def sign_in(page, address, code=None):
    page.goto(f"{address}/#/welcome")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    if code:
        page.get_by_label("Code").fill(code)
        page.get_by_role("button", name="Sign in").click()


def is_signed_in(page):
    expect(page.locator(".empty")).to_contain_text("No books yet")


def test_devices_second_factor_and_access_log(page, empty_server, browser, size):
    server, app = empty_server, entered(page, empty_server)
    other = browser.new_context(**size, locale="en-GB", service_workers="block").new_page()
    sign_in(other, server.address)
    is_signed_in(other)

    app.open("/settings/account")
    dialog = app.locator("dialog[open]")
    app.get_by_role("button", name="Signed-in devices").click()
    expect(dialog.locator("li")).to_have_count(2)
    expect(dialog.locator("li", has_text="this device")).to_have_count(1)
    dialog.get_by_role("button", name="Sign out everywhere else").click()
    expect(dialog.locator("li")).to_have_count(1)
    dialog.get_by_role("button", name="Close").click()
    other.reload()
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()

    app.get_by_role("button", name="Two-factor sign-in").click()
    expect(dialog.locator("img.qr")).to_have_js_property("complete", True)
    assert dialog.locator("img.qr").evaluate("(e) => e.naturalWidth") > 0
    secret = dialog.locator("code.secret").text_content().replace(" ", "")
    # The clock stands still, so that the code still counts when it is used again.
    now = time.time if server.is_real else functools.cache(server.stop_clock)
    code = one_time_code(secret, now())
    dialog.get_by_label("Code").fill(code)
    dialog.get_by_role("button", name="Turn on").click()
    expect(dialog.get_by_label("Code")).to_have_count(0)
    recovery = dialog.locator("code.secret").text_content().split()
    assert len(set(recovery)) == 10
    dialog.get_by_role("button", name="Close").click()

    sign_in(other, server.address, code)
    expect(other.locator(".note.bad")).to_contain_text("was used already")
    other.get_by_label("Code").fill(one_time_code(secret, now() + 30))
    other.get_by_role("button", name="Sign in").click()
    is_signed_in(other)
    sign_in(other, server.address, recovery[3].upper())
    is_signed_in(other)

    app.open("/settings/server")
    app.get_by_role("button", name="Access log").click()
    rows = dialog.locator("li")
    expect(rows.filter(has_text="Recovery code used")).to_have_count(1)
    expect(rows.filter(has_text="Sign-in failed")).to_have_count(1)
    expect(rows.filter(has_text="Two-factor sign-in turned on")).to_have_count(1)
    expect(rows.last).to_contain_text("Ada")
    expect(rows.last).to_contain_text("127.0.0.1")
    other.context.close()
