"""What stays in the browser belongs to one member: signing out removes it, here or from elsewhere, and other members do not see
it. Only photos that were not sent stay, hidden, until their member returns."""
import datetime

import pytest
import steps
from conftest import NAME, PASSWORD
from leaving import KEPT, NOTHING, add_bea, end_elsewhere, enter, fill, is_signed_in, scans, shows, sign_out, take
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone")


@pytest.mark.books(12)
def test_signing_out_leaves_nothing_in_the_browser(app, server):
    fill(app)
    sign_out(app)
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    assert not is_signed_in(app)
    # The server has ended the session, too.
    assert server.send("GET", "/api/v1/library")[0] == 401
    assert app.evaluate(KEPT) == NOTHING


@pytest.mark.books(12)
def test_without_a_network_the_member_stays_signed_in(app, context):
    fill(app)
    app.open("/settings/account")
    context.set_offline(True)
    app.get_by_role("button", name="Sign out").click()
    expect(app.get_by_text("You are still signed in: the server cannot be reached.").first).to_be_visible()
    assert app.evaluate(KEPT)["books"] == 12
    context.set_offline(False)
    assert is_signed_in(app)


@pytest.mark.scripted
def test_signing_out_asks_about_photos_that_were_not_sent(app, server, context):
    steps.keep_offline(app, context)
    server.fail("POST", "/api/v1/scans", status=503, times=99)
    context.set_offline(False)
    sign_out(app)
    dialog = app.get_by_role("dialog", name="1 photo was not sent")
    expect(dialog).to_contain_text("It stays in this browser, hidden, until you sign in again.")
    dialog.get_by_role("button", name="Close").click()
    assert is_signed_in(app)
    app.get_by_role("button", name="Sign out").click()
    dialog.get_by_role("button", name="Sign out", exact=True).click()
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    assert not is_signed_in(app)
    assert app.evaluate(KEPT) == {**NOTHING, "scans": 1, "photos": 1}
    server.heal()
    enter(app, NAME)
    app.open("/scans")
    expect(app.locator(".scan-row")).to_have_count(1)
    # It was not refused, so it is sent by itself.
    steps.until(app, lambda: app.request.get(f"{server.address}/api/v1/scans").json()["items"])


def test_photos_that_were_not_sent_can_be_deleted(app):
    take(app)
    sign_out(app)
    app.get_by_role("dialog", name="3 photos were not sent").get_by_role("button", name="Delete and sign out").click()
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    assert app.evaluate(KEPT) == NOTHING


def test_photos_of_the_tray_stay_hidden_until_their_member_returns(app, server):
    add_bea(server)
    take(app)
    sign_out(app)
    dialog = app.get_by_role("dialog", name="3 photos were not sent")
    dialog.get_by_role("button", name="Sign out", exact=True).click()
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    assert app.evaluate(KEPT) == {**NOTHING, "tray": 3}

    enter(app, "Bea")
    app.open("/scan")
    shows(app, 0)
    take(app, 2)
    # Only her own are asked about and deleted.
    sign_out(app)
    app.get_by_role("dialog", name="2 photos were not sent").get_by_role("button", name="Delete and sign out").click()
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    assert app.evaluate(KEPT) == {**NOTHING, "tray": 3}

    enter(app, NAME)
    app.open("/scan")
    shows(app, 3)


@pytest.mark.books(12)
def test_photos_of_the_tray_are_hidden_from_the_next_member(app, server, context):
    fill(app)
    bea = add_bea(server)
    take(app)
    app.goto("about:blank")
    context.clear_cookies()
    app.request.post(f"{server.address}/api/v1/session", data={"name": "Bea", "password": PASSWORD})
    app.open("/scan")
    steps.eventually(app, f"() => import('/lib/state.js').then((state) => state.user.get()?.id === '{bea['id']}')")
    shows(app, 0)
    kept = app.evaluate(KEPT)
    assert (kept["tray"], kept["pictures"]) == (3, 0)
    # Nothing of hers is here, so there is no question.
    sign_out(app)
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    enter(app, NAME)
    app.open("/scan")
    shows(app, 3)


