"""The member's own access: devices, the second factor and the access log."""
import pytest
from codes import one_time_code
from conftest import PASSWORD, entered
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone")]


def sign_in(page, address, code=None, password=PASSWORD):
    page.goto(f"{address}/#/welcome")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    if code:
        page.get_by_label("Code").fill(code)
        page.get_by_role("button", name="Sign in").click()


def is_signed_in(page):
    expect(page.locator(".empty")).to_contain_text("No books yet")


@pytest.fixture
def other(browser, size):
    """A page in another browser, where no one is signed in."""
    context = browser.new_context(**size, locale="en-GB", service_workers="block")
    yield context.new_page()
    context.close()


def log_rows(app):
    """Opens the access log, and returns its rows."""
    app.open("/settings/server")
    app.get_by_role("button", name="Access log").click()
    return app.locator("dialog[open] li")


def test_devices_and_access_log(page, empty_server, other):
    server, app = empty_server, entered(page, empty_server)
    sign_in(other, server.address)
    is_signed_in(other)

    app.open("/settings/account")
    dialog = app.locator("dialog[open]")
    app.get_by_role("button", name="Signed-in devices").click()
    expect(dialog.locator("li")).to_have_count(2)
    expect(dialog.locator("li", has_text="this device")).to_have_count(1)
    expect(dialog).to_contain_text("once it is online, or after 30 days")
    dialog.get_by_role("button", name="Sign out everywhere else").click()
    expect(dialog.locator("li")).to_have_count(1)
    dialog.get_by_role("button", name="Close").click()
    other.reload()
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(other, server.address, password="a guess")
    expect(other.locator(".note.bad")).to_contain_text("wrong")

    rows = log_rows(app)
    expect(rows.filter(has_text="Sign-in failed")).to_have_count(1)
    expect(rows.filter(has_text="Signed out everywhere else")).to_have_count(1)
    expect(rows.last).to_contain_text("Ada")
    expect(rows.last).to_contain_text("127.0.0.1")


# The program has no clock that a test can hold, and codes are valid for half a minute.
@pytest.mark.scripted
def test_second_factor_and_access_log(page, empty_server, other):
    server, app = empty_server, entered(page, empty_server)
    app.open("/settings/account")
    dialog = app.locator("dialog[open]")
    app.get_by_role("button", name="Two-factor sign-in").click()
    expect(dialog.locator("img.qr")).to_have_js_property("complete", True)
    assert dialog.locator("img.qr").evaluate("(e) => e.naturalWidth") > 0
    secret = dialog.locator("code.secret").text_content().replace(" ", "")
    now = server.stop_clock()
    code = one_time_code(secret, now)
    dialog.get_by_label("Code").fill(code)
    dialog.get_by_role("button", name="Turn on").click()
    expect(dialog.get_by_label("Code")).to_have_count(0)
    recovery = dialog.locator("code.secret").text_content().split()
    assert len(set(recovery)) == 10
    dialog.get_by_role("button", name="Close").click()

    sign_in(other, server.address, code)
    expect(other.locator(".note.bad")).to_contain_text("was used already")
    other.get_by_label("Code").fill(one_time_code(secret, now + 30))
    other.get_by_role("button", name="Sign in").click()
    is_signed_in(other)
    sign_in(other, server.address, recovery[3].upper())
    is_signed_in(other)

    rows = log_rows(app)
    expect(rows.filter(has_text="Recovery code used")).to_have_count(1)
    expect(rows.filter(has_text="Sign-in failed")).to_have_count(1)
    expect(rows.filter(has_text="Two-factor sign-in turned on")).to_have_count(1)
