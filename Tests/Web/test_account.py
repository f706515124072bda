"""The member's own access: signed-in devices, the second factor, and the password before sensitive changes."""
import json
import re
import time

import pytest
import steps
from codes import one_time_code
from conftest import NAME, PASSWORD, SWIFT_EPOCH, other_page, sign_in
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone", "desktop")
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1"
# Seconds after the password was entered in which it is not asked for again, and one more.
CONFIRMED = 15 * 60 + 1
PROVIDER = ("--oidc-issuer", "https://id.example", "--oidc-client-id", "shelflist", "--oidc-name", "Home ID")


def restart(app, *options):
    """Restarts the server with other options, while no page is open."""
    app.goto("about:blank")
    app.server.options = options
    app.server.stop()
    app.server.start()


def connect_account(app, member=0):
    """Connects a member to an account of the provider, as a sign-in there would, and restarts the server with it."""
    app.goto("about:blank")
    app.server.stop()
    file = app.server.folder / "accounts.json"
    content = json.loads(file.read_text())
    content["accounts"]["members"][member]["openID"] = {
        "issuer": "https://id.example", "subject": "u1", "name": "ada (ada@id.example)",
        "linkedAt": time.time() - SWIFT_EPOCH}  # allowed: no code
    file.write_text(json.dumps(content))
    app.server.options = PROVIDER
    app.server.start()


def turn_on_second_factor(server):
    """Returns the secret, and the time at which the clock stands from now on."""
    now = server.stop_clock()
    secret = server.call("POST", "/session/second-factor")["secret"]
    server.call("PUT", "/session/second-factor", {"secret": secret, "code": one_time_code(secret, now)})
    return secret, now


def confirm(server):
    """Enters the password, so that it is not asked for."""
    server.call("POST", "/session/confirm", {"password": PASSWORD})


def sign_in_elsewhere(server):
    server.send("POST", "/api/v1/session", {"name": NAME, "password": PASSWORD}, Cookie="", User_Agent=SAFARI)


def has_second_factor(server):
    return server.call("GET", "/session")["member"]["secondFactor"]


@pytest.mark.scripted
def test_sensitive_changes_ask_for_the_password(app, server):
    server.advance(CONFIRMED)
    app.open("/settings/server")
    section = app.locator("section.apps")
    section.get_by_role("button", name="Connect", exact=True).click()
    dialog = app.locator("dialog[open]").last
    dialog.get_by_label("Name").fill("Ada’s phone")
    dialog.get_by_role("button", name="Connect", exact=True).click()
    expect(dialog.get_by_role("heading", name="Enter your password")).to_be_visible()
    dialog.get_by_label("Password").fill("a guess")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_role("alert")).to_contain_text("wrong")
    assert server.call("GET", "/apps")["items"] == []
    # A wrong password does not sign out.
    assert app.evaluate("location.hash") == "#/settings/server"
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.locator("code.secret")).to_be_visible()
    assert [one["name"] for one in server.call("GET", "/apps")["items"]] == ["Ada’s phone"]


@pytest.mark.scripted
def test_a_second_factor_is_asked_for_with_the_password(app, server):
    secret, now = turn_on_second_factor(server)
    server.advance(CONFIRMED)
    app.open("/settings/server")
    section = app.locator("section.apps")
    section.get_by_role("button", name="Connect", exact=True).click()
    dialog = app.locator("dialog[open]").last
    dialog.get_by_label("Name").fill("Ada’s phone")
    dialog.get_by_role("button", name="Connect", exact=True).click()
    expect(dialog.get_by_role("heading", name="Enter your password")).to_be_visible()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_label("Code").fill("000000")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.get_by_role("alert")).to_contain_text("The code is wrong")
    dialog.get_by_label("Code").fill(one_time_code(secret, now + CONFIRMED))
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog.locator("code.secret")).to_be_visible()


@pytest.mark.scripted
def test_a_second_factor_follows_the_clock_that_the_test_holds(server):
    # A period has just begun: for a clock that is a little behind, its next code would be the one after the next.
    server.advance(30 - server.stop_clock() % 30 + 0.001)
    secret, now = turn_on_second_factor(server)
    assert now % 30 < 1
    server.call("POST", "/session/confirm", {"password": PASSWORD, "code": one_time_code(secret, now + 30)})