@pytest.mark.books(12)
def test_the_sign_in_of_another_member_reloads_other_tabs(app, server, context):
    fill(app)
    bea = add_bea(server)
    context.clear_cookies()
    app.request.post(f"{server.address}/api/v1/session", data={"name": "Bea", "password": PASSWORD})
    other = context.new_page()
    other.goto(f"{server.address}/#/settings")
    # The first tab's memory has the library of the member before.
    steps.eventually(app, f"() => import('/lib/state.js').then((state) => state.user.get()?.id === '{bea['id']}')")
    other.close()


@pytest.mark.worker
@pytest.mark.books(12)
@pytest.mark.parametrize("open_", [False, pytest.param(True, marks=pytest.mark.touched)], ids=["later", "open"])
def test_a_session_that_was_ended_elsewhere_leaves_only_photos_that_were_not_sent(app, server, context, open_):
    app.clock.install()
    fill(app)
    take(app)
    if open_:
        app.open("/library")
        steps.open_library(app)
        end_elsewhere(server)
        # It asks for news every ten seconds.
        app.clock.fast_forward(10_000)
    else:
        app.goto("about:blank")
        end_elsewhere(server)
        app.open("/library")
    expect(app.get_by_role("heading", name="Sign in")).to_be_visible()
    steps.eventually(app, f"() => ({KEPT})().then((kept) => kept.books + kept.pictures + kept.others.length === 0)")
    assert app.evaluate(KEPT) == {**NOTHING, "tray": 3}
    context.set_offline(True)
    app.goto("about:blank")
    app.open("/library")
    expect(app.locator("#main h1").first).to_be_visible()
    expect(app.locator(".cell a")).to_have_count(0)
    app.open("/scan")
    shows(app, 0)
    context.set_offline(False)
    enter(app, NAME)
    app.open("/scan")
    shows(app, 3)


@pytest.mark.books(12)
def test_another_401_keeps_the_copy(app, server, context):
    fill(app)
    context.clear_cookies()
    app.reload()
    expect(app.get_by_role("heading", name="Sign in")).to_be_visible()
    assert app.evaluate(KEPT)["books"] == 12


@pytest.mark.worker
@pytest.mark.books(12)
@pytest.mark.parametrize("days", [29, 31])
def test_a_copy_is_removed_after_thirty_days_without_the_server(app, context, days):
    fill(app)
    take(app)
    context.set_offline(True)
    app.goto("about:blank")
    app.clock.set_system_time(datetime.datetime.now() + datetime.timedelta(days=days))
    app.open("/library")
    expect(app.locator(".app-banners")).to_contain_text("offline")
    if days < 30:
        expect(app.locator(".cell a")).to_have_count(12)
        return
    assert app.evaluate(KEPT) == {**NOTHING, "tray": 3}
    expect(app.locator(".cell a")).to_have_count(0)
    context.set_offline(False)
    app.clock.set_system_time(datetime.datetime.now())
    app.reload()
    expect(app.locator(".cell a")).to_have_count(12)
    app.open("/scan")
    shows(app, 3)


@pytest.mark.books(12)
def test_another_member_neither_sees_nor_sends_what_is_kept(app, server, context):
    fill(app)
    steps.keep_offline(app, context)
    app.goto("about:blank")
    server.call("POST", "/session/confirm", {"password": PASSWORD})
    other = server.call("POST", "/members", {"name": "Bea", "password": PASSWORD, "role": "editor"})
    context.clear_cookies()
    app.request.post(f"{server.address}/api/v1/session", data={"name": "Bea", "password": PASSWORD})
    context.set_offline(False)
    app.open("/scans")
    # The data of the first member is removed, except for the photo, which only they send.
    steps.eventually(app, f"() => import('/lib/state.js').then((state) => state.user.get()?.id === '{other['id']}')")
    expect(app.locator(".scan-list .scan-row, .scan-row")).to_have_count(0)
    kept = app.evaluate(KEPT)
    assert (kept["scans"], kept["photos"], kept["pictures"]) == (1, 1, 0)
    assert scans(server) == []
    app.evaluate("() => import('/lib/send.js').then((send) => send.sendWaiting())")
    assert scans(server) == []


@pytest.mark.books(12)
def test_a_picture_that_the_server_no_longer_shows_leaves_the_browser(app):
    fill(app)
    # The cached answer has no date, so it is asked for again; the server does not have it.
    app.evaluate("() => fetch('/api/v1/covers/a.jpg')")
    steps.eventually(app, """() => caches.open("shelflist-covers").then((cache) => cache.match("/api/v1/covers/a.jpg")).then((known) => !known)""")
