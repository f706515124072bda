"""The member's own access on the real server: devices, the second factor and the access log."""
import pytest
import standin
from playwright.sync_api import expect

PASSWORD = "a shelf of one's own"
pytestmark = [pytest.mark.limit(600), pytest.mark.sizes("phone")]


def sign_in(page, address, code=None):
    page.goto(f"{address}/#/welcome")
    page.set_default_timeout(60_000)
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    if code:
        page.get_by_label("Code").fill(code)
        page.get_by_role("button", name="Sign in").click()


def is_signed_in(page):
    # Hashing the password takes seconds on a busy machine.
    expect(page.locator(".empty")).to_contain_text("No books yet", timeout=60_000)


def test_devices_second_factor_and_access_log(real_app, real, browser, size):
    other = browser.new_context(**size, locale="en-GB", service_workers="block").new_page()
    sign_in(other, real.address)
    is_signed_in(other)

    real_app.open("/settings")
    dialog = real_app.locator("dialog[open]")
    real_app.get_by_role("button", name="Signed-in devices").click()
    expect(dialog.locator("li")).to_have_count(2)
    expect(dialog.locator("li", has_text="this device")).to_have_count(1)
    dialog.get_by_role("button", name="Sign out everywhere else").click()
    expect(dialog.locator("li")).to_have_count(1)
    dialog.get_by_role("button", name="Close").click()
    other.reload()
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()

    real_app.get_by_role("button", name="Two-factor sign-in").click()
    expect(dialog.locator("img.qr")).to_have_js_property("complete", True)
    assert dialog.locator("img.qr").evaluate("(e) => e.naturalWidth") > 0
    secret = dialog.locator("code.secret").text_content().replace(" ", "")
    code = standin.one_time_code(secret)
    dialog.get_by_label("Code").fill(code)
    dialog.get_by_role("button", name="Turn on").click()
    expect(dialog.get_by_label("Code")).to_have_count(0, timeout=20_000)
    recovery = dialog.locator("code.secret").text_content().split()
    assert len(set(recovery)) == 10
    dialog.get_by_role("button", name="Close").click()

    sign_in(other, real.address, code)
    expect(other.locator(".note.bad")).to_contain_text("was used already", timeout=60_000)
    other.get_by_label("Code").fill(standin.one_time_code(secret, later=1))
    other.get_by_role("button", name="Sign in").click()
    is_signed_in(other)
    sign_in(other, real.address, recovery[3].upper())
    is_signed_in(other)

    real_app.get_by_role("button", name="Access log").click()
    rows = dialog.locator("li")
    expect(rows.filter(has_text="Recovery code used")).to_have_count(1)
    expect(rows.filter(has_text="Sign-in failed")).to_have_count(1)
    expect(rows.filter(has_text="Two-factor sign-in turned on")).to_have_count(1)
    expect(rows.last).to_contain_text("Ada")
    expect(rows.last).to_contain_text("127.0.0.1")
    other.context.close()