@pytest.mark.scripted
def test_a_second_factor_is_turned_off_with_a_code(app, server):
    secret, now = turn_on_second_factor(server)
    app.open("/settings/account")
    app.get_by_role("button", name="Two-factor sign-in").click()
    dialog = app.locator("dialog[open]")
    expect(dialog.get_by_role("heading", name="Turn off two-factor sign-in?")).to_be_visible()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_label("Code").fill("000000")
    dialog.get_by_role("button", name="Turn off").click()
    expect(dialog.get_by_role("alert")).to_contain_text("The code is wrong")
    assert has_second_factor(server)
    # The next code, because the one of now turned it on.
    dialog.get_by_label("Code").fill(one_time_code(secret, now + 30))
    dialog.get_by_role("button", name="Turn off").click()
    expect(app.locator("dialog[open]")).to_have_count(0)
    assert not has_second_factor(server)


@pytest.mark.scripted
def test_a_closed_question_changes_nothing(app, server):
    server.advance(CONFIRMED)
    app.open("/settings/account")
    app.get_by_role("button", name="Two-factor sign-in").click()
    dialog = app.locator("dialog[open]")
    expect(dialog.get_by_role("heading", name="Enter your password")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(app.locator("dialog[open]")).to_have_count(0)
    expect(app.get_by_role("region", name="Last action")).to_contain_text("Nothing was changed")
    assert not server.call("GET", "/session")["confirmed"]


def test_devices_are_signed_out(app, server):
    app.context.clear_cookies()
    app.request.post(f"{server.address}/api/v1/session", data={"name": NAME, "password": PASSWORD}, headers={"User-Agent": FIREFOX})
    app.request.delete(f"{server.address}/api/v1/sessions")
    sign_in_elsewhere(server)
    app.open("/settings/account")
    app.get_by_role("button", name="Signed-in devices").click()
    dialog = app.locator("dialog[open]")
    expect(dialog.locator("li")).to_have_count(2)
    expect(dialog.locator("li", has_text="Firefox on Linux")).to_contain_text("this device")
    expect(dialog.locator("li", has_text="Safari on iPhone")).not_to_contain_text("this device")
    expect(dialog.get_by_role("button", name="Sign out Safari on iPhone")).to_be_visible()
    dialog.get_by_role("button", name="Sign out everywhere else").click()
    expect(dialog.locator("li")).to_have_count(1)
    [left] = app.request.get(f"{server.address}/api/v1/sessions").json()["items"]
    assert left["current"] and left["agent"] == FIREFOX


@pytest.mark.scripted
def test_a_second_factor_is_turned_on_and_asked_for(app, server):
    confirm(server)
    app.open("/settings/account")
    app.get_by_role("button", name="Two-factor sign-in").click()
    dialog = app.locator("dialog[open]")
    expect(dialog.locator("img.qr")).to_be_visible()
    secret = dialog.locator("code.secret").text_content().replace(" ", "")
    dialog.get_by_label("Code").fill("12")
    dialog.get_by_role("button", name="Turn on").click()
    expect(dialog.get_by_role("alert")).to_contain_text("The code is wrong")
    assert not has_second_factor(server)
    # The clock stands still, so that the code still counts when it is used again.
    now = server.stop_clock()
    code = one_time_code(secret, now)
    dialog.get_by_label("Code").fill(code)
    dialog.get_by_role("button", name="Turn on").click()
    expect(dialog.locator("code.secret")).to_contain_text(re.compile(r"^(\s*[0-9a-z]{8}-[0-9a-z]{8}\s*){10}$"))
    assert has_second_factor(server)

    app.open("/welcome")
    app.get_by_label("Name").fill(NAME)
    app.get_by_label("Password").fill(PASSWORD)
    expect(app.get_by_label("Code")).to_be_hidden()
    app.get_by_role("button", name="Sign in").click()
    expect(app.get_by_label("Code")).to_be_focused()
    # Each code is valid once.
    app.get_by_label("Code").fill(code)
    app.get_by_role("button", name="Sign in").click()
    expect(app.locator(".note.bad")).to_contain_text("was used already")
    app.get_by_label("Code").fill(one_time_code(secret, now + 30))
    app.get_by_role("button", name="Sign in").click()
    app.wait_for_url("**/#/library")


def test_the_owner_reads_the_access_log(app, server):
    restart(app, "--trusted-proxies", "127.0.0.1")
    confirm(server)
    server.call("POST", "/members", {"name": "Bea", "password": PASSWORD, "role": "viewer"})
    server.send("POST", "/api/v1/session", {"name": "Unknown", "password": PASSWORD}, X_Forwarded_For="203.0.113.9")
    app.open("/settings/server")
    app.get_by_role("button", name="Access log").click()
    rows = app.locator("dialog[open] li")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Member added: Bea")
    expect(rows.nth(0)).to_contain_text("Sign-in failed")
    expect(rows.nth(0)).to_contain_text("unknown name")
    expect(rows.nth(0)).to_contain_text("203.0.113.9")


def test_a_member_signs_in_with_the_provider(app):
    restart(app, *PROVIDER)
    app.context.clear_cookies()
    app.open("/welcome?openid=unknown&next=%2Freview")
    expect(app.locator(".note")).to_have_text("You have no account on this server. Ask the owner.")
    link = app.get_by_role("link", name="Sign in with Home ID")
    expect(link).to_have_attribute("href", "api/v1/session/openid?next=%2Freview")
    expect(app.get_by_label("Password")).to_be_visible()

    restart(app, *PROVIDER, "--oidc-only")
    app.open("/welcome?openid=unknown&next=%2Freview")
    expect(link).to_be_visible()
    expect(app.get_by_label("Password")).to_have_count(0)


@pytest.mark.scripted
def test_without_a_password_the_provider_confirms(app, server):
    restart(app, *PROVIDER, "--oidc-only")
    server.advance(CONFIRMED)
    app.route("**/api/v1/session/openid?*", lambda route: route.fulfill(status=204))
    app.open("/settings/server")
    expect(app.get_by_role("button", name="Access log")).to_be_visible()
    expect(app.get_by_role("button", name="Add member")).to_have_count(0)
    app.locator("section.apps").get_by_role("button", name="Connect", exact=True).click()
    dialog = app.locator("dialog[open]").last
    dialog.get_by_label("Name").fill("Ada’s phone")
    dialog.get_by_role("button", name="Connect", exact=True).click()
    expect(dialog.get_by_role("heading", name="Sign in again with Home ID")).to_be_visible()
    with app.expect_request("**/api/v1/session/openid?*") as asked:
        dialog.get_by_role("button", name="Sign in with Home ID").click()
    assert asked.value.url.split("?")[1] == "for=confirm&next=%2Fsettings%2Fserver"
    app.open("/settings/account")
    expect(app.get_by_role("button", name="Sign out")).to_be_visible()
    expect(app.get_by_role("button", name="Change password")).to_have_count(0)
    # There is no password to prove that it is the member who connects it.
    expect(app.get_by_role("button", name="Connect Home ID")).to_have_count(0)


def test_connecting_an_account_asks_for_the_password(app):
    restart(app, *PROVIDER)
    app.route("**/api/v1/session/openid?*", lambda route: route.fulfill(status=204))
    app.open("/settings/account")
    app.get_by_role("button", name="Connect Home ID").click()
    dialog = app.locator("dialog[open]")
    expect(dialog.get_by_role("heading", name="Enter your password")).to_be_visible()
    dialog.get_by_label("Password").fill(PASSWORD)
    with app.expect_request("**/api/v1/session/openid?*") as asked:
        dialog.get_by_role("button", name="Continue").click()
    assert asked.value.url.split("?")[1] == "for=link&next=%2Fsettings%2Faccount"


def test_a_connected_account_is_shown_and_disconnected(app, server):
    connect_account(app)
    sign_in_elsewhere(server)
    app.open("/settings/account")
    notice = app.locator(".banner", has_text="Connected to your account")
    expect(notice).to_contain_text("ada (ada@id.example) · id.example")
    expect(notice.get_by_role("link")).to_have_attribute("href", "#/settings/account")
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_have_count(0)
    app.reload()
    row = app.locator(".kv", has_text="Connected to Home ID")
    expect(row).to_contain_text("ada (ada@id.example) · id.example")
    expect(notice).to_have_count(0)
    row.get_by_role("button", name="Disconnect").click()
    app.locator("dialog[open]").get_by_role("button", name="Disconnect").click()
    expect(app.get_by_role("button", name="Connect Home ID")).to_be_visible()
    assert not server.call("GET", "/session")["member"]["openId"]
    assert len(server.call("GET", "/sessions")["items"]) == 1


@pytest.mark.parametrize("keeps", [False, True])
def test_a_new_password_disconnects_the_account_unless_it_is_kept(app, server, keeps):
    connect_account(app)
    app.open("/settings/account")
    app.get_by_role("button", name="Change password").click()
    dialog = app.locator("dialog[open]")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_label("New password").fill("another password")
    keep = dialog.get_by_role("switch", name="Keep the connected account")
    expect(keep).not_to_be_checked()
    if keeps:
        keep.click()
    dialog.get_by_role("button", name="Save").click()
    expect(app.locator("dialog[open]")).to_have_count(0)
    expect(app.get_by_text("Connected to Home ID")).to_have_count(1 if keeps else 0)
    assert server.call("GET", "/session")["member"]["openId"] == keeps


def test_the_owner_disconnects_another_member(app, server):
    confirm(server)
    server.call("POST", "/members", {"name": "Bea", "password": PASSWORD, "role": "viewer"})
    connect_account(app, member=1)
    app.open("/settings/server")
    app.locator("button.kv", has_text="ada (ada@id.example) · id.example").click()
    app.locator("dialog[open]").get_by_role("button", name="Disconnect sign-in service").click()
    dialog = app.locator("dialog[open]")
    expect(dialog.get_by_role("heading", name="Disconnect the sign-in service of Bea?")).to_be_visible()
    dialog.get_by_role("button", name="Disconnect", exact=True).click()
    expect(app.get_by_text("ada (ada@id.example)")).to_have_count(0)
    [bea] = [one for one in server.call("GET", "/members")["items"] if one["name"] == "Bea"]
    assert not bea["openId"]


def test_plain_http_is_named_where_passwords_are_typed(app, server):
    text = "This connection is not encrypted"
    app.open("/settings/account")
    expect(app.get_by_role("heading", name="Sign-in")).to_be_visible()
    expect(app.get_by_text(text)).to_have_count(0)

    # Browsers treat every address but this machine's own as insecure.
    sign_in(app.context, server, "http://books.test")
    app.route("http://books.test/**", lambda route: route.fulfill(
        response=route.fetch(url=route.request.url.replace("http://books.test", server.address))))
    app.goto("http://books.test/#/settings/account")
    expect(app.get_by_text(text)).to_be_visible()
    app.goto("http://books.test/#/welcome")
    expect(app.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(app.get_by_text(text)).to_be_visible()
    # The browser reports that it ignores a header there.
    app.errors[:] = [text for text in app.errors if "Cross-Origin-Opener-Policy" not in text]


def test_the_account_fits_in_german(browser, size, server):
    context = browser.new_context(**size, locale="de-DE", service_workers="block")
    confirm(server)
    sign_in_elsewhere(server)
    sign_in(context, server)
    page = context.new_page()
    for path, name, done in [("account", "Angemeldete Geräte", "Überall sonst abmelden"), ("account", "Anmeldung in zwei Schritten", "Einschalten"),
                             ("server", "Zugriffsprotokoll", "Schließen"), ("server/tokens", "Token erstellen", "Token erstellen")]:
        page.goto(f"{server.address}/#/settings/{path}")
        page.get_by_role("button", name=name).click()
        expect(page.locator("dialog[open]").get_by_role("button", name=done)).to_be_visible()
        assert steps.outside(page) == [], name
        # A phone's browser zooms out when something is too wide.
        assert page.evaluate("innerWidth") == size["viewport"]["width"], name
        page.locator("dialog[open]").get_by_role("button", name="Schließen").click()
        expect(page.locator("dialog[open]")).to_have_count(0)
    context.close()


@pytest.mark.scripted
@pytest.mark.sizes("phone")
def test_a_wrong_password_is_said_in_the_app_s_language(browser, size, server):
    server.advance(CONFIRMED)
    with other_page(browser, server, size, locale="de-DE", service_workers="block") as page:
        page.goto(f"{server.address}/#/settings/server/network")
        page.get_by_role("switch", name="Handys verbinden lassen").click()
        dialog = page.locator("dialog[open]")
        expect(dialog.get_by_role("heading", name="Passwort eingeben")).to_be_visible()
        dialog.get_by_label("Passwort").fill("a guess")
        dialog.get_by_role("button", name="Weiter").click()
        expect(dialog.get_by_role("alert")).to_have_text("Das Passwort ist falsch.")
        dialog.get_by_role("button", name="Schließen").click()
        page.context.clear_cookies()
        page.goto(f"{server.address}/#/welcome")
        page.reload()
        page.get_by_label("Name").fill(NAME)
        page.get_by_label("Passwort").fill("a guess")
        page.get_by_role("button", name="Anmelden").click()
        expect(page.locator("main").get_by_role("alert")).to_have_text("Der Name oder das Passwort ist falsch.")
